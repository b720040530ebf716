/** The tool that copies files between one folder of the user's and an instance that an agent rented. */
import {lstatSync, readdirSync, realpathSync, statSync} from 'node:fs';
import {basename, dirname, isAbsolute, join, relative} from 'node:path';
import * as z from 'zod/mini';
import {copyFiles} from '../../renter/connect/copying.ts';
import {keyFiles, wayInto} from '../instances/ssh.ts';
import {asked, changeLimits, ownInstance, refused} from './agent.ts';
import {quotedText, shortText} from '../../renter/agents/fence.ts';
import {wholeId, tool} from './tool.ts';

/** Longest time of one call: an instance that sends a byte now and then cannot hold a call for ever. */
const LONGEST_MS = 30 * 60_000;

const MOST_BYTES = 10e9;

/** The most files and folders of one call to an instance. */
const MOST_ENTRIES = 10_000;

const path = z.string().check(z.minLength(1), z.maxLength(1000));

export const files = tool({
	name: 'files',
	about:
		"Copies a file or folder from the user's folder for agents into an instance that an agent rented (put), or back (get).",
	input: z.object({id: wholeId, way: z.enum(['put', 'get']), here: path, there: path}),
	output: z.looseObject({id: wholeId, bytes: z.int()}),
	kind: 'changes',
	async run(agent, {id: wanted, way, here, there}) {
		changeLimits(agent);
		const folder = folderOf(agent.limits.files);
		const local = way === 'put' ? sourceIn(folder, here) : targetIn(folder, here);
		const {row} = await ownInstance(agent, wanted);
		const context = asked(agent.context, {});
		const {route, known} = await wayInto(context, row.instance);
		const identities = await keyFiles(context, agent.client, row.instance);
		const settings = ['BatchMode=yes', 'ForwardAgent=no'];
		const ending = new AbortController();
		const signals = [context.signal, ending.signal, AbortSignal.timeout(LONGEST_MS)];
		const signal = AbortSignal.any(signals);
		let bytes = 0;
		const isUpload = way === 'put';
		const transfer = {isUpload, local, remote: there, known, identities, settings};
		const {problem} = await copyFiles(route, transfer, {
			environment: context.environment,
			signal,
			printLine: () => undefined,
			onProgress(progress) {
				bytes = progress.bytes;
				if (bytes > MOST_BYTES) ending.abort(refused('More than 10 GB: name parts of it.'));
			},
		});
		const [from, to] = isUpload ? [here, there] : [there, here];
		if (problem !== undefined) {
			throw refused(`${shortText(from)} was not copied: ${quotedText(problem, 200)}.`);
		}
		return {text: `Copied ${shortText(from)} to ${shortText(to)}.`, data: {id: wanted, bytes}};
	},
});

/** The folder of the user's that agents may use, without links in its path. */
function folderOf(folder: string | undefined): string {
	if (folder === undefined) {
		throw refused('The user lets agents use no folder: rentty mcp limits LIMITS --files FOLDER.');
	}
	try {
		return realpathSync(folder);
	} catch {
		throw refused(`The user's folder for agents, ${folder}, is not there.`);
	}
}

/** An existing path, with everything in it inside the folder. */
function sourceIn(folder: string, name: string): string {
	const source = insideOf(folder, name);
	const waiting = [source];
	for (let count = 0, next = waiting.pop(); next !== undefined; count++, next = waiting.pop()) {
		if (count >= MOST_ENTRIES) throw refused(`${MOST_ENTRIES} files at most: name parts of it.`);
		const about = lstatSync(next);
		// A link may lead out of the folder, and what copies may follow it.
		if (!about.isFile() && !about.isDirectory()) {
			throw refused(`${shortText(relative(folder, next))} is a link or no file: it is not copied.`);
		}
		if (about.isDirectory()) waiting.push(...readdirSync(next).map(one => join(next, one)));
	}
	return source;
}

/** A path that does not exist yet, in a folder that does. */
function targetIn(folder: string, name: string): string {
	const place = insideOf(folder, dirname(name));
	const target = join(place, basename(name));
	if (!statSync(place).isDirectory()) throw refused(`${shortText(dirname(name))} is no folder.`);
	if (lstatSync(target, {throwIfNoEntry: false}) !== undefined) {
		throw refused(`${shortText(name)} is there already: name another. Nothing was copied.`);
	}
	return target;
}

/** @throws CommandError for a path that is missing or outside */
function insideOf(folder: string, name: string): string {
	const outside = () => refused(`${shortText(name)} is not in the user's folder for agents.`);
	if (isAbsolute(name) || name.includes('\0')) throw outside();
	try {
		const whole = realpathSync(join(folder, name));
		const way = relative(folder, whole);
		if (way === '..' || way.startsWith('../') || isAbsolute(way)) throw outside();
		return whole;
	} catch (error) {
		if (error instanceof Error && error.name === 'CommandError') throw error;
		throw refused(`There is no ${shortText(name)} in the user's folder for agents.`);
	}
}
