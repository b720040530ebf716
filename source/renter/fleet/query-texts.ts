/** Texts that are looked for in instances, whatever holds them: exactly, or nearly where none has them. */
import {gpusOf} from '../text/format.ts';
import {shownLabel} from '../words/lease-label.ts';
import {scoreOfWord} from '../text/fuzzy.ts';
import type {Word, WordProblem} from '../words/clauses.ts';
import {closest, fieldSuggestion} from '../words/suggestion.ts';
import type {FleetRow} from './fleet-state.ts';
import {fleetLexicon, stateWords, type FleetClause, type FoundText} from './query-fields.ts';

export type Selected = {
	readonly rows: readonly FleetRow[];
	/** The instance that answers best to the texts of a line; undefined where it has none. */
	readonly best: number | undefined;
	/** Words that no instance matches, with suggestions. */
	readonly problems: readonly WordProblem[];
	/** Corrections of texts, by their position in the line: "trian is train". */
	readonly notes: ReadonlyMap<number, string>;
};

/** Searched texts of each instance. */
type Texts = ReadonlyMap<FleetRow, string>;

function isLookedFor(clause: FleetClause): clause is FoundText {
	return clause.kind === 'text' && !clause.isNegated;
}

/** Narrows instances to those that answer to every text of a line, or nearly. */
export function findTexts(
	words: ReadonlyArray<Word<FleetClause>>,
	before: readonly FleetRow[],
	all: readonly FleetRow[],
): Selected {
	if (!words.some(word => word.clauses.some(isLookedFor))) {
		return {rows: before, best: undefined, problems: [], notes: new Map()};
	}
	const texts = new Map(all.map(row => [row, searchText(row)]));
	const meant: string[] = [];
	const problems: WordProblem[] = [];
	const notes = new Map<number, string>();
	let rows = before;
	for (const {start, end, clauses} of words) {
		for (const {text} of clauses.filter(isLookedFor)) {
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

/** The word of the instances that a text nearly is; undefined where one has the text, or none nearly. */
function nearest(text: string, texts: Texts): string | undefined {
	const wanted = lower(text);
	if (wanted.length < LEAST_NEAR || hasText(texts, wanted)) return undefined;
	const words = new Set([...texts.values()].flatMap(held => held.split(/[^\p{L}\p{N}]+/u)));
	return closest(wanted, [...words]);
}

function hasText(texts: Texts, wanted: string): boolean {
	return [...texts.values()].some(held => held.includes(wanted));
}

/** Of shorter texts, nearly every one is near another. */
const LEAST_NEAR = 4;

function unfound(text: string): string {
	const state = closest(text, stateWords);
	const meant = state === undefined ? fieldSuggestion(text, fleetLexicon) : `; is ${state} meant?`;
	return `${text} is no state and no text of an instance${meant}`;
}

/** The first of those that answer best, by label or else by what is shown beside it. */
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

/** All that a text is looked for in, in lower case. */
export function searchText({instance, condition}: FleetRow): string {
	const {id, label, actual_status: status, image_uuid: image, template_name: template} = instance;
	const texts = [id, shownLabel(label), gpusOf(instance), condition, status, image, template];
	return lower(texts.filter(text => text !== null && text !== undefined).join(' '));
}

function lower(text: string): string {
	return text.toLowerCase();
}
