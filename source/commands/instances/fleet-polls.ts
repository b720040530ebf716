/** Polls instances by the rules of the console, and finds them by the names that people use. */
import type {Client} from '../../client/client.ts';
import type {InstanceList} from '../../client/nouns/instance-list.ts';
import type {Doubles} from '../../client/rentals/pending-rent.ts';
import {openAgreedLeases} from '../../renter/leases/agreed.ts';
import {openFleetMemory} from '../../renter/fleet/fleet-memory.ts';
import {applyList, applyInstance, noteGone, readMissing} from '../../renter/fleet/apply-polls.ts';
import {unseenFleet, type FleetState} from '../../renter/fleet/fleet-state.ts';
import {incompleteText} from '../../renter/fleet/fleet-texts.ts';
import {serviceFile} from '../../renter/files/kept-file.ts';
import {openExaminedBook} from '../../renter/instance/examined.ts';
import {doublesText} from '../../renter/orders/doubles.ts';
import {readYoungRents} from '../../renter/orders/young-rents.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {noneUnreadable} from '../../contract/grammar/unreadable.ts';
import type {Context} from '../base/command.ts';
import {instanceNames, keepNames, readNames} from '../completions.ts';
import {CommandError, exitCodes} from '../base/failure.ts';
import {
	isCondition,
	idsAmong,
	instanceNamed,
	isId,
	isOnlyIds,
	splitNames,
	refuseEmptyNames,
	rowsNamed,
} from './names.ts';
import {warnOfUnreadable} from '../base/output.ts';

/** Consecutive polls, each aware of the earlier ones. */
export type FleetPolls = {
	/** @param names instances that are asked for by their numbers where the list leaves them out */
	readonly poll: (names?: readonly string[]) => Promise<FleetState>;
	readonly doubts: () => Doubts;
};

type Doubts = {
	/** Ids that the run before listed, but no list has and whose records cannot be read. */
	readonly unsure: readonly number[];
	/** Ids rented from here a moment ago that neither a list nor a record shows so far. */
	readonly unshown: readonly number[];
	readonly doubles: Doubles;
};

const noDoubts: Doubts = {unsure: [], unshown: [], doubles: {certain: [], perhaps: []}};

type Looking = Pick<Context, 'client' | 'service' | 'settings' | 'folders' | 'now' | 'signal'>;

/**
 * Begins with the evidence of earlier polls.
 *
 * @param keeps true to store these polls for later ones: sweeps rely on how long a state was seen.
 * Otherwise they are dropped, since a console that is open at the same time knows more.
 */
export function openFleetPolls(
	{client: open, service, settings: {limits}, folders, now, signal}: Looking,
	{keeps = false} = {},
): FleetPolls {
	const memory = openFleetMemory(folders.state, service());
	const agreed = openAgreedLeases(folders.state, service());
	const examined = openExaminedBook(serviceFile(folders.state, 'health', service(), 'jsonl'));
	let state = unseenFleet;
	let kept = '';
	let doubts = noDoubts;

	async function keep(instances: readonly Instance[]): Promise<void> {
		const names = instanceNames([
			...instances,
			...[...doubts.unsure, ...doubts.unshown].map(id => ({id})),
		]);
		const text = JSON.stringify(names);
		if (text !== kept) await keepNames({service, folders}, {instances: names});
		kept = text;
	}

	return {
		async poll(names = []) {
			refuseEmptyNames(names);
			const client = await open();
			const {remembered, boots} = memory.recall();
			const {listed, asked, isListed} = await readListAndNamed(client, {names, signal});
			const ids = new Set([...listed.instances, ...asked].map(({id}) => id));
			const young = await readYoungRents(client);
			const known = kept === '' ? await knownIds({service, folders}) : doubts.unsure;
			const before = isListed ? [...new Set([...known, ...young])] : [];
			const missed = before.filter(id => !ids.has(id));
			const left = await readLeftOut(client, {ids: missed, young, signal});
			refuseUnshown(names, left.unshown);
			const list = {...listed, instances: [...listed.instances, ...asked, ...left.records]};
			// An unreadable file is reported before each command.
			const doubles = await client.pendingRents
				.doubles(list.instances)
				.catch(() => noDoubts.doubles);
			doubts = {unsure: left.unsure, unshown: left.unshown, doubles};
			if (isListed) await keep(list.instances);
			const earlier = state === unseenFleet ? {...state, boots} : state;
			const localNow = now();
			const clocks = {now: localNow + client.clock.skewMs(), localNow};
			const starts = await client.journal.starts();
			const own = {starts, agreed: agreed.known(), examined: examined.known()};
			const taken = {...clocks, limits, remembered, ...own};
			state = applyList(earlier, list, taken);
			const missing = await readMissing(client.instances, state.rows, {listed: list, signal});
			for (const record of missing.records) state = applyInstance(state, record, taken);
			for (const id of missing.gone) state = noteGone(state, id, taken);
			if (keeps) await memory.remember(state);
			return state;
		},
		doubts: () => doubts,
	};
}

/**
 * Most instances missing from a list that are asked for: more are another account's, or the service is of
 * another kind.
 */
const MOST_LEFT_OUT = 10;

async function knownIds(context: Pick<Context, 'service' | 'folders'>): Promise<readonly number[]> {
	const {instances} = await readNames(context);
	const ids = instances.map(({text}) => text).filter(isId);
	return ids.slice(0, MOST_LEFT_OUT).map(Number);
}

type LeftOut = {
	readonly ids: readonly number[];
	/** Those that were rented a moment ago: of them a missing record proves nothing. */
	readonly young: ReadonlySet<number>;
	readonly signal: AbortSignal;
};

/** Instances that the run before listed and this list leaves out: a list that is behind proves nothing. */
async function readLeftOut(client: Client, {ids, young, signal}: LeftOut) {
	const records: Instance[] = [];
	const unsure: number[] = [];
	const unshown: number[] = [];
	for (const id of ids) {
		try {
			// oxlint-disable-next-line no-await-in-loop -- the service wants them apart
			const record = await client.instances.show(id, {signal});
			if (record !== undefined) records.push(record);
			else if (young.has(id)) unshown.push(id);
		} catch {
			signal.throwIfAborted();
			(young.has(id) ? unshown : unsure).push(id);
		}
	}
	return {records, unsure, unshown};
}

/**
 * A script that rents and destroys must not take what a service shows late for gone.
 *
 * @throws CommandError if an instance is named that is not shown so far
 */
function refuseUnshown(names: readonly string[], unshown: readonly number[]): void {
	const id = idsAmong(names).find(named => unshown.includes(named));
	if (id === undefined) return;
	throw new CommandError(
		exitCodes.timedOut,
		`${id} was rented a moment ago, and the service does not show it so far: it may be charged, unless it has ended, and nothing was changed. The same command a minute later finds it, if it is there.`,
	);
}

type Named = {readonly names: readonly string[]; readonly signal: AbortSignal};

/** An empty list instead of one that cannot be read: ids are asked for one by one. */
const noList = (problem: Error): InstanceList => ({
	instances: [],
	total: undefined,
	unreadable: noneUnreadable,
	way: 'v1',
	isWhole: false,
	problem,
});

/** The list, and records that it leaves out. Instances that are named by their ids need no list. */
async function readListAndNamed(client: Client, named: Named) {
	try {
		const listed = await client.instances.list({signal: named.signal});
		return {listed, asked: await readNamed(client, listed, named), isListed: true};
	} catch (error) {
		named.signal.throwIfAborted();
		if (!(error instanceof Error) || !isOnlyIds(named.names)) throw error;
		const listed = noList(error);
		const asked = await readNamed(client, listed, named).catch(() => []);
		if (asked.length < idsAmong(named.names).length) throw error;
		return {listed, asked, isListed: false};
	}
}

/** Records of instances that a list leaves out: it may be behind, or not whole. */
async function readNamed(
	client: Client,
	{instances}: InstanceList,
	{names, signal}: Named,
): Promise<readonly Instance[]> {
	const missing = idsAmong(names).filter(id => !instances.some(listed => listed.id === id));
	const records = await Promise.all(missing.map(async id => client.instances.show(id, {signal})));
	return records.filter(record => record !== undefined);
}

/** Says on standard error what a list left out, and what it shows twice. */
export function warnOfDoubtfulRows(
	{output}: Pick<Context, 'output'>,
	{incomplete}: Pick<FleetState, 'incomplete'>,
	{unsure, unshown, doubles}: Doubts = noDoubts,
): void {
	if (incomplete !== undefined) {
		const {read, total = 0, unreadable} = incomplete;
		if (total > read + unreadable.count) output.say(`rentty: ${incompleteText(incomplete)}.`);
		warnOfUnreadable(output, unreadable, 'instances');
	}
	if (unsure.length > 0) {
		const them = unsure.length === 1 ? 'it was' : 'they were';
		output.say(
			`rentty: The list leaves out ${unsure.join(', ')}, and no record could be read: at the last look ${them} there, and may be charged. rentty ps asks again.`,
		);
	}
	if (unshown.length > 0) {
		const [was, them, they] = unshown.length === 1 ? ['was', 'it', 'it'] : ['were', 'them', 'they'];
		output.say(
			`rentty: ${unshown.join(', ')} ${was} rented a moment ago, and the service does not show ${them} so far: ${they} may be charged, unless ended by now. rentty ps asks again.`,
		);
	}
	const twice = doublesText(doubles);
	if (twice !== undefined) output.say(`rentty: ${twice}`);
}

/** The instance that a name means: a number by its record, a label by the list. */
export async function findNamedInstance(
	client: Client,
	name: string,
	signal: AbortSignal,
): Promise<Instance> {
	refuseEmptyNames([name]);
	const record = isId(name) ? await client.instances.show(Number(name), {signal}) : undefined;
	if (record !== undefined) return record;
	return instanceNamed(await client.instances.list({signal}), name);
}

/**
 * The instances that words of a command mean. One plain name is looked up by itself, since a list may be
 * behind, or not whole.
 */
export async function findNamedInstances(
	context: Looking,
	client: Client,
	words: readonly string[],
): Promise<readonly Instance[]> {
	const parts = words.flatMap(splitNames);
	const [name = ''] = words;
	if (parts.length === 1 && parts[0] === name && !isCondition(name)) {
		return [await findNamedInstance(client, name, context.signal)];
	}
	return rowsNamed(await openFleetPolls(context).poll(words), words).map(({instance}) => instance);
}
