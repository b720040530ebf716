/** Reads words that name no field: `4090`, `x4`, `<0.50`, `24g`, `us,ca`, `dc`. */
import type {ValueOperator} from '../../../contract/grammar/filter.ts';
import type {OfferField, Pricing} from '../../../contract/nouns/offer-search.ts';
import {fieldNamed, refuse} from '../../words/clauses.ts';
import {fieldOf, lexicon, type OfferClause} from './fields.ts';
import {matchGpus, type KnownGpu} from '../../words/gpu-match.ts';
import {readPlace} from '../../words/places.ts';
import type {BareWord} from '../../words/scan.ts';
import {closest, closestGpu, fieldSuggestion} from '../../words/suggestion.ts';
import {readTest, testOf} from '../../words/tests.ts';
import {splitItems, type Item} from '../../words/values.ts';

const pricings: ReadonlyMap<string, Pricing> = new Map([
	['bid', 'bid'],
	['interruptible', 'bid'],
	['on-demand', 'on-demand'],
	['ondemand', 'on-demand'],
	['reserved', 'reserved'],
]);

/** Words that say yes or no to a field. Every field of that kind is also such a word itself. */
const flags: ReadonlyMap<string, readonly [field: OfferField, value: boolean]> = new Map([
	['datacenter', ['datacenter', true]],
	['unverified', ['verified', false]],
]);

type Read = (word: BareWord, gpus: readonly KnownGpu[]) => readonly OfferClause[] | undefined;

/** The ways to read a word; the first that knows it, reads it. */
const ways: readonly Read[] = [
	readComparison,
	readAny,
	readPricing,
	readFlag,
	readCount,
	readSize,
	readCountries,
	readGpus,
];

/** Clauses that a bare word can mean. */
export function readBare(word: BareWord, gpus: readonly KnownGpu[]): readonly OfferClause[] {
	for (const read of ways) {
		const clauses = read(word, gpus);
		if (clauses !== undefined) return clauses;
	}
	return refuse(unknown(word.text, gpus));
}

/** `<0.50` is about the price, `>=24g` about memory, `>99%` about reliability, `>30d` about time. */
function readComparison({
	isNegated,
	text,
	start,
	end,
}: BareWord): readonly OfferClause[] | undefined {
	const [, sign, value] = /^([=<>!]+)(.*)$/su.exec(text) ?? [];
	if (sign === undefined || value === undefined) return undefined;
	if (isNegated || !/^[<>]=?$/.test(sign)) {
		return refuse(`${text}: a field must stand before ${sign}`);
	}
	const name = fieldOfUnit(value);
	return [readTest({kind: 'test', name, operator: sign, value, start, end}, lexicon, [])];
}

function fieldOfUnit(value: string): string {
	if (/gb?$/i.test(value)) return 'vram';
	if (value.endsWith('%')) return 'rel';
	return /\dd$/i.test(value) ? 'days' : 'price';
}

function readAny({isNegated, text}: BareWord): readonly OfferClause[] | undefined {
	if (text.toLowerCase() !== 'any') return undefined;
	return isNegated ? refuse('!any means nothing') : [{kind: 'any', field: undefined}];
}

function readPricing({isNegated, text}: BareWord): readonly OfferClause[] | undefined {
	const pricing = pricings.get(text.toLowerCase());
	if (pricing === undefined) return undefined;
	return isNegated
		? refuse(`!${text}: say which pricing instead: on-demand, bid or reserved`)
		: [{kind: 'pricing', pricing}];
}

function readFlag({isNegated, text}: BareWord): readonly OfferClause[] | undefined {
	const field = fieldNamed(lexicon, text);
	const isFlag = field?.type === 'boolean';
	const [wire, value] = flags.get(text.toLowerCase()) ?? [isFlag ? field.field : undefined, true];
	return wire === undefined ? undefined : [check(wire, isNegated ? !value : value)];
}

function check(field: OfferField, value: boolean): OfferClause {
	return {kind: 'test', field: fieldOf(field), test: {operator: 'eq', value}};
}

const amount = String.raw`\d+(?:\.\.\d*)?`;
const count = new RegExp(`^(?:x(${amount})|(${amount})x(.*))$`, 'isu');

/** `x4`, `4x`, `x2..4`; `4x4090` names the GPU too. */
function readCount({isNegated, text, start, end}: BareWord, gpus: readonly KnownGpu[]) {
	const [, behind, before, name = ''] = count.exec(text) ?? [];
	const value = behind ?? before;
	if (value === undefined) return undefined;
	const hasName = name !== '';
	if (isNegated && (hasName || value.includes('..'))) refuse(`!${text}: say ! for one thing alone`);
	const operator = isNegated ? '!=' : '=';
	const quantity = readTest({kind: 'test', name: 'qty', operator, value, start, end}, lexicon, []);
	if (!hasName) return [quantity];
	const gpu = readGpus({kind: 'bare', isNegated: false, text: name, start, end}, gpus);
	return gpu === undefined ? undefined : [quantity, ...gpu];
}

/** `24g`, `99%` and `30d` are the least that is wanted. */
function readSize({isNegated, text, start, end}: BareWord): readonly OfferClause[] | undefined {
	const [, value, unit] = /^(\d+(?:\.\d+)?)(gb?|%|d)$/i.exec(text) ?? [];
	if (value === undefined || unit === undefined) return undefined;
	const operator = isNegated ? '<' : '>=';
	const name = fieldOfUnit(text);
	return [readTest({kind: 'test', name, operator, value, start, end}, lexicon, [])];
}

function readCountries({isNegated, text}: BareWord): readonly OfferClause[] | undefined {
	const places = plainItems(text)?.map(item => readPlace(item.text));
	if (places === undefined || !places.every(place => place !== undefined)) return undefined;
	const field = fieldOf('geolocation');
	return [{kind: 'test', field, test: testOf(operatorFor(isNegated), places, field.name)}];
}

function readGpus({isNegated, text}: BareWord, gpus: readonly KnownGpu[]) {
	const items = splitItems(text);
	if (items.length === 0) return undefined;
	const names = items.map(item => matchGpus(gpus, item.text));
	if (names.some(meant => meant.length === 0)) return undefined;
	const field = fieldOf('gpu_name');
	const test = testOf(operatorFor(isNegated), names.flat(), field.name);
	return [{kind: 'test', field, test}] as const;
}

function operatorFor(isNegated: boolean): ValueOperator {
	return isNegated ? 'neq' : 'eq';
}

/** The items of a list without quotes; undefined for anything else. */
function plainItems(text: string): readonly Item[] | undefined {
	if (/["'[\]]/.test(text)) return undefined;
	const items = splitItems(text);
	return items.length === 0 ? undefined : items;
}

function unknown(text: string, gpus: readonly KnownGpu[]): string {
	if (text === '') return '! needs a word behind it';
	const field = fieldNamed(lexicon, text);
	if (field !== undefined) {
		const example = field.type === 'number' ? '>=1' : '=…';
		return `${text} needs an operator and a value: ${text}${example}`;
	}
	if (/^\$?[\d.]+$/.test(text)) {
		return `${text} alone says nothing: x${text} for GPUs, ${text}g for memory, <${text} for a price`;
	}
	const word =
		closestGpu(text, gpus) ??
		closest(text, [...lexicon.bareWords, 'verified', 'rentable', 'on-demand']);
	const suggestion = word === undefined ? fieldSuggestion(text, lexicon) : `; is ${word} meant?`;
	return `${text} is no GPU, country or field${suggestion}`;
}
