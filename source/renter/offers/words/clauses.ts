/** What a line of words asks for. */
import type {ListOperator, ValueOperator} from '../../../contract/filter.ts';
import type {Pricing} from '../../../contract/offer-search.ts';
import type {WordField} from './fields.ts';

/** Numbers are in the unit of their field; GPUs by their whole names; places as codes or regions. */
export type Value = number | boolean | string;

export type Test =
	| {readonly operator: ValueOperator; readonly value: Value}
	| {readonly operator: ListOperator; readonly values: readonly Value[]}
	| {readonly operator: 'range'; readonly from: number; readonly to: number};

export type Clause =
	| {readonly kind: 'test'; readonly field: WordField; readonly test: Test}
	/** Lifts what holds by default: of one field, or of all. */
	| {readonly kind: 'any'; readonly field: WordField | undefined}
	| {readonly kind: 'pricing'; readonly pricing: Pricing};

/** A piece of the line, from `start` to before `end`. */
export type Span = {readonly start: number; readonly end: number};

/** One word of a line, and what it means: `4x4090` is two clauses. */
export type Word = Span & {
	readonly text: string;
	readonly clauses: readonly Clause[];
	/** What a short word was taken for: "h100 = H100 NVL, H100 SXM". */
	readonly note: string | undefined;
};

/** A word that cannot be understood, and why. */
export type WordProblem = Span & {readonly message: string};

/** Thrown while one word is read; the line goes on behind it. */
export class WordError extends Error {
	override readonly name = 'WordError';
}

export function refuse(message: string): never {
	throw new WordError(message);
}
