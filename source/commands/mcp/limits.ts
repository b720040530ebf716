/** Limits of agents: programs that rent over the Model Context Protocol. A file of the user's has them. */
import {join} from 'node:path';
import * as z from 'zod/mini';
import {cap, writeCap, type Cap} from '../../contract/grammar/caps.ts';
import {parseJson} from '../../contract/grammar/json.ts';
import {readIfThere, replaceFile, sharedProblem} from '../../client/files/files.ts';
import type {Folders} from '../../renter/files/folders.ts';
import {PRACTICE} from '../../renter/profiles/profile.ts';

const dollars = z.number().check(z.positive(), z.maximum(1e6));

/** An unknown field makes the file unreadable: an overlooked limit would allow too much. */
const limitsFile = z.strictObject({
	/** Profile whose key is used. @default the practice market */
	profile: z.optional(z.string().check(z.minLength(1))),
	/** Limits of all rents of agents together; without them agents only read. */
	limits: z.optional(cap),
	/** Dollars an hour of one instance, with its disk. */
	each: z.optional(dollars),
	/** Images that may be rented; a * at the end stands for the rest. */
	images: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
	/** Folder from which and into which files may be copied. @default none */
	files: z.optional(z.string().check(z.startsWith('/'))),
	/** When a person has to approve a rent: always, or from so many dollars an hour on. */
	approve: z.optional(z.union([z.literal('always'), dollars])),
});

export type AgentLimits = z.output<typeof limitsFile>;

export type FoundLimits = AgentLimits & {
	readonly file: string;
	readonly profile: string;
	/** A sentence about a file that cannot be read: nothing may be changed then. */
	readonly problem: string | undefined;
};

/** The longest lease where the limits name none. */
export const USUAL_LEASE_HOURS = 24;

function fileOf({settings}: Pick<Folders, 'settings'>): string {
	return join(settings, 'agents.json');
}

export function findLimits(folders: Pick<Folders, 'settings'>): FoundLimits {
	const file = fileOf(folders);
	const none = {file, profile: PRACTICE};
	const text = readIfThere(file);
	if (text === undefined) return {...none, problem: undefined};
	const shared = sharedProblem(folders.settings) ?? sharedProblem(file);
	if (shared !== undefined) return {...none, problem: `Agents only read: ${shared}.`};
	const read = limitsFile.safeParse(parseJson(text));
	if (read.success) {
		const {profile = PRACTICE} = read.data;
		return {...read.data, file, profile, problem: undefined};
	}
	const [issue] = read.error.issues;
	const why = [issue?.path.join('.'), issue?.message].filter(Boolean).join(' ');
	return {...none, problem: `${file} cannot be read (${why}), so agents only read.`};
}

export async function keepLimits(
	folders: Pick<Folders, 'settings'>,
	limits: AgentLimits,
): Promise<string> {
	const file = fileOf(folders);
	await replaceFile(file, `${JSON.stringify(limits, undefined, '\t')}\n`, {isDurable: true});
	return file;
}

export function limitLines({
	file,
	profile,
	problem,
	limits,
	each,
	images,
	files,
	approve,
}: FoundLimits): readonly string[] {
	const where = `Profile: ${profile}${profile === PRACTICE ? ', on which nothing costs money' : ''}.`;
	if (problem !== undefined) return [where, problem];
	if (limits === undefined) {
		return [
			where,
			"Agents only read. rentty mcp limits '$5/day, 2 instances' lets them rent.",
			file,
		];
	}
	const hours = limits.lease_hours ?? USUAL_LEASE_HOURS;
	return [
		where,
		`Agents may rent, together: ${writeCap({...limits, lease_hours: hours})}.`,
		...(each === undefined ? [] : [`One instance costs at most $${each} an hour.`]),
		...(images === undefined ? [] : [`Images: ${images.join(', ')}.`]),
		...(files === undefined ? [] : [`Files: from and to ${files}.`]),
		approve === undefined
			? 'Nobody is asked.'
			: `A person approves ${approve === 'always' ? 'each rent' : `rents from $${approve} an hour on`}: rentty mcp approve.`,
		file,
	];
}

export function isAllowedImage({images}: AgentLimits, image: string): boolean {
	if (images === undefined) return true;
	return images.some(one =>
		one.endsWith('*') ? image.startsWith(one.slice(0, -1)) : image === one,
	);
}

/** Sentence about the key of agents: the cap that the service holds it to, or that there is none. */
export function guardLine({key_cap: held}: {readonly key_cap?: Cap | null | undefined}): string {
	return held == null
		? 'Unguarded: the service holds this key to no cap, so whoever has it passes these limits. rentty keys new --cap makes one that is held.'
		: `The service holds this key to ${writeCap(held)}, whatever program sends it.`;
}
