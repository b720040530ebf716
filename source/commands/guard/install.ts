/** `rentty guard install`: has systemd start the guard with its user, or cron if there is no systemd. */
import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import process from 'node:process';
import {harmlessLine} from '../../contract/grammar/harmless-text.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {replaceFile} from '../../client/files/files.ts';
import {type Context, getConsent} from '../base/command.ts';
import {isSingleFile} from '../base/bundled-files.ts';
import {CommandError, exitCodes} from '../base/failure.ts';
import {servicesOf} from './run.ts';

const UNIT = 'rentty-guard.service';

export async function installGuard(context: Context): Promise<number> {
	const services = servicesOf(context);
	if (services.some(({url}) => url === undefined)) {
		throw new UsageError('The practice market needs no guard: --profiles names services.');
	}
	const command = guardCommand(context.textOf('profiles') ?? services[0]?.name ?? '');
	const hasSystemd = (await runTool('systemctl', ['--version'], context)) !== undefined;
	return hasSystemd ? installUnit(context, command) : installCron(context, command);
}

/** The command that runs this program, by absolute paths. */
function guardCommand(profiles: string): readonly string[] {
	return [...ownProgram(), 'guard', 'run', '--profiles', profiles];
}

function ownProgram(): readonly string[] {
	if (isSingleFile()) return [process.execPath];
	const script = resolve(process.argv[1] ?? '');
	const program = join(dirname(script), '..', 'bin', 'rentty');
	return existsSync(program) ? [program] : [process.execPath, script];
}

/** The unit for systemd. The program's name is an argument, which may have any characters. */
export function unitText(command: readonly string[], folders: Context['folders']): string {
	const words = command.map(word => quotedWord(word).replaceAll('$', '$$$$')).join(' ');
	const variables = variablesOf(folders).map(one => `Environment=${quotedWord(one)}`);
	return `[Unit]
Description=rentty guard: ends rented instances when their leases end
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
ExecStart=/usr/bin/env ${words}
Restart=always
RestartSec=10
MemoryMax=200M
${variables.join('\n')}

[Install]
WantedBy=default.target
`;
}

/** Variables by which the guard finds the folders of whoever installs it. */
function variablesOf({settings, state}: Context['folders']): readonly string[] {
	return [`XDG_CONFIG_HOME=${dirname(settings)}`, `XDG_STATE_HOME=${dirname(state)}`];
}

function quotedWord(word: string): string {
	const escaped = word.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`);
	return `"${escaped.replaceAll('%', '%%')}"`;
}

async function installUnit(context: Context, command: readonly string[]): Promise<number> {
	const {output, folders} = context;
	const file = join(dirname(folders.settings), 'systemd', 'user', UNIT);
	const text = unitText(command, folders);
	await getConsent(context, {lines: [file, '', ...text.split('\n')], question: 'Write it?'});
	await replaceFile(file, text, {mode: 0o644});
	const verified = await runTool('systemd-analyze', ['--user', 'verify', file], context);
	output.line(file);
	if (verified === false) output.say('rentty: systemd-analyze verify finds fault with it.');
	const isReloaded = await runTool('systemctl', ['--user', 'daemon-reload'], context);
	const isStarted =
		isReloaded === true &&
		(await runTool('systemctl', ['--user', 'enable', '--now', UNIT], context));
	output.say(
		isStarted === true
			? 'rentty: The guard runs, and starts when you log in.'
			: `rentty: Start it with: systemctl --user enable --now ${UNIT}`,
	);
	output.say('rentty: So that it runs while you are logged out: loginctl enable-linger');
	return exitCodes.fine;
}

/** A line for cron, every five minutes; a guard that is running already makes the new one end. */
export function cronLine(command: readonly string[], folders: Context['folders']): string {
	const words = [...variablesOf(folders), ...command].map(
		word => `'${word.replaceAll("'", String.raw`'\''`)}'`,
	);
	return `*/5 * * * * env ${words.join(' ').replaceAll('%', String.raw`\%`)} --alone >/dev/null 2>&1`;
}

async function installCron(context: Context, command: readonly string[]): Promise<number> {
	const line = cronLine(command, context.folders);
	await getConsent(context, {lines: [line], question: 'Add this line to your crontab?'});
	const lines = (await readCrontab(line)).split(/(?<=\n)/);
	const others = lines.filter(old => !isGuardLine(old)).join('');
	const end = others === '' || others.endsWith('\n') ? '' : '\n';
	const table = Buffer.concat([Buffer.from(others + end, 'latin1'), Buffer.from(`${line}\n`)]);
	const done = await runTool('crontab', ['-'], context, table);
	if (done !== true) {
		const message = `There is neither systemd nor cron here. A line for another scheduler: ${line}`;
		throw new CommandError(exitCodes.failed, message);
	}
	context.output.line(line);
	return exitCodes.fine;
}

/**
 * The user's crontab, a character for each byte; empty without one.
 *
 * @throws CommandError if it cannot be read: it would be lost
 */
async function readCrontab(line: string): Promise<string> {
	const {code, out, err} = await outputOf('crontab', ['-l']);
	if (code === 0) return out;
	const isNone = code === undefined || /no f?crontab|no such file/i.test(err);
	if (isNone) return '';
	const why = harmlessLine(err.trim()) || 'it says nothing';
	const message = `crontab -l failed (${why}), so your crontab is not replaced. Nothing was changed. A line for it: ${line}`;
	throw new CommandError(exitCodes.failed, message);
}

function isGuardLine(line: string): boolean {
	return line.includes("'guard' 'run'") && line.includes('--alone');
}

/** True if a program succeeded; undefined if it is not installed. */
async function runTool(
	program: string,
	args: readonly string[],
	{signal}: Pick<Context, 'signal'>,
	input: string | Buffer = '',
): Promise<boolean | undefined> {
	return new Promise(done => {
		const child = spawn(program, args, {stdio: ['pipe', 'ignore', 'ignore'], signal});
		child.on('error', () => done(undefined));
		child.on('close', code => done(code === 0));
		child.stdin.on('error', () => undefined);
		child.stdin.end(input);
	});
}

/** Output of a program in plain English; its code is undefined if it is not installed. */
async function outputOf(program: string, args: readonly string[]) {
	const {promise, resolve: end} = Promise.withResolvers<{
		readonly code: number | null | undefined;
		readonly out: string;
		readonly err: string;
	}>();
	const env = {...process.env, LC_ALL: 'C'};
	const child = spawn(program, args, {stdio: ['ignore', 'pipe', 'pipe'], env});
	let [out, err] = ['', ''];
	child.stdout.setEncoding('latin1').on('data', (text: string) => (out += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
	child.on('error', () => end({code: undefined, out, err}));
	child.on('close', code => end({code, out, err}));
	return promise;
}
