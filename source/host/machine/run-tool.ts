/** Asks a tool of the machine, which may not be there, not work, or never answer. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';

/** Runs a tool, returns its output; undefined where that is of no use. */
export type RunTool = (file: string, args: readonly string[]) => Promise<string | undefined>;

const run = promisify(execFile);

const LONGEST_MS = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;

export const runTool: RunTool = async (file, args) => {
	try {
		const {stdout} = await run(file, [...args], {timeout: LONGEST_MS, maxBuffer: MOST_BYTES});
		return stdout;
	} catch {
		return undefined;
	}
};
