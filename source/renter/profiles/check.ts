/** Tests a key's rights by three reads that change nothing and cost nothing. */
import {statusOf} from '../../contract/rules/thrown.ts';
import type {Client} from '../../client/client.ts';
import {isKeyRefused} from '../../client/exchange/errors.ts';
import type {JournalAnswer, JournalEntry} from '../../client/journal/journal.ts';

const readNames = ['offers', 'instances', 'templates'] as const;

type ReadName = (typeof readNames)[number];

type ReadResult = {
	readonly name: ReadName;
	readonly ms: number;
	/** Count of records in the reply; undefined if the call failed. */
	readonly found: number | undefined;
	/** Reason of the failure, as a sentence. */
	readonly problem: string | undefined;
	readonly status: number | undefined;
	/** True if the service rejects the key, with whichever status. */
	readonly isKeyRefused: boolean;
};

export type ProfileCheck = {
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly reads: readonly ReadResult[];
	/** Seconds that this machine's clock is ahead; undefined if unknown. */
	readonly ahead?: number | undefined;
	/** Changes that this key has made, or was not allowed to make, from the journal. */
	readonly tried?: Tried;
};

type Tried = Readonly<Partial<Record<'create' | 'end', 'yes' | 'no'>>>;

const done = new Set(['done', 'queued', 'found', 'seen', 'gone']);

/** The last outcome of each kind of change. @param entries the newest first */
export function triedIn(entries: readonly JournalEntry[]): Tried {
	const last = (isMeant: (entry: JournalEntry) => boolean) =>
		entries.filter(isMeant).flatMap(({answers}) => answers.flatMap(canOf))[0];
	const create = last(({change}) => change.action === 'instances.create');
	const end = last(
		({change}) => change.action.startsWith('instances.destroy') || change.state === 'stopped',
	);
	return {...(create && {create}), ...(end && {end})};
}

function canOf({outcome, status}: JournalAnswer): ReadonlyArray<'yes' | 'no'> {
	if (done.has(outcome)) return ['yes'];
	return outcome === 'refused' && status === 403 ? ['no'] : [];
}

/** Time limit of the whole check: a user waits for it. */
const CHECK_MS = 15_000;

/** Makes three harmless reads, one after the other. */
export async function checkConnection(
	{offers, instances, templates}: Pick<Client, ReadName>,
	now: () => number,
): Promise<ProfileCheck> {
	const signal = AbortSignal.timeout(CHECK_MS);
	const reads: ReadResult[] = [];
	const ask: Readonly<Record<ReadName, () => Promise<number>>> = {
		offers: async () => (await offers.search({limit: 1}, {signal})).unreadable.of,
		instances: async () => (await instances.list({signal})).instances.length,
		templates: async () => (await templates.search({columns: ['id']}, {signal})).unreadable.of,
	};
	for (const name of readNames) {
		const started = now();
		const result = {...untold, name};
		try {
			const found = await ask[name]();
			reads.push({...result, ms: now() - started, found});
		} catch (error) {
			reads.push({...result, ms: now() - started, ...failureOf(error)});
			// A service that does not answer at all will not answer the next request, either.
			if (statusOf(error) === undefined) break;
		}
	}
	return {at: now(), reads};
}

const untold = {found: undefined, problem: undefined, status: undefined, isKeyRefused: false};

function failureOf(error: unknown): Omit<ReadResult, 'name' | 'ms' | 'found'> {
	const why = error instanceof Error && 'why' in error ? String(error.why) : String(error);
	return {problem: why, status: statusOf(error), isKeyRefused: isKeyRefused(error)};
}

/** A check in a few words, for a list: "ok 182 ms", "refused: the key is not accepted". */
export function connectionCheckText({reads}: ProfileCheck): string {
	const failed = reads.find(({problem}) => problem !== undefined);
	const ms = Math.round(reads.reduce((most, read) => Math.max(most, read.ms), 0));
	if (failed === undefined) return `ok ${ms}ms`;
	if (failed.status === undefined || failed.isKeyRefused) return failed.problem ?? '';
	return `ok ${ms}ms, without ${reads
		.filter(({problem}) => problem !== undefined)
		.map(({name}) => name)
		.join(', ')}`;
}

/** True if the service accepted the key at all. */
export function isAccepted({reads}: ProfileCheck): boolean {
	return reads.some(read => read.found !== undefined || lacksRight(read));
}

/** True if the service knows the key, and does not permit this. */
function lacksRight({status, isKeyRefused: isRefused}: ReadResult): boolean {
	return status === 403 && !isRefused;
}

/** Ability of a key, and the evidence. Untested is not "yes". */
export type Ability = {
	readonly what: string;
	readonly can: 'yes' | 'no' | '?';
	readonly how: string;
	/** True for a read, which the check has tried without changing anything. */
	readonly isRead: boolean;
};

const rights: Readonly<Record<ReadName, string>> = {
	offers: 'misc',
	instances: 'instance_read',
	templates: 'user_read',
};

export function abilitiesOf({reads, tried = {}}: ProfileCheck): readonly Ability[] {
	const asked = readNames.map((name): Ability => {
		const what = name === 'instances' ? 'list instances' : `search ${name}`;
		const read = reads.find(one => one.name === name);
		if (read === undefined) return {what, can: '?', how: 'not tried', isRead: true};
		if (read.found !== undefined) return {what, can: 'yes', how: 'read ok', isRead: true};
		const lacks = lacksRight(read) ? `403, the key lacks ${rights[name]}` : read.problem;
		const isRefused = read.isKeyRefused || read.status === 403;
		return {what, can: isRefused ? 'no' : '?', how: lacks ?? '', isRead: true};
	});
	return [
		...asked,
		changeOf('create instance', tried.create),
		changeOf('stop, destroy', tried.end),
	];
}

function changeOf(what: string, can: Ability['can'] = '?'): Ability {
	const how = {yes: 'done from here', no: 'refused with 403', '?': 'not tried'}[can];
	return {what, can, how, isRead: false};
}
