/** Looks at instances by the rules of the console, and finds them by the names that people use. */
import type {Client} from '../client/client.ts';
import type {InstanceList} from '../client/nouns/instance-list.ts';
import {openAgreedLeases} from '../renter/leases/agreed.ts';
import {openFleetMemory} from '../renter/fleet/fleet-memory.ts';
import {lookAtAll, lookAtOne, noteGone, readMissing} from '../renter/fleet/fleet-looks.ts';
import {
	unseenFleet,
	type FleetRow,
	type FleetState,
	type Incomplete,
} from '../renter/fleet/fleet-state.ts';
import {stateWords, type FleetClause} from '../renter/fleet/query-fields.ts';
import {gpusIn, parseFleetQuery, selectInstances} from '../renter/fleet/query.ts';
import {incompleteText} from '../renter/fleet/fleet-words.ts';
import {serviceFile} from '../renter/files/kept-file.ts';
import {openExaminedBook} from '../renter/instance/examined.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import type {Instance} from '../contract/nouns/instance-record.ts';
import {noneUnreadable, type Unreadable} from '../contract/grammar/unreadable.ts';
import {shownLabel} from '../renter/words/lease.ts';
import {closest} from '../renter/words/complete.ts';
import {sentence} from '../renter/text/format.ts';
import type {Context} from './command.ts';
import {CommandError, exitCodes} from './failure.ts';
import {instanceNames, keepNames, readNames} from './completions.ts';
import {tellUnreadable} from './output.ts';

/** A row of looks, each aware of those before. */
export type FleetLooks = {
	/** @param names instances that are asked for by their numbers where the list leaves them out */
	readonly look: (names?: readonly string[]) => Promise<FleetState>;
	/** Ids that the run before listed, but no list has and whose records cannot be read. */
	readonly unsure: () => readonly number[];
};

type Looking = Pick<Context, 'client' | 'service' | 'settings' | 'folders' | 'now' | 'signal'>;

/**
 * Begins with the evidence of earlier looks.
 *
 * @param keeps whether these looks are kept for later ones: sweeps rely on how long a state was seen.
 * Otherwise they are dropped, since a console that is open at the same time knows more.
 */
export function openFleetLooks(
	{client: open, service, settings: {limits}, folders, now, signal}: Looking,
	{keeps = false} = {},
): FleetLooks {
	const memory = openFleetMemory(folders.state, service());
	const agreed = openAgreedLeases(folders.state, service());
	const examined = openExaminedBook(serviceFile(folders.state, 'health', service(), 'jsonl'));
	let state = unseenFleet;
	let kept = '';
	let unsure: readonly number[] = [];

	async function keep(instances: readonly Instance[]): Promise<void> {
		const names = instanceNames([...instances, ...unsure.map(id => ({id}))]);
		const text = JSON.stringify(names);
		if (text !== kept) await keepNames({service, folders}, {instances: names});
		kept = text;
	}

	return {
		async look(names = []) {
			const client = await open();
			const {remembered, boots} = memory.recall();
			const listed = await client.instances.list({signal});
			const asked = await readNamed(client, listed, {names, signal});
			const ids = new Set([...listed.instances, ...asked].map(({id}) => id));
			const before = kept === '' ? await knownIds({service, folders}) : unsure;
			const left = await readLeftOut(client, {ids: before.filter(id => !ids.has(id)), signal});
			unsure = left.unsure;
			const list = {...listed, instances: [...listed.instances, ...asked, ...left.records]};
			await keep(list.instances);
			const looked = state === unseenFleet ? {...state, boots} : state;
			const localNow = now();
			const seenAt = {now: localNow + client.clock.skewMs(), localNow};
			const starts = await client.journal.starts();
			const own = {starts, lostLease: agreed.losses(), examined: examined.known()};
			const taken = {...seenAt, limits, remembered, ...own};
			state = lookAtAll(looked, list, taken);
			const missing = await readMissing(client.instances, state.rows, {listed: list, signal});
			for (const record of missing.records) state = lookAtOne(state, record, taken);
			for (const id of missing.gone) state = noteGone(state, id, taken);
			if (keeps) await memory.remember(state);
			return state;
		},
		unsure: () => unsure,
	};
}

/**
 * Most instances missing from a list that are asked for: more are another account's, or the service is of
 * another kind.
 */
const MOST_LEFT_OUT = 10;

async function knownIds(context: Pick<Context, 'service' | 'folders'>): Promise<readonly number[]> {
	const {instances} = await readNames(context);
	const ids = instances.map(({text}) => text).filter(isNumber);
	return ids.slice(0, MOST_LEFT_OUT).map(Number);
}

type LeftOut = {readonly ids: readonly number[]; readonly signal: AbortSignal};

/** Instances that the run before listed and this list leaves out: a list that is behind proves nothing. */
async function readLeftOut(client: Client, {ids, signal}: LeftOut) {
	const records: Instance[] = [];
	const unsure: number[] = [];
	for (const id of ids) {
		try {
			// oxlint-disable-next-line no-await-in-loop -- the service wants them apart
			const record = await client.instances.show(id, {signal});
			if (record !== undefined) records.push(record);
		} catch {
			signal.throwIfAborted();
			unsure.push(id);
		}
	}
	return {records, unsure};
}

type Named = {readonly names: readonly string[]; readonly signal: AbortSignal};

/** Records of instances that a list leaves out: it may be behind, or not whole. */
async function readNamed(
	client: Client,
	{instances}: InstanceList,
	{names, signal}: Named,
): Promise<readonly Instance[]> {
	const ids = names.flatMap(partsOf).filter(isNumber).map(Number);
	const missing = ids.filter(id => !instances.some(listed => listed.id === id));
	const records = await Promise.all(
		[...new Set(missing)].map(async id => client.instances.show(id, {signal})),
	);
	return records.filter(record => record !== undefined);
}

function isNumber(name: string): boolean {
	return /^\d{1,15}$/.test(name);
}

/** Says on standard error what a list left out. */
export function tellIncomplete(
	{output}: Pick<Context, 'output'>,
	incomplete: Incomplete | undefined,
): void {
	if (incomplete === undefined) return;
	const {read, total = 0, unreadable} = incomplete;
	if (total > read + unreadable.count) output.say(`rentty: ${incompleteText(incomplete)}.`);
	tellUnreadable(output, unreadable, 'instances');
}

/** The instance that a name means: a number by its record, a label by the list. */
export async function findInstance(
	client: Client,
	name: string,
	signal: AbortSignal,
): Promise<Instance> {
	const record = isNumber(name) ? await client.instances.show(Number(name), {signal}) : undefined;
	if (record !== undefined) return record;
	return instanceNamed(await client.instances.list({signal}), name);
}

/**
 * The instances that words of a command mean. One plain name is looked up by itself, since a list may be
 * behind, or not whole.
 */
export async function findInstances(
	context: Looking,
	client: Client,
	words: readonly string[],
): Promise<readonly Instance[]> {
	const parts = words.flatMap(partsOf);
	const [name = ''] = words;
	if (parts.length === 1 && parts[0] === name && !asksInWords(name)) {
		return [await findInstance(client, name, context.signal)];
	}
	return rowsNamed(await openFleetLooks(context).look(words), words).map(({instance}) => instance);
}

/** Names that a word has between its commas and blanks. */
function partsOf(word: string): readonly string[] {
	return word.split(/[\s,]+/).filter(part => part !== '');
}

/** True if a name is a condition: it compares something, or has a state among its words. */
function asksInWords(name: string): boolean {
	if (/[=<>~!]/.test(name)) return true;
	return name.split(/\s+/).some(word => stateWords.includes(word.toLowerCase()));
}

/**
 * The instances that words ask for: `stuck cost>0.5`. Parts of texts need `label~train`, so that a typing
 * error destroys nothing.
 *
 * @param isOnlyLookedAt whether the instances are left unchanged: then any word may be a part of a text
 * @throws UsageError where a word cannot be understood
 * @throws CommandError where none is found
 */
export function rowsAsked(
	rows: readonly FleetRow[],
	line: string,
	{isOnlyLookedAt = false} = {},
): readonly FleetRow[] {
	const query = parseFleetQuery(line, gpusIn(rows));
	const [problem] = query.problems;
	if (problem !== undefined) throw new UsageError(`"${line}": ${sentence(problem.message)}`);
	const text = query.words.flatMap(({clauses}) => clauses).find(({kind}) => kind === 'text');
	if (text?.kind === 'text' && !isOnlyLookedAt) {
		throw new UsageError(
			`"${line}": ${text.text} is no state and no field; label~${text.text} looks for it in labels.${meant(text.text, stateWords)}`,
		);
	}
	const found = selectInstances(query, rows).rows;
	if (found.length > 0) return found;
	const states = query.words.flatMap(({clauses}) => clauses.flatMap(statesIn));
	const unknown = states.find(state => !stateWords.includes(state));
	const said = unknown === undefined ? '' : meant(unknown, stateWords);
	throw new CommandError(
		exitCodes.notFound,
		`No instance is "${line}": rentty ps lists all.${said}`,
	);
}

/** The words that a clause compares states with. */
function statesIn(clause: FleetClause): readonly string[] {
	if (clause.kind !== 'test' || clause.field.field !== 'state') return [];
	const {test} = clause;
	const values = 'values' in test ? test.values : 'value' in test ? [test.value] : [];
	return values.map(String);
}

/**
 * The rows that names or words mean, in the order of the names. A word is a name or a condition, or several
 * names with commas or blanks between them: the same for every command.
 */
export function rowsNamed(
	{rows, incomplete}: Pick<FleetState, 'rows' | 'incomplete'>,
	names: readonly string[],
): readonly FleetRow[] {
	const instances = rows.map(({instance}) => instance);
	const list = {instances, ...incomplete};
	const isName = (name: string) =>
		rows.some(({instance: {id, label}}) => [String(id), label, shownLabel(label)].includes(name));
	const read = (name: string): readonly number[] => {
		if (isName(name)) return [instanceNamed(list, name).id];
		if (asksInWords(name)) return rowsAsked(rows, name).map(({instance: {id}}) => id);
		const parts = partsOf(name);
		return parts.length > 1 ? parts.flatMap(read) : [instanceNamed(list, parts[0] ?? name).id];
	};
	const wanted = new Set(names.flatMap(read));
	return [...wanted].flatMap(id => rows.filter(({instance}) => instance.id === id));
}

function meant(name: string, known: readonly string[]): string {
	const near = closest(name, known);
	return near === undefined ? '' : ` Did you mean ${near}?`;
}

type SomeInstances = {
	readonly instances: readonly Instance[];
	readonly total?: number | undefined;
	readonly unreadable?: Unreadable;
};

/**
 * The one instance that a number or a label means.
 *
 * @throws CommandError where there is none
 * @throws UsageError where there are several
 */
export function instanceNamed(
	{instances, total, unreadable = noneUnreadable}: SomeInstances,
	name: string,
): Instance {
	const byId = instances.find(({id}) => String(id) === name);
	if (byId !== undefined) return byId;
	const labelled = instances.filter(({label}) => label === name || shownLabel(label) === name);
	const [instance, ...others] = labelled;
	if (instance === undefined) {
		const isShort = unreadable.count > 0 || (total ?? 0) > instances.length;
		const labels = instances.map(({label}) => shownLabel(label));
		const rest = isShort ? ' among those that could be read' : '';
		throw new CommandError(
			exitCodes.notFound,
			`There is no instance ${name}${rest}: rentty ps lists all.${meant(name, [...labels, ...stateWords])}`,
		);
	}
	if (others.length > 0) {
		const ids = labelled.map(({id}) => id).join(', ');
		throw new UsageError(`${labelled.length} instances are called ${name}: say which of ${ids}.`);
	}
	return instance;
}
