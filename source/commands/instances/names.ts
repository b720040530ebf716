/** Finds instances by the names that people type: the same words mean the same in every command. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {noneUnreadable, type Unreadable} from '../../contract/grammar/unreadable.ts';
import type {FleetRow, FleetState} from '../../renter/fleet/fleet-state.ts';
import {stateNames, type FleetClause} from '../../renter/fleet/query-fields.ts';
import {gpusIn, parseFleetQuery, selectInstances} from '../../renter/fleet/query.ts';
import {sentence} from '../../renter/text/format.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {closest} from '../../renter/words/complete.ts';
import {shownLabel} from '../../renter/words/lease.ts';
import {CommandError, exitCodes} from '../base/failure.ts';

/**
 * Digits are an id and nothing else, so that no label can be taken for an instance that is gone.
 */
export function isId(name: string): boolean {
	return /^\d+$/.test(name);
}

export function idsAmong(words: readonly string[]): readonly number[] {
	const ids = words.flatMap(splitNames).filter(isId).map(Number);
	return [...new Set(ids)].filter(Number.isSafeInteger);
}

/** True if words name instances by their ids alone: then no list is needed to find them. */
export function isOnlyIds(words: readonly string[]): boolean {
	return words.length > 0 && words.flatMap(splitNames).every(isId);
}

/** @throws UsageError if a word holds no name, as "$id" after a command that failed */
export function refuseEmptyNames(words: readonly string[]): void {
	if (words.every(word => splitNames(word).length > 0)) return;
	throw new UsageError(
		'A name of an instance is empty, so nothing was changed: rentty ps lists ids and labels.',
	);
}

/** Names that a word has between its commas and blanks. */
export function splitNames(word: string): readonly string[] {
	return word.split(/[\s,]+/).filter(part => part !== '');
}

/** True if a name is a condition: it compares something, or has a state among its words. */
export function isCondition(name: string): boolean {
	if (/[=<>~!]/.test(name)) return true;
	return name.split(/\s+/).some(word => stateNames.includes(word.toLowerCase()));
}

/**
 * The instances that words ask for: `stuck cost>0.5`. Parts of texts need `label~train`, so that a typing
 * error destroys nothing.
 *
 * @param isOnlyLookedAt whether the instances are left unchanged: then any word may be a part of a text
 * @throws UsageError if a word cannot be understood
 * @throws CommandError if none is found
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
			`"${line}": ${text.text} is no state and no field; label~${text.text} looks for it in labels.${meant(text.text, stateNames)}`,
		);
	}
	const found = selectInstances(query, rows).rows;
	if (found.length > 0) return found;
	const states = query.words.flatMap(({clauses}) => clauses.flatMap(statesIn));
	const unknown = states.find(state => !stateNames.includes(state));
	const hint = unknown === undefined ? '' : meant(unknown, stateNames);
	throw new CommandError(
		exitCodes.notFound,
		`No instance is "${line}": rentty ps lists all.${hint}`,
	);
}

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
	refuseEmptyNames(names);
	const isLabel = (name: string) =>
		rows.some(({instance: {label}}) => [label, shownLabel(label)].includes(name));
	const named = (name: string) => instanceNamed(list, name, stateNames);
	const read = (name: string): readonly number[] => {
		if (isId(name) || isLabel(name)) return [named(name).id];
		if (isCondition(name)) return rowsAsked(rows, name).map(({instance: {id}}) => id);
		const parts = splitNames(name);
		return parts.length > 1 ? parts.flatMap(read) : [named(parts[0] ?? name).id];
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
 * @param others words that are understood in place of a name, such as states
 * @throws CommandError if there is none
 * @throws UsageError if there are several
 */
export function instanceNamed(
	list: SomeInstances,
	name: string,
	others: readonly string[] = [],
): Instance {
	const {instances} = list;
	const labelled = instances.filter(({label}) => label === name || shownLabel(label) === name);
	if (isId(name)) {
		const byId = instances.find(({id}) => String(id) === name);
		if (byId !== undefined) return byId;
		const hint = labelled.length === 0 ? '' : ` The label ${name} is meant by label=${name}.`;
		throw notFound(name, list, hint);
	}
	const [instance, ...namesakes] = labelled;
	if (instance === undefined) {
		const labels = instances.map(({label}) => shownLabel(label));
		throw notFound(name, list, meant(name, [...labels, ...others]));
	}
	if (namesakes.length > 0) {
		const ids = labelled.map(({id}) => id).join(', ');
		throw new UsageError(`${labelled.length} instances are called ${name}: say which of ${ids}.`);
	}
	return instance;
}

function notFound(
	name: string,
	{instances, total = 0, unreadable = noneUnreadable}: SomeInstances,
	hint: string,
): CommandError {
	const isShort = unreadable.count > 0 || total > instances.length;
	const rest = isShort ? ' among those that could be read' : '';
	return new CommandError(
		exitCodes.notFound,
		`There is no instance ${name}${rest}: rentty ps lists all.${hint}`,
	);
}
