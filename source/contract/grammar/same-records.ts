/** Replies that are about another record than the request: they must not reach whoever asked. */
import type {Endpoint} from './endpoint.ts';
import {isRecord} from './json.ts';

type Request = {readonly params?: unknown; readonly query?: unknown; readonly body?: unknown};

/** Ids of a question, and where its reply names the same records. */
type Question = {readonly place: string; readonly ids: readonly string[]};

export type OtherRecord = {readonly asked: string; readonly answered: string};

/** The first record of a reply that the request does not name; undefined where all are as asked for. */
export function otherRecord(
	{same = {}}: Pick<Endpoint, 'same'>,
	request: Request,
	reply: unknown,
): OtherRecord | undefined {
	for (const [asked, answered] of Object.entries(same)) {
		for (const {place, ids} of questionsAt(request, asked, answered)) {
			const other = idsAt(reply, place).find(named => !ids.includes(named));
			if (other !== undefined) return {asked: ids.join(', '), answered: other};
		}
	}
	return undefined;
}

function questionsAt(request: Request, asked: string, answered: string): readonly Question[] {
	if (asked.endsWith('.filter')) {
		return valuesAt(request, asked).flatMap(condition => questionOf(condition, answered));
	}
	const ids = idsAt(request, asked);
	return ids.length === 0 ? [] : [{place: answered, ids}];
}

/** A condition asks for records by id where it lists the ids that there may be. */
function questionOf(condition: unknown, answered: string): readonly Question[] {
	if (!isRecord(condition)) return [];
	const {field, operator, value} = condition;
	if (typeof field !== 'string' || !isIdName(field)) return [];
	if (operator !== 'eq' && operator !== 'in') return [];
	const ids = textsOf(Array.isArray(value) ? value : [value]);
	return ids.length === 0 ? [] : [{place: `${answered}.${field}`, ids}];
}

/** True for the name of a field that tells records apart. */
export function isIdName(name: string): boolean {
	return /(?:^|_)id$/.test(name);
}

/** Ids at a place; `me`, and what is no id at all, names no record. */
function idsAt(value: unknown, place: string): readonly string[] {
	return textsOf(valuesAt(value, place)).filter(text => !/^(?:me|current)$/.test(text));
}

function textsOf(values: readonly unknown[]): readonly string[] {
	return values.filter(value => typeof value === 'number' || typeof value === 'string').map(String);
}

/** Values at a place such as `instances.id`: a list on the way is gone through. */
function valuesAt(value: unknown, place: string): readonly unknown[] {
	return place
		.split('.')
		.reduce<readonly unknown[]>(
			(values, name) => values.flatMap(one => (isRecord(one) ? one[name] : undefined)),
			[value],
		);
}
