/** `rentty ssh`: enters an instance with OpenSSH. */
import {spawn} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {constants} from 'node:os';
import {join} from 'node:path';
import type {Client} from '../../client/client.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {
	identityOptions,
	readForwards,
	shellText,
	sshCommand,
	sshRoutes,
	type ProgramCommand,
	type KnownHosts,
	type SshRoute,
} from '../../contract/nouns/ssh-command.ts';
import {answeringRoute} from '../../renter/connect/answering-route.ts';
import {knownHostsOf} from '../../renter/connect/ssh-config.ts';
import {findIdentityFiles} from '../../renter/connect/keys.ts';
import {reportedState} from '../../client/nouns/instance-list.ts';
import type {Command, Context} from '../base/command.ts';
import {CommandError, exitCodes} from '../base/failure.ts';
import {findNamedInstance} from './fleet-polls.ts';
import {instanceName} from './facts.ts';

export const ssh: Command = {
	name: 'ssh',
	summary: 'enter an instance, or run a command there',
	takes: 'NAME [-- COMMAND…]',
	names: 'instances',
	about: [
		'Runs ssh with the address of an instance, by its number or label, and ends with its exit code.',
		'What follows -- runs there. A host is trusted the first time, and kept in a file of its own.',
		'A registered key of this machine that ssh would not try by itself is named with -i.',
	],
	options: {
		via: {
			value: 'WAY',
			oneOf: ['direct', 'proxy'],
			about: 'direct or proxy (default: direct where that answers within a second)',
		},
		forward: {value: 'PORTS', short: 'L', about: "ports to forward: '8080' or '8080:80 6006'"},
		key: {value: 'FILE', short: 'i', about: 'the private key to use'},
		print: {about: 'print the command instead'},
	},
	run,
};

async function run(context: Context): Promise<number> {
	const {words, signal, output, isJson} = context;
	const [name, ...remote] = words;
	if (name === undefined) throw new UsageError('rentty ssh needs the name of an instance.');
	const client = await context.client();
	const instance = await findNamedInstance(client, name, signal);
	const command = await commandFor(context, instance);
	const identity = identityOptions(await keyFiles(context, client, instance));
	const only = context.isGiven('key') ? ['-o', 'IdentitiesOnly=yes'] : [];
	const whole = {...command, args: [...identity, ...only, ...command.args, ...remote]};
	if (isJson) {
		output.json({id: instance.id, program: whole.program, arguments: whole.args});
		return exitCodes.fine;
	}
	if (context.isGiven('print')) {
		output.text(shellText(whole));
		return exitCodes.fine;
	}
	return runProgram(whole);
}

async function commandFor(context: Context, instance: Instance): Promise<ProgramCommand> {
	const ports = context.textOf('forward');
	const forwards = ports === undefined ? [] : readForwards(ports);
	const {route, known} = await wayInto(context, instance);
	if (forwards === undefined)
		throw new UsageError(`--forward takes ports such as 8080:80, and not ${ports}.`);
	return sshCommand(route, {known, forwards});
}

/**
 * The way into an instance that `--via` chooses, and the file of its host key.
 *
 * @throws CommandError if there is none
 */
export async function wayInto(
	{textOf, folders, service}: Context,
	instance: Instance,
): Promise<{readonly route: SshRoute; readonly known: KnownHosts}> {
	const via = textOf('via');
	const routes = sshRoutes(instance);
	const name = instanceName(instance);
	if (instance.actual_status !== 'running') {
		const state = reportedState(instance) ?? 'not there yet';
		throw new CommandError(
			exitCodes.notFound,
			`${name} is ${state}: there is no way in before it runs.`,
		);
	}
	const wanted = via === undefined ? routes : routes.filter(({kind}) => kind === via);
	const route = await answeringRoute(wanted, {folder: folders.state});
	if (route === undefined) {
		throw new CommandError(
			exitCodes.notFound,
			`The service names no ${via ?? 'way'} to enter ${name}.`,
		);
	}
	mkdirSync(folders.state, {recursive: true, mode: 0o700});
	// Separate as in the console: several services may number their instances alike.
	const known = knownHostsOf(join(folders.state, 'known_hosts'), service().name);
	return {route, known: known(instance.id, route.kind)};
}

/** The chosen key, or those of this machine that OpenSSH does not try by itself. */
export async function keyFiles(
	{textOf, environment, signal}: Context,
	client: Client,
	{id}: Instance,
): Promise<readonly string[]> {
	const chosen = textOf('key');
	if (chosen !== undefined) return [chosen];
	return findIdentityFiles({environment, client: async () => client, id, signal});
}

/** Gives the terminal to ssh, and returns its exit code. */
async function runProgram({program, args}: ProgramCommand): Promise<number> {
	const child = spawn(program, args, {stdio: 'inherit'});
	return new Promise((resolve, reject) => {
		child.once('error', error => {
			const isMissing = 'code' in error && error.code === 'ENOENT';
			const why = isMissing ? `${program} is not installed` : error.message;
			reject(new CommandError(exitCodes.failed, `${why}.`, {cause: error}));
		});
		child.once('exit', (code, signal) => {
			resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
		});
	});
}
