/** `rentty host install`, `status`, `logs` and `upgrade`: the agent as a service of systemd. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import process from 'node:process';
import {createInterface} from 'node:readline';
import {harmlessLine} from '../../contract/grammar/harmless-text.ts';
import {readNamedFile, UsageError} from '../../renter/text/usage-error.ts';
import {parseApiKey} from '../../renter/profiles/target.ts';
import {ownProgram} from '../../host/base/programs.ts';
import {readHostCommand} from './options.ts';
import {unitOf, userOf} from './unit.ts';
import {helpFlag, usageText} from '../base/help-text.ts';
import {joinValues, readFlags} from '../base/options.ts';
import {openLineWriter} from '../base/output.ts';

const flags = {
	service: {
		type: 'string',
		value: 'NAME',
		about: 'name of the unit, its user and its folder (default rentty-host)',
	},
	'as-root': {type: 'boolean', about: 'run as root, which limits disks of sandboxes too'},
	print: {type: 'boolean', about: 'print the unit, and change nothing'},
	lines: {type: 'string', value: 'N', about: 'lines of the log (default 100)'},
	follow: {type: 'boolean', about: 'go on as lines come'},
	from: {type: 'string', value: 'PLACE', about: 'the URL or folder of a release'},
	...helpFlag,
} as const;

const serviceUsage = usageText(
	`Usage: rentty host install --market URL --key-file FILE [options of rentty host]
       rentty host status | logs [--lines N] [--follow] | upgrade [--from PLACE]

Has systemd run the agent, from the start of the machine on, and again when it ends. install writes the
unit, makes a user for it, and starts it; upgrade replaces rentty and restarts the agent, while what is
rented goes on. They need root; status and logs need whoever may read the journal.`,
	flags,
);

/** Paths of units, users and the program on a machine; tests name their own. */
type System = {
	readonly units: string;
	readonly users: string;
	/** Program and first arguments that start rentty. */
	readonly program: readonly string[];
	readonly isRoot: boolean;
};

const thisSystem = (): System => ({
	units: '/etc/systemd/system',
	users: '/etc/sysusers.d',
	program: ownProgram(),
	isRoot: process.getuid?.() === 0,
});

/** Runs the word after `rentty host`, and returns the exit code; undefined for another word. */
export async function runServiceWord(
	[word = '', ...rest]: readonly string[],
	system: System = thisSystem(),
): Promise<number | undefined> {
	if (!['install', 'status', 'logs', 'upgrade'].includes(word)) return undefined;
	if (word === 'install') return install(rest, system);
	const values = readFlags(rest, flags, `rentty host ${word}`);
	if (values.help === true) return help();
	const unit = `${serviceNamed(values.service)}.service`;
	if (word === 'status') return run(['systemctl', 'status', '--no-pager', '--lines=0', unit]);
	if (word === 'upgrade') return upgrade(unit, values.from, system);
	const lines = values.lines ?? '100';
	if (!/^\d{1,6}$/.test(lines)) throw new UsageError('--lines takes a whole number.');
	const follow = values.follow === true ? ['--follow'] : [];
	return run([
		'journalctl',
		'--no-pager',
		'--output=cat',
		`--unit=${unit}`,
		`--lines=${lines}`,
		...follow,
	]);
}

function help(): number {
	process.stdout.write(serviceUsage);
	return 0;
}

function serviceNamed(name = 'rentty-host'): string {
	if (/^[a-z][a-z\d-]{0,30}$/.test(name)) return name;
	throw new UsageError('--service takes small letters, digits and dashes.');
}

function isOwn(word: string): boolean {
	return ['--as-root', '--print', '--help', '-h'].includes(word) || word.startsWith('--service=');
}

/** Writes the unit and its user, and starts it, also where it runs already. */
async function install(argv: readonly string[], system: System): Promise<number> {
	const given = [...joinValues(argv, flags)];
	const words = given.filter(word => !isOwn(word));
	const values = readFlags(given.filter(isOwn), flags, 'rentty host install');
	const service = serviceNamed(values.service);
	// The agent's own options are refused here rather than at each start.
	const command = values.help === true ? 'help' : readHostCommand(words, `/var/lib/${service}`);
	if (command === 'help') return help();
	const {keyFile, caFile, runtime} = command;
	const isRoot = values['as-root'] === true;
	const unit = unitOf({
		program: system.program,
		args: agentArguments(words),
		keyFile: resolve(keyFile),
		caFile: caFile === undefined ? undefined : resolve(caFile),
		service,
		isRoot,
		groups: isRoot ? [] : groupsFor(runtime),
	});
	if (values.print === true) {
		process.stdout.write(unit);
		return 0;
	}
	if (!system.isRoot) throw new UsageError('rentty host install needs root, or --print.');
	parseApiKey(keyFile, readNamedFile(keyFile));
	const {units, users} = system;
	if (!isRoot) {
		const file = join(users, `${service}.conf`);
		await mkdir(users, {recursive: true});
		await writeFile(file, userOf(service));
		await needed(['systemd-sysusers', file]);
	}
	const file = join(units, `${service}.service`);
	await writeFile(file, unit);
	await needed(['systemctl', 'daemon-reload']);
	await needed(['systemctl', 'enable', `${service}.service`]);
	await needed(['systemctl', 'restart', `${service}.service`]);
	const say = openLineWriter(process.stdout);
	say(`${file} is written, and the agent started: rentty host status and logs say how it is.`);
	return 0;
}

/** Words without those that the unit sets itself. */
function agentArguments(words: readonly string[]): readonly string[] {
	const pairs = ['--key-file', '--ca', '--folder'];
	return words.filter((word, index) => {
		const isValue = pairs.includes(words[index - 1] ?? '');
		return !isValue && !pairs.some(pair => word === pair || word.startsWith(`${pair}=`));
	});
}

/** Groups that have GPUs, or the engine of containers, where this machine has them. */
function groupsFor(runtime: string): readonly string[] {
	const known = existsSync('/etc/group') ? readFileSync('/etc/group', 'utf8') : '';
	const wanted = ['video', 'render', ...(runtime === 'container' ? ['docker'] : [])];
	return wanted.filter(name => new RegExp(`^${name}:`, 'm').test(known));
}

/** Replaces rentty, and restarts the agent: instances go on, and are found again. */
async function upgrade(unit: string, from: string | undefined, {program}: System): Promise<number> {
	const source = from === undefined ? [] : ['--from', from];
	const code = await run([...program, 'upgrade', '--yes', ...source]);
	if (code !== 0) return code;
	await needed(['systemctl', 'restart', unit]);
	openLineWriter(process.stdout)('The agent is restarted. What is rented goes on.');
	return 0;
}

/** @throws Error if a program fails */
async function needed(words: readonly string[]): Promise<void> {
	const code = await run(words);
	if (code !== 0) throw new Error(`${words.join(' ')} failed (${code}).`);
}

/** Runs a program without a shell, prints what it says, and returns its exit code. */
async function run([program = '', ...words]: readonly string[]): Promise<number> {
	const child = spawn(program, words, {stdio: ['ignore', 'pipe', 'inherit']});
	const ended = once(child, 'close').catch((cause: unknown) => {
		throw new Error(`${program} cannot be run: systemd is needed for it.`, {cause});
	});
	for await (const line of createInterface(child.stdout))
		process.stdout.write(`${harmlessLine(line)}\n`);
	await ended;
	return child.exitCode ?? 1;
}
