/** `rentty man`: the manual, which is part of rentty. */
import {spawn} from 'node:child_process';
import {UsageError} from '../renter/text/usage-error.ts';
import type {Command} from './base/command.ts';
import {readBundled} from './base/bundled-files.ts';
import {exitCodes} from './base/failure.ts';

export const man: Command = {
	name: 'man',
	summary: 'show the manual, or the licences of what is inside',
	takes: '[licences]',
	isAlone: true,
	about: [
		'Shows the manual; in a pipe it is text.',
		'rentty man licences prints the licences of all that rentty is made of.',
	],
	options: {},
	async run({words: [word, ...others], output, signal}) {
		if (others.length > 0 || (word !== undefined && word !== 'licences')) {
			throw new UsageError('rentty man takes nothing, or licences.');
		}
		if (word === 'licences') output.text(readBundled('licences.txt').trimEnd());
		else {
			const page = readBundled('rentty.1');
			if (!output.isTerminal || !(await showPage(page, signal))) output.text(plainPage(page));
		}
		return exitCodes.fine;
	},
};

/** Has man show the page; false if it is not installed. */
async function showPage(page: string, signal: AbortSignal): Promise<boolean> {
	return new Promise(done => {
		const child = spawn('man', ['-l', '-'], {stdio: ['pipe', 'inherit', 'ignore'], signal});
		child.on('error', () => done(false));
		child.on('close', code => done(code === 0));
		child.stdin.on('error', () => undefined);
		child.stdin.end(page);
	});
}

/** The page without roff's macros. */
function plainPage(page: string): string {
	const lines = page.split('\n').flatMap(line => {
		if (/^\.(?:TH|TP|br)\b/.test(line)) return [];
		const title = /^\.S[HS] (?<title>.*)$/.exec(line)?.groups?.['title'];
		return [title === undefined ? `  ${line.replace(/^\.B /, '')}` : `\n${title}`];
	});
	return lines
		.join('\n')
		.replaceAll(String.raw`\&`, '')
		.replaceAll(String.raw`\-`, '-')
		.replaceAll(String.raw`\e`, '\\')
		.trim();
}
