/** Preview of the form's instance: merged by the same rules as in the service. */
import type {InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {parseEnv} from '../../contract/rules/env.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {mergeCreation, type Creation} from '../../contract/nouns/merge.ts';
import {costOf, type OfferCost} from '../../contract/nouns/offer-cost.ts';
import type {TemplateContent} from '../../contract/nouns/template-content.ts';
import {agreedDiskGb} from './agreed-order.ts';
import {isFree, withoutPrice} from '../offers/search.ts';
import type {RentFacts} from './rent-facts.ts';
import {findRefusedFormField} from './order-table.ts';
import {readRentForm, type OrderValues} from './rent-order.ts';
import {baseValues, readFullContent} from './rent-values.ts';

type Problem = {readonly field: string | undefined; readonly text: string};

export type Preview = {
	readonly values: OrderValues;
	/** Order to send; undefined if the form cannot be understood. */
	readonly order: InstanceOrder | undefined;
	readonly problem: Problem | undefined;
	readonly content: TemplateContent | undefined;
	readonly creation: Creation;
	readonly diskGb: number;
	/** Refuse the order if the instance cannot start at once. */
	readonly cancelUnavailable: boolean;
	/** The bid; undefined for an instance at a fixed price. */
	readonly bid: number | undefined;
	readonly cost: OfferCost;
};

type PreviewFacts = Pick<RentFacts, 'offer' | 'template' | 'job' | 'pricedGb' | 'own'>;

export function previewOf(facts: PreviewFacts, values: OrderValues): Preview {
	const content = facts.template && readFullContent(facts.template);
	const {order, problem, understood} = understand(values, content);
	const creation = mergeCreation(understood, content);
	const diskGb = agreedDiskGb(creation);
	const bid = typeof order?.price === 'number' ? order.price : undefined;
	const isBid = values['type'] === 'interruptible';
	const isStarted = understood.target !== 'stopped';
	return {
		values,
		order,
		problem,
		content,
		creation,
		diskGb,
		cancelUnavailable: understood.cancelUnavailable ?? (!isBid && isStarted),
		bid,
		cost: priceOnTerms(facts, {diskGb, bid, isBid}),
	};
}

/** The order; with invalid fields, the order of the other fields. */
function understand(values: OrderValues, content: TemplateContent | undefined) {
	const base = baseValues(content);
	const {order, problem} = readRentForm(values, base);
	if (problem === undefined) return {order, problem, understood: order};
	return {
		order,
		problem: {field: findRefusedFormField(problem), text: problem},
		understood: readOthers(values, base),
	};
}

/** Order without the fields that cannot be understood, for the preview. */
function readOthers(values: OrderValues, base: OrderValues): InstanceOrder {
	const leftOut = new Set<string>();
	let rest = values;
	for (;;) {
		const {order, problem} = readRentForm(rest, base);
		if (order !== undefined) return leftOut.has('image') ? {...order, image: undefined} : order;
		const field = findRefusedFormField(problem);
		if (field === undefined || leftOut.has(field)) return {};
		leftOut.add(field);
		rest = without(field, rest, base);
	}
}

/** Placeholder for an order's image, which is required, while none is typed. */
const ANY_IMAGE = 'any';

function without(field: string, values: OrderValues, base: OrderValues): OrderValues {
	if (field === 'image') return {...values, image: ANY_IMAGE};
	if (field === 'price') return {...values, type: 'on-demand'};
	if (field.startsWith('volume')) return {...values, volume: 'none'};
	return {...values, [field]: base[field] ?? ''};
}

type Terms = {
	readonly diskGb: number;
	readonly bid: number | undefined;
	readonly isBid: boolean;
};

/** Price of an offer on the form's terms: a bid replaces the price of its GPUs. */
export function priceOnTerms(
	{offer, job, pricedGb, own}: Pick<RentFacts, 'offer' | 'job' | 'pricedGb' | 'own'>,
	{diskGb, bid, isBid}: Terms,
): OfferCost {
	if (isFree(offer, own)) return costOf(withoutPrice(offer), {...job, diskGb});
	const priced = isBid ? {...offer, dph_base: bid, dph_total: undefined} : offer;
	return costOf(priced, {...job, diskGb}, pricedGb);
}

export type MergedEntry = {
	readonly key: string;
	readonly value: string;
	readonly fate: 'kept' | 'added' | 'yours wins';
	/** Template's value that the request replaces. */
	readonly replaced: string | undefined;
};

export function mergedEnv({
	creation,
	content,
}: Pick<Preview, 'creation' | 'content'>): MergedEntry[] {
	const kept = new Map(parseEnv(content?.env ?? ''));
	return creation.env.map(({key, value, origin}) => fateOf(key, value, {origin, kept}));
}

export function mergedFilters({
	creation,
	content,
}: Pick<Preview, 'creation' | 'content'>): MergedEntry[] {
	const kept = new Map(
		Object.entries(content?.extra_filters ?? {}).map(([key, said]) => [key, testText(said)]),
	);
	return Object.entries(creation.extra_filters).map(([key, {value, origin}]) =>
		fateOf(key, testText(value), {origin, kept}),
	);
}

/** Filter test in words: "gte 16000". */
function testText(test: unknown): string {
	if (!isRecord(test)) return JSON.stringify(test);
	const parts = Object.entries(test).map(([operator, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return `${operator} ${text}`;
	});
	return parts.join(' ');
}

type Fate = {readonly origin: string; readonly kept: ReadonlyMap<string, string>};

function fateOf(key: string, value: string, {origin, kept}: Fate): MergedEntry {
	const before = kept.get(key);
	if (origin === 'template') return {key, value, fate: 'kept', replaced: undefined};
	if (before === undefined) return {key, value, fate: 'added', replaced: undefined};
	const replaced = before === value ? undefined : before;
	return {key, value, fate: replaced === undefined ? 'kept' : 'yours wins', replaced};
}
