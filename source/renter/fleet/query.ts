/**
 * Queries of instances in words, by the grammar of offers: `stuck cost>0.5 label~train gpu=4090
 * ends<2h !idle`. A word that names no field and no state is searched for in the texts of
 * instances.
 */
import {formatGpus} from '../text/format.ts';
import {shownLabel} from '../words/lease.ts';
import {scoreOfWord} from '../text/fuzzy.ts';
import {
	type Word,
	type WordProblem,
	findWordField,
	refuse,
	type Test,
	type TestClause,
	type BareWord,
} from '../words/clauses.ts';
import {closest, fieldSuggestion} from '../words/complete.ts';
import type {FleetRow} from './fleet-state.ts';
import {
	fleetLexicon,
	stateNames,
	type FleetClause,
	type FoundText,
	findFleetWord,
	fleetFields,
	isInState,
	readFleetField,
	type FleetField,
} from './query-fields.ts';
import {matches} from '../../contract/grammar/filter-match.ts';
import type {Condition} from '../../contract/grammar/filter.ts';
import {matchGpus, type KnownGpu} from '../words/gpu-match.ts';
import {parseWords, type ParsedWords, printWords} from '../words/parse.ts';
import {countriesOf} from '../words/values.ts';
import {readTest, makeValueTest} from '../words/tests.ts';

type FleetQuery = ParsedWords<FleetClause>;

/** Reads a line. `gpus` are the names of those that are rented. */
export function parseFleetQuery(line: string, gpus: readonly string[] = []): FleetQuery {
	const grammar = {
		lexicon: fleetLexicon,
		readBare: (word: BareWord, known: readonly KnownGpu[]) =>
			readBare(
				word,
				known.filter(({name}) => gpus.includes(name)),
			),
	};
	return parseWords<FleetField, FleetClause>(grammar, line, gpus);
}

export function printFleetQuery(
	clauses: readonly FleetClause[],
	gpus: readonly string[] = [],
): string {
	return printWords(clauses, gpus, ({text, isNegated}: FoundText) =>
		[isNegated ? '!' : '', /^[\w.:/@+-]+$/.test(text) ? text : `"${text}"`].join(''),
	);
}

export function gpusIn(rows: readonly FleetRow[]): readonly string[] {
	return [...new Set(rows.flatMap(({instance}) => instance.gpu_name ?? []))];
}

type Read = (word: BareWord, gpus: readonly KnownGpu[]) => FleetClause | undefined;

const ways: readonly Read[] = [readComparison, readStates, readFlag, readCount, readGpus];

function readBare(word: BareWord, gpus: readonly KnownGpu[]): readonly FleetClause[] {
	for (const read of ways) {
		const clause = read(word, gpus);
		if (clause !== undefined) return [clause];
	}
	const text = word.text.replaceAll(/["']/g, '');
	if (text === '') return refuse('! needs a word behind it');
	const field = findWordField(fleetLexicon, text);
	if (field !== undefined && text === word.text) {
		const example = field.type === 'number' ? '>1' : '=…';
		return refuse(`${text} needs an operator and a value: ${text}${example}`);
	}
	return [{kind: 'text', text, isNegated: word.isNegated}];
}

/** `>0.5` is about the price an hour, `>3d` about age. */
function readComparison({isNegated, text, start, end}: BareWord): FleetClause | undefined {
	const [, operator, value] = /^([=<>!~]+)(.*)$/su.exec(text) ?? [];
	if (operator === undefined || value === undefined) return undefined;
	if (isNegated || !/^[<>]=?$/.test(operator)) {
		return refuse(`${text}: a field must stand before ${operator}`);
	}
	const name = /\d(?:[smhdw]|min)$/i.test(value) ? 'age' : 'price';
	return readTest({kind: 'test', name, operator, value, start, end}, fleetLexicon, []);
}

function readStates({isNegated, text}: BareWord): FleetClause | undefined {
	const words = text.toLowerCase().split(',');
	if (!words.every(word => stateNames.includes(word) || word === 'nossh')) return undefined;
	return test('state', makeValueTest(isNegated ? 'neq' : 'eq', words, 'state'));
}

function readFlag({isNegated, text}: BareWord): FleetClause | undefined {
	const field = findWordField(fleetLexicon, text);
	if (field?.type !== 'boolean') return undefined;
	return test(field.field, {operator: 'eq', value: !isNegated});
}

/** `x4` and `4x`: so many GPUs. */
function readCount({isNegated, text, start, end}: BareWord): FleetClause | undefined {
	const [, behind, before] = /^(?:x(\d+(?:\.\.\d*)?)|(\d+)x)$/i.exec(text) ?? [];
	const value = behind ?? before;
	if (value === undefined) return undefined;
	const operator = isNegated ? '!=' : '=';
	return readTest({kind: 'test', name: 'qty', operator, value, start, end}, fleetLexicon, []);
}

function readGpus({isNegated, text}: BareWord, gpus: readonly KnownGpu[]) {
	const names = text.split(',').map(name => matchGpus(gpus, name));
	if (names.some(meant => meant.length === 0)) return undefined;
	return test('gpu', makeValueTest(isNegated ? 'neq' : 'eq', names.flat(), 'gpu'));
}

function test(name: FleetField, asked: Test): TestClause<FleetField> {
	return {kind: 'test', field: findFleetWord(name), test: asked};
}

/** The instances that a line selects, in their order. */
export function selectInstances({words}: FleetQuery, rows: readonly FleetRow[]): Selected {
	const clauses = words.flatMap(word => word.clauses);
	const found = rows.filter(row => passesAll(clauses, row));
	return findTexts(words, found, rows);
}

/**
 * Tests all words: an instance has one state, so several states are alternatives; all else must
 * hold together.
 */
function passesAll(clauses: readonly FleetClause[], row: FleetRow): boolean {
	const states = clauses.filter(isState);
	const isAny = states.length === 0 || states.some(clause => isInAny(clause, row));
	return isAny && clauses.every(clause => isState(clause) || passes(clause, row));
}

function isState(clause: FleetClause): clause is TestClause<FleetField> {
	return (
		clause.kind === 'test' &&
		clause.field.field === 'state' &&
		['eq', 'in'].includes(clause.test.operator)
	);
}

function isInAny({test: asked}: TestClause, row: FleetRow): boolean {
	return textsOf(asked).some(word => isInState(row, word));
}

function textsOf(asked: Test): readonly string[] {
	if ('texts' in asked) return asked.texts;
	if ('values' in asked) return asked.values.map(String);
	return 'value' in asked ? [String(asked.value)] : [];
}

function passes(clause: FleetClause, row: FleetRow): boolean {
	if (clause.kind === 'any') return true;
	if (clause.kind === 'text')
		return !clause.isNegated || !searchText(row).includes(clause.text.toLowerCase());
	const {field, test: asked} = clause;
	if (field.field === 'state') return !isInAny(clause, row);
	const value = readFleetField(row, field.field);
	if ('texts' in asked) {
		const text = String(value ?? '').toLowerCase();
		return (
			(asked.operator === 'like') === asked.texts.some(part => text.includes(part.toLowerCase()))
		);
	}
	return matches({fields: fleetFields}, conditionsOf(clause), row, () => value);
}

function conditionsOf({field: {field, type}, test: asked}: TestClause): readonly Condition[] {
	if ('texts' in asked) return [];
	if ('from' in asked) {
		return [
			{field, operator: 'gte', value: asked.from},
			{field, operator: 'lte', value: asked.to},
		];
	}
	if (type !== 'place') {
		return 'values' in asked
			? [{field, operator: asked.operator, value: asked.values}]
			: [{field, operator: asked.operator, value: asked.value}];
	}
	const isNot = asked.operator === 'neq' || asked.operator === 'notin';
	const value = textsOf(asked).flatMap(countriesOf);
	return [{field, operator: isNot ? 'notin' : 'in', value}];
}

export type Selected = {
	readonly rows: readonly FleetRow[];
	/** The instance that best matches the texts of a line; undefined if it has none. */
	readonly best: number | undefined;
	/** Words that no instance matches, with suggestions. */
	readonly problems: readonly WordProblem[];
	/** Corrections of texts, by their position in the line: "trian is train". */
	readonly notes: ReadonlyMap<number, string>;
};

type Texts = ReadonlyMap<FleetRow, string>;

function isTextSearch(clause: FleetClause): clause is FoundText {
	return clause.kind === 'text' && !clause.isNegated;
}

/** Narrows instances to those that match every text of a line, or nearly. */
function findTexts(
	words: ReadonlyArray<Word<FleetClause>>,
	before: readonly FleetRow[],
	all: readonly FleetRow[],
): Selected {
	if (!words.some(word => word.clauses.some(isTextSearch))) {
		return {rows: before, best: undefined, problems: [], notes: new Map()};
	}
	const texts = new Map(all.map(row => [row, searchText(row)]));
	const meant: string[] = [];
	const problems: WordProblem[] = [];
	const notes = new Map<number, string>();
	let rows = before;
	for (const {start, end, clauses} of words) {
		for (const {text} of clauses.filter(isTextSearch)) {
			const near = nearest(text, texts);
			const wanted = near ?? lower(text);
			if (near !== undefined) notes.set(start, `${text} is ${near}`);
			rows = rows.filter(row => texts.get(row)?.includes(wanted) === true);
			if (rows.length > 0) meant.push(wanted);
			else if (near === undefined && !hasText(texts, wanted)) {
				problems.push({start, end, message: unfound(text)});
			}
		}
	}
	return {rows, best: bestOf(meant, rows), problems, notes};
}

/**
 * The instances' word that a text nearly equals; undefined if one contains the text, or none is
 * near.
 */
function nearest(text: string, texts: Texts): string | undefined {
	const wanted = lower(text);
	if (wanted.length < LEAST_NEAR || hasText(texts, wanted)) return undefined;
	const words = new Set([...texts.values()].flatMap(held => held.split(/[^\p{L}\p{N}]+/u)));
	return closest(wanted, [...words]);
}

function hasText(texts: Texts, wanted: string): boolean {
	return [...texts.values()].some(held => held.includes(wanted));
}

/** Shortest text with a near match: shorter ones are all near one another. */
const LEAST_NEAR = 4;

function unfound(text: string): string {
	const state = closest(text, stateNames);
	const meant =
		state === undefined ? fieldSuggestion(text, fleetLexicon) : `. Did you mean ${state}?`;
	return `${text} is no state and no text of an instance${meant}`;
}

/** The first of the best matches, by label or else by other texts. */
function bestOf(texts: readonly string[], rows: readonly FleetRow[]): number | undefined {
	let best: {readonly id: number; readonly score: number} | undefined;
	for (const {instance} of rows) {
		const label = lower(shownLabel(instance.label));
		const score = texts.reduce((sum, text) => sum + scoreIn(text, label, instance.id), 0);
		if (best === undefined || score > best.score) best = {id: instance.id, score};
	}
	return best?.id;
}

const EXACT = 1000;

function scoreIn(text: string, label: string, id: number): number {
	return text === label || text === String(id) ? EXACT : (scoreOfWord(text, label) ?? 0);
}

/** Texts of an instance that a word is searched in, in lower case. */
function searchText({instance, condition}: FleetRow): string {
	const {id, label, actual_status: status, image_uuid: image, template_name: template} = instance;
	const texts = [id, shownLabel(label), formatGpus(instance), condition, status, image, template];
	return lower(texts.filter(text => text !== null && text !== undefined).join(' '));
}

function lower(text: string): string {
	return text.toLowerCase();
}
