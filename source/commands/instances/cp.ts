/** `rentty cp`: copies files between this machine, instances and volumes. */
import {existsSync, readdirSync} from 'node:fs';
import {basename} from 'node:path';
import type {Client} from '../../client/client.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {CopyPath} from '../../client/nouns/volumes.ts';
import {
	shellText,
	type KnownHosts,
	type SshRoute,
	type FileTransfer,
} from '../../contract/nouns/ssh-command.ts';
import {
	copyFiles,
	rsyncFor,
	type CopyProgress,
	parseFileLocation,
	type FileLocation,
} from '../../renter/connect/copying.ts';
import {execInAll, execTarget} from '../../renter/connect/exec.ts';
import {pollUntil} from '../../renter/state/polling.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import type {Command, Context} from '../base/command.ts';
import {
	CommandError,
	exitCodeOf,
	exitCodeOfAll,
	exitCodes,
	type ExitCode,
	failureMessage,
} from '../base/failure.ts';
import {findNamedInstances} from './fleet-polls.ts';
import {instanceName} from './facts.ts';
import {keyFiles, wayInto} from './ssh.ts';

export const cp: Command = {
	name: 'cp',
	summary: 'copy files into instances and out of them',
	takes: 'SRC DST',
	names: 'instances',
	about: [
		'Copies with rsync over SSH: 7:/workspace/x is a path in instance 7, which a label names as well,',
		'V.12:/data in volume 12, and all else is a path of this machine. Between instances and volumes',
		'the host of the second one copies, also after Ctrl-C. A source that ends in / is what is in it,',
		"as rsync has it. Into several: 'train-a,train-b:/workspace/', or 'label~train:/workspace/'.",
		'A copy that broke off goes on where it was: by itself when the line breaks, else by the same',
		'command. Without rsync scp copies, and begins anew.',
	],
	options: {
		via: {
			value: 'WAY',
			oneOf: ['direct', 'proxy'],
			about: 'direct or proxy (default: direct where that answers within a second)',
		},
		key: {value: 'FILE', short: 'i', about: 'the private key to use'},
		print: {about: 'print the command instead'},
	},
	run,
};

type InstanceLocation = Extract<FileLocation, {kind: 'instance'}>;

async function run(context: Context): Promise<number> {
	const [from, to, ...others] = context.words;
	if (from === undefined || to === undefined || others.length > 0) {
		throw new UsageError(
			'rentty cp needs a source and a destination: rentty cp 7:/workspace/x ./x.',
		);
	}
	const [source, target] = [parseFileLocation(from), parseFileLocation(to)];
	if (source.kind === 'here' && target.kind === 'here') {
		throw new UsageError('Both paths are on this machine: cp copies those. 7:/x is in instance 7.');
	}
	if (source.kind === 'instance' && target.kind === 'here') {
		return copyOver(context, {there: source, here: target.path, isUpload: false});
	}
	if (source.kind === 'here' && target.kind === 'instance') {
		return copyOver(context, {there: target, here: source.path, isUpload: true});
	}
	if (source.kind !== 'here' && target.kind !== 'here') {
		return copyBetween(context, source, target);
	}
	throw new UsageError(
		'rentty cp takes nothing from this machine to a volume, or back: name an instance that has it.',
	);
}

type Copy = {readonly there: InstanceLocation; readonly here: string; readonly isUpload: boolean};

async function copyOver(context: Context, copy: Copy): Promise<number> {
	const {there, isUpload} = copy;
	if (isUpload) refuseUpload(copy);
	const client = await context.client();
	const instances = await findNamedInstances(context, client, [there.name]);
	const [only, ...others] = instances;
	if (only !== undefined && others.length === 0) {
		return copyOne(context, copy, {
			client,
			instance: only,
			location: `${there.name}:${there.path}`,
		});
	}
	if (!isUpload) throw severalError(there.name, instances);
	const codes: ExitCode[] = [];
	for (const instance of instances) {
		const location = `${instance.id}:${there.path}`;
		try {
			// oxlint-disable-next-line no-await-in-loop -- they share the line that goes out of this machine
			codes.push(await copyOne(context, copy, {client, instance, location}));
		} catch (error) {
			context.signal.throwIfAborted();
			context.output.say(`rentty: ${instanceName(instance)}: ${failureMessage(error)}`);
			codes.push(exitCodeOf(error));
		}
	}
	return exitCodeOfAll(codes);
}

function severalError(name: string, instances: readonly Instance[]): UsageError {
	const ids = instances.map(({id}) => id).join(', ');
	return new UsageError(
		`${name} means several instances, and their files would replace each other: say which of ${ids}.`,
	);
}

type Way = {
	readonly client: Client;
	readonly instance: Instance;
	/** Instance and path in words. */
	readonly location: string;
};

async function copyOne(context: Context, copy: Copy, way: Way): Promise<ExitCode> {
	const {environment, signal, output, isJson, isGiven} = context;
	const {there, here, isUpload} = copy;
	const {client, instance, location} = way;
	const {route, known} = await wayInto(context, instance);
	const transfer: FileTransfer = {
		isUpload,
		local: here,
		remote: there.path,
		known,
		identities: await keyFiles(context, client, instance),
		settings: [
			...(isGiven('key') ? ['IdentitiesOnly=yes'] : []),
			...(output.ask === undefined ? ['BatchMode=yes'] : []),
		],
	};
	if (isGiven('print')) {
		output.text(shellText(rsyncFor(route, transfer)));
		return exitCodes.fine;
	}
	const show = progressOf(context);
	const copying = copyFiles(route, transfer, {
		environment,
		signal,
		onProgress: show,
		printLine(line) {
			output.progress?.('');
			output.say(line);
		},
	});
	const {program, breaks, problem} = await copying.finally(() => output.progress?.(''));
	const [from, to] = isUpload ? [here, location] : [location, here];
	if (problem !== undefined) {
		throw new CommandError(
			exitCodes.failed,
			`${from} was not copied to ${to}: ${problem}. The same command goes on where it was.`,
		);
	}
	if (isUpload && (await isLost({instance, route, transfer, known, signal}))) {
		throw new CommandError(
			exitCodes.failed,
			`${from} was copied to ${to}, and a new session there does not see it: that place lasts only as long as a session. Copy it to /workspace/, or to the home folder.`,
		);
	}
	if (isJson) output.json({source: from, destination: to, program, breaks});
	else output.line(`Copied ${from} to ${to}.`);
	return exitCodes.fine;
}

type LossCheck = {
	readonly instance: Instance;
	readonly route: SshRoute;
	readonly transfer: FileTransfer;
	readonly known: KnownHosts;
	readonly signal: AbortSignal;
};

/** Folders that last; a path without a slash before it is in the home folder. */
const lasting = /^(?:[^/]|\/(?:workspace|root|home)(?:\/|$))/;

const CHECK_MS = 15_000;

/** True for a copy that a new session does not find: in a sandbox most folders end with their session. */
async function isLost({
	instance,
	route,
	transfer,
	known: files,
	signal,
}: LossCheck): Promise<boolean> {
	const {local, remote, identities = []} = transfer;
	if (lasting.test(remote)) return false;
	const target = execTarget(instance, route, {known: () => files, identities});
	const name = /\/\.?$/.test(local) ? (readdirSync(local)[0] ?? '') : basename(local);
	const tests = [
		['-f', remote],
		['-e', `${remote}/${name}`],
	].map(args => shellText({program: 'test', args}));
	const script = tests.join(' || ');
	const [row] = await execInAll([target], script, {atOnce: 1, limitMs: CHECK_MS, signal}).done;
	signal.throwIfAborted();
	return row?.state === 'ended' && row.exitCode === 1;
}

const POLL_MS = 2000;

type ServiceLocation = Exclude<FileLocation, {kind: 'here'}>;

/** Has the service copy, and waits until the status of the target says the end. */
async function copyBetween(
	context: Context,
	source: ServiceLocation,
	target: ServiceLocation,
): Promise<number> {
	const {signal, output, isJson, isGiven, words} = context;
	if (isGiven('print')) {
		throw new UsageError('Between instances no command of this machine copies: leave out --print.');
	}
	const client = await context.changer();
	const from = await findCopyPath(context, client, source);
	const to = await findCopyPath(context, client, target);
	await client.copies.start(from, to, {signal});
	let printed = '';
	const end = await pollUntil({
		everyMs: POLL_MS,
		signal,
		async ask() {
			const status = await readStatus(client, to, signal);
			const isUnderWay = status.startsWith('Copying');
			if (!isUnderWay) return status;
			if (output.progress !== undefined && !isJson) output.progress(status);
			else if (status !== printed) output.say(status);
			printed = status;
			return undefined;
		},
	}).finally(() => output.progress?.(''));
	const [a = '', b = ''] = words;
	if (end.startsWith('Copy failed') || end.startsWith('Copy cancelled')) {
		throw new CommandError(exitCodes.failed, `${a} was not copied to ${b}: ${end}`);
	}
	if (isJson) output.json({source: a, destination: b, program: 'host', message: end});
	else if (end.startsWith('Copy done')) output.line(`Copied ${a} to ${b}.`);
	else output.line(`The service copies ${a} to ${b}: rentty ps shows how far it is.`);
	return exitCodes.fine;
}

async function findCopyPath(
	context: Context,
	client: Client,
	location: ServiceLocation,
): Promise<CopyPath> {
	const {kind, path} = location;
	const {signal} = context;
	if (kind === 'instance') {
		const instances = await findNamedInstances(context, client, [location.name]);
		const [only, ...others] = instances;
		if (only === undefined || others.length > 0) throw severalError(location.name, instances);
		return {kind, id: only.id, path};
	}
	const {volumes} = await client.volumes.list({signal});
	if (volumes.some(volume => volume.id === location.id)) return {kind, id: location.id, path};
	throw new CommandError(exitCodes.notFound, `There is no volume V.${location.id}.`);
}

/** Reads the status of a copy's target; one that is gone has no copy that goes on. */
async function readStatus(client: Client, to: CopyPath, signal: AbortSignal): Promise<string> {
	const isInstance = to.kind === 'instance';
	const target = isInstance
		? await client.instances.show(to.id, {signal})
		: (await client.volumes.list({signal})).volumes.find(({id}) => id === to.id);
	if (target !== undefined) return target.status_msg ?? '';
	return `Copy failed: ${isInstance ? `instance ${to.id}` : `V.${to.id}`} is gone.`;
}

function refuseUpload({there: {path}, here}: Copy): void {
	if (!existsSync(here)) throw new CommandError(exitCodes.notFound, `There is no ${here} here.`);
	const isContents = here.endsWith('/') || here.endsWith('/.') || here === '.' || here === '..';
	// The remote folder gets the permissions of the local one, with which SSH refuses every login.
	if (isContents && /^(?:|\/root|~)\/*$/.test(path)) {
		throw new UsageError(
			`${path} would get the rights of ${here}, and may shut you out: name a folder in it.`,
		);
	}
}

/** Shows progress on a terminal at once, elsewhere at each tenth. */
function progressOf({output, isJson}: Context): (progress: CopyProgress) => void {
	let told = 0;
	return ({bytes, percent, speed, left}) => {
		const text = `${percent} %  ${sizeOf(bytes)}  ${speed}  ${left} left`;
		if (output.progress !== undefined && !isJson) return output.progress(text, percent);
		if (percent - told < 10) return undefined;
		told = percent;
		if (isJson) return output.json({percent, bytes, speed});
		return output.say(text);
	};
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

function sizeOf(bytes: number): string {
	const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
	const value = bytes / 1000 ** at;
	return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`;
}
