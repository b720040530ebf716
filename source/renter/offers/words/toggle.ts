/** Values that are put into a line of words, and taken out again, as if they had been typed. */
import type {Value} from '../../words/clauses.ts';
import {testOf} from '../../words/tests.ts';
import {printClauses, type OfferClause, type OfferWord} from './fields.ts';
import type {ParsedLine, Word} from './parse.ts';

export type ChosenValue = {readonly field: OfferWord; readonly value: Value};

/** The values that a line allows a field to have; none where it says nothing of the kind. */
export function valuesIn({words}: ParsedLine, field: OfferWord): readonly Value[] {
	return words.flatMap(({clauses}) => clauses.flatMap(clause => allowedBy(clause, field) ?? []));
}

/**
 * The line with one value more that a field may have, or with one less where it had it already.
 * `gpus` are all names that short ones are compared with.
 */
export function toggleValue(
	line: string,
	{words}: ParsedLine,
	{field, value}: ChosenValue,
	gpus: readonly string[],
): string {
	const naming = words.filter(({clauses}) => clauses.some(clause => allowedBy(clause, field)));
	const having = ({clauses}: Word) =>
		clauses.some(clause => allowedBy(clause, field)?.includes(value));
	const word = naming.find(having) ?? naming[0];
	if (word === undefined) return joined([line, printClauses([allowing(field, [value])], gpus)]);
	const clauses = word.clauses.flatMap(clause => {
		const values = allowedBy(clause, field);
		if (values === undefined) return [clause];
		const rest = values.filter(other => other !== value);
		const next = rest.length < values.length ? rest : [...values, value];
		return next.length === 0 ? [] : [allowing(field, next)];
	});
	return joined([line.slice(0, word.start), printClauses(clauses, gpus), line.slice(word.end)]);
}

/** The values of a clause that names those of a field; undefined for every other clause. */
function allowedBy(clause: OfferClause, {field}: OfferWord): readonly Value[] | undefined {
	if (clause.kind !== 'test' || clause.field.field !== field) return undefined;
	const {test} = clause;
	if (test.operator === 'eq') return [test.value];
	return test.operator === 'in' ? test.values : undefined;
}

function allowing(field: OfferWord, values: readonly Value[]): OfferClause {
	return {kind: 'test', field, test: testOf('eq', values, field.name)};
}

function joined(parts: readonly string[]): string {
	return parts
		.map(part => part.trim())
		.filter(part => part !== '')
		.join(' ');
}
