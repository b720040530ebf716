/** Checks of this machine: Node, a terminal, SSH, a sandbox. */
import {execFile} from 'node:child_process';
import process from 'node:process';
import type {Context} from './command.ts';
import type {Finding} from './doctor-service.ts';

export async function checkMachine(context: Context): Promise<readonly Finding[]> {
	return [
		checkNode(context),
		checkTerminal(context),
		await checkSsh(context),
		await checkAgent(context),
		await checkSandbox(context),
	];
}

const LEAST_NODE = 26;

function checkNode({version}: Context): Finding {
	const says = `rentty ${version} on Node ${process.versions.node}`;
	const [major = '0'] = process.versions.node.split('.');
	if (Number(major) >= LEAST_NODE) return {about: 'program', verdict: 'ok', says};
	const advice = `Install Node ${LEAST_NODE} or newer`;
	return {about: 'program', verdict: 'wrong', says, advice};
}

/** Smallest terminal in which the console shows a screen. */
export const LEAST = {columns: 48, rows: 14} as const;

function checkTerminal({environment, output}: Context): Finding {
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

async function checkSsh({signal}: Context): Promise<Finding> {
	const {text, code} = await ask('ssh', ['-V'], signal);
	const [said = ''] = text?.split(',') ?? [];
	if (code === 0) return {about: 'ssh', verdict: 'ok', says: said};
	const advice = 'Install OpenSSH: without it, nothing can be entered from here';
	const says = text === undefined ? 'ssh is not installed' : `ssh does not start: ${said}`;
	return {about: 'ssh', verdict: 'wrong', says, ...(text === undefined && {advice})};
}

async function checkAgent({environment, signal}: Context): Promise<Finding> {
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

/** It matters to who offers this machine alone. */
async function checkSandbox({signal}: Context): Promise<Finding> {
	const {text} = await ask('bwrap', ['--version'], signal);
	if (text !== undefined) return {about: 'sandbox', verdict: 'ok', says: text};
	return {
		about: 'sandbox',
		verdict: 'note',
		says: 'bubblewrap is not installed: practice instances run without a sandbox',
	};
}

type Said = {readonly text: string | undefined; readonly code: number | undefined};

/** Output of a program on both streams; undefined where the program is missing. */
async function ask(program: string, args: readonly string[], signal: AbortSignal): Promise<Said> {
	return new Promise(resolve => {
		execFile(program, args, {timeout: 3000, signal}, (error, stdout, stderr) => {
			const isMissing = error !== null && error.code === 'ENOENT';
			const text = isMissing ? undefined : (stdout + stderr).trim();
			const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
			resolve({text, code});
		});
	});
}
