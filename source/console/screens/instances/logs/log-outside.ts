/** Logs for other programs: a pager, or a file that is kept. */
import {homeFolder} from '../../../../renter/files/folders.ts';
import {fileTrouble} from '../../../../contract/rules/file-trouble.ts';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import type {Services} from '../../../services/services.tsx';
import type {LogLine} from './log-lines.ts';

type Given = Pick<Services['terminal'], 'aside' | 'environment'> & {
	readonly lines: readonly LogLine[];
	/** The file's name. */
	readonly name: string;
};

/** Shows the lines in the user's pager; what went wrong, as a sentence. */
export async function openPager({
	aside,
	environment,
	lines,
	name,
}: Given): Promise<string | undefined> {
	const said = (environment['PAGER'] ?? '').trim();
	const [program = 'less', ...args] = said === '' ? ['less'] : said.split(/\s+/);
	let folder: string | undefined;
	try {
		// Its mode is 0700, and the name cannot be guessed.
		folder = await mkdtemp(join(tmpdir(), 'rentty-'));
		const file = join(folder, `${name}.log`);
		await writeFile(file, textOf(lines), {mode: 0o600, flag: 'wx'});
		const ended = await aside({program, args: [...args, file]});
		return ended.kind === 'notStarted' ? `${program} was not started: ${ended.reason}.` : undefined;
	} catch (error) {
		return `They cannot be shown elsewhere: ${fileTrouble(error)}.`;
	} finally {
		if (folder !== undefined) await rm(folder, {recursive: true, force: true});
	}
}

/** Writes the lines to a file that is not there yet. */
export async function saveLogs(
	lines: readonly LogLine[],
	name: string,
): Promise<{readonly text: string; readonly isError: boolean}> {
	const file = resolve(name.trim().replace(/^~(?=\/)/, homeFolder()));
	try {
		await writeFile(file, textOf(lines), {mode: 0o600, flag: 'wx'});
		return {text: `${lines.length} lines are in ${file}`, isError: false};
	} catch (error) {
		return {text: `Not saved to ${file}: ${fileTrouble(error)}.`, isError: true};
	}
}

function textOf(lines: readonly LogLine[]): string {
	return lines
		.map(({text, from}) => `${from === undefined ? '' : `${from.name}\t`}${text}\n`)
		.join('');
}
