/** `rentty doctor`: checks what rentty needs, and says how to repair it. */
import {execFile} from 'node:child_process';
import process from 'node:process';
import {accessSync, constants, existsSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {type Context, type Command, refuseArguments} from '../base/command.ts';
import {type DoctorFinding, checkService} from './service.ts';
import {sentence} from '../../renter/text/format.ts';
import {exitCodes} from '../base/failure.ts';

export const doctor: Command = {
	name: 'doctor',
	summary: 'look at instances against their order; without names, at what rentty needs',
	takes: '[NAMES…]',
	names: 'instances',
	about: [
		'Examines instances over SSH: their GPUs (model, count, memory, PCIe, heat, power, clock, ECC, Xid,',
		'NVLink), driver and CUDA, disk, line, memory, processors, clock, against what they were rented as.',
		'The verdict is AS ORDERED, WORN (it works, and something wants to be watched), NOT AS ORDERED,',
		'FAILING (hardware is broken) or NOT KNOWN. It takes some ten seconds and leaves nothing behind: the',
		'disk is measured with half a GB that is removed at once, the line with 32 MB each way. Ends with 0',
		'where nothing is missing, with 9 where something is, and with 1 where nobody was let in.',
		'',
		'Without names it looks at all that rentty needs here, and says what to do about what is wrong. It',
		'changes nothing, and asks the service for things that harm nobody: an offer, the instances, the',
		'templates.',
	],
	options: {
		quick: {about: 'leave out the speed of disk and line'},
		from: {value: 'URL', about: 'measure what the instance downloads from there, for 10 s at most'},
		files: {about: 'list what rentty keeps for you, which stays where rentty is removed'},
	},
	run,
};

async function run(context: Context): Promise<number> {
	const {output, isJson, isGiven, words} = context;
	if (isGiven('files')) refuseArguments('doctor --files', context);
	if (isGiven('files')) return listFiles(context);
	if (words.length > 0) return (await import('./instances.ts')).examineAll(context);
	const checks = [checkMachine(context), checkFiles(context), checkService(context)];
	const findings = (await Promise.all(checks)).flat();
	for (const {about, verdict, says, advice} of findings) {
		if (isJson) output.json({about, verdict, says, advice: advice ?? null});
		else {
			output.line(`${verdict.padEnd(5)} ${about.padEnd(10)} ${sentence(says)}`);
			if (advice !== undefined) output.line(`${' '.repeat(17)}${sentence(advice)}`);
		}
	}
	const wrong = findings.filter(({verdict}) => verdict === 'wrong');
	const [first] = wrong;
	return first === undefined ? exitCodes.fine : (first.exitCode ?? exitCodes.failed);
}

async function checkFiles(context: Context): Promise<readonly DoctorFinding[]> {
	const {folders} = context;
	return [
		checkSettings(context),
		...checkKeyFile(context),
		checkFolder('data', folders.data),
		checkFolder('state', folders.state),
		...checkSecrets(join(folders.settings, 'profiles.json')),
		...checkSecrets(join(folders.data, 'practice', 'key')),
	];
}

function checkSettings({settingsProblem, folders}: Context): DoctorFinding {
	const about = 'settings';
	const file = join(folders.settings, 'settings.json');
	if (settingsProblem !== undefined) {
		return {about, verdict: 'wrong', says: settingsProblem, advice: 'Mend that line'};
	}
	const says = existsSync(file) ? file : `the usual ones: there is no ${file}`;
	return {about, verdict: 'ok', says};
}

function checkKeyFile({service}: Context): readonly DoctorFinding[] {
	try {
		const {keyFile} = service();
		return keyFile === undefined ? [] : checkSecrets(keyFile);
	} catch {
		// The check of the service reports its trouble.
		return [];
	}
}

/** Finding about a file that other users must not read. */
function checkSecrets(file: string): readonly DoctorFinding[] {
	const mode = statSync(file, {throwIfNoEntry: false})?.mode;
	if (mode === undefined) return [];
	const says = `${file} can be read by its owner alone`;
	if ((mode & 0o077) === 0) return [{about: 'secret', verdict: 'ok', says}];
	return [
		{
			about: 'secret',
			verdict: 'wrong',
			says: `others can read ${file}`,
			advice: `chmod 600 ${file}`,
		},
	];
}

function checkFolder(about: string, folder: string): DoctorFinding {
	const mode = statSync(folder, {throwIfNoEntry: false})?.mode;
	const there = nearestFolder(folder);
	try {
		accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK);
	} catch {
		const advice = `Make ${there} writable, or name another folder: XDG_DATA_HOME, XDG_STATE_HOME`;
		return {about, verdict: 'wrong', says: `${folder} cannot be written`, advice};
	}
	if (mode === undefined)
		return {about, verdict: 'ok', says: `${folder} is made when it is needed`};
	if ((mode & 0o022) === 0) return {about, verdict: 'ok', says: folder};
	return {
		about,
		verdict: 'wrong',
		says: `others can write to ${folder}`,
		advice: `chmod 700 ${folder}`,
	};
}

/** A folder, or the nearest existing one above it. */
function nearestFolder(folder: string): string {
	return existsSync(folder) || folder === '/' ? folder : nearestFolder(dirname(folder));
}

function listFiles({folders, output, isJson}: Context): number {
	const {settings, data, state, cache} = folders;
	const places = [
		[settings, 'settings, profiles with their keys, alerts, budgets'],
		[join(data, 'practice'), 'the practice market, with what was rented there'],
		[join(data, 'host'), 'what others rented on this machine'],
		[
			state,
			'the journal of changes, rents under way, keys of instances, known hosts, what was typed',
		],
		[cache, 'what can be made again'],
		[join(dirname(settings), 'systemd', 'user', 'rentty-guard.service'), 'what starts the guard'],
	] as const;
	for (const [place, about] of places.filter(([file]) => existsSync(file))) {
		if (isJson) output.json({place, about});
		else output.line(place, about);
	}
	return exitCodes.fine;
}

/** Node, a terminal, SSH, a sandbox. */
async function checkMachine(context: Context): Promise<readonly DoctorFinding[]> {
	return [
		checkNode(context),
		checkTerminal(context),
		await checkSsh(context),
		await checkAgent(context),
		await checkSandbox(context),
	];
}

const LEAST_NODE = 26;

function checkNode({version}: Context): DoctorFinding {
	const says = `rentty ${version} on Node ${process.versions.node}`;
	const [major = '0'] = process.versions.node.split('.');
	if (Number(major) >= LEAST_NODE) return {about: 'program', verdict: 'ok', says};
	const advice = `Install Node ${LEAST_NODE} or newer`;
	return {about: 'program', verdict: 'wrong', says, advice};
}

/** Smallest terminal in which the console shows a screen. */
export const LEAST = {columns: 48, rows: 14} as const;

function checkTerminal({environment, output}: Context): DoctorFinding {
	const about = 'terminal';
	const term = environment['TERM'] ?? '';
	const locale = [environment['LC_ALL'], environment['LC_CTYPE'], environment['LANG']].find(
		name => name !== undefined && name !== '',
	);
	if (!output.isTerminal)
		return {
			about,
			verdict: 'note',
			says: 'standard output is none, so the console cannot be shown there',
		};
	if (term === '' || term === 'dumb') {
		const advice = 'Set TERM to what the terminal is, such as xterm-256color';
		return {about, verdict: 'wrong', says: `TERM is ${term === '' ? 'not set' : term}`, advice};
	}
	const {columns, rows} = process.stdout;
	const size = `${columns}x${rows}`;
	if (columns < LEAST.columns || rows < LEAST.rows) {
		return {
			about,
			verdict: 'wrong',
			says: `${term}, ${size}`,
			advice: `Make it at least ${LEAST.columns}x${LEAST.rows}`,
		};
	}
	const isUtf8 = /utf-?8/i.test(locale ?? '');
	if (!isUtf8) {
		const advice = 'Set LANG to a UTF-8 locale, or "glyphs": "ascii" in the settings';
		return {about, verdict: 'note', says: `${term}, ${size}, and the locale is not UTF-8`, advice};
	}
	return {about, verdict: 'ok', says: `${term}, ${size}, UTF-8`};
}

async function checkSsh({signal}: Context): Promise<DoctorFinding> {
	const {text, code} = await ask('ssh', ['-V'], signal);
	const [version = ''] = text?.split(',') ?? [];
	if (code === 0) return {about: 'ssh', verdict: 'ok', says: version};
	const advice = 'Install OpenSSH: without it, nothing can be entered from here';
	const says = text === undefined ? 'ssh is not installed' : `ssh does not start: ${version}`;
	return {about: 'ssh', verdict: 'wrong', says, ...(text === undefined && {advice})};
}

async function checkAgent({environment, signal}: Context): Promise<DoctorFinding> {
	const about = 'ssh agent';
	if (environment['SSH_AUTH_SOCK'] === undefined) {
		return {
			about,
			verdict: 'note',
			says: 'none runs; keys with a passphrase are asked for each time',
		};
	}
	const {text, code} = await ask('ssh-add', ['-l'], signal);
	if (code === 0 && text !== undefined) {
		return {about, verdict: 'ok', says: `${text.split('\n').length} keys in it`};
	}
	const advice = 'ssh-add puts your key in';
	const says = code === 1 ? 'it holds no keys' : 'it does not answer';
	return {about, verdict: 'note', says, advice};
}

/** A sandbox matters only to providers of this machine. */
async function checkSandbox({signal}: Context): Promise<DoctorFinding> {
	const {text} = await ask('bwrap', ['--version'], signal);
	if (text !== undefined) return {about: 'sandbox', verdict: 'ok', says: text};
	return {
		about: 'sandbox',
		verdict: 'note',
		says: 'bubblewrap is not installed: practice instances run without a sandbox',
	};
}

type ProgramOutput = {readonly text: string | undefined; readonly code: number | undefined};

/** Output of a program on both streams; undefined if the program is missing. */
async function ask(
	program: string,
	args: readonly string[],
	signal: AbortSignal,
): Promise<ProgramOutput> {
	return new Promise(resolve => {
		execFile(program, args, {timeout: 3000, signal}, (error, stdout, stderr) => {
			const isMissing = error !== null && error.code === 'ENOENT';
			const text = isMissing ? undefined : (stdout + stderr).trim();
			const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
			resolve({text, code});
		});
	});
}
