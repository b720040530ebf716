/**
 * Explains an empty result: the words to leave out, and the offers found then. Results without
 * several words are requested once, and single words are tested on them.
 */
import type {Offer} from '../../../contract/nouns/offers.ts';
import {isTestable, passes, sourcesOf} from '../local-filter.ts';
import type {WordSearch} from './fields.ts';
import type {SearchPart} from './parse.ts';

export type ResultWithoutConditions = {
	readonly without: readonly SearchPart[];
	readonly count: number;
	/** True if the count is a minimum: the service did not list all. */
	readonly isLeast: boolean;
	/** The cheapest offer found. */
	readonly best: Offer | undefined;
};

export type WhyZero = {
	/** A finding for each word, in the order of the words, helpful or not. */
	readonly singles: readonly ResultWithoutConditions[];
	/** Pairs of words to leave out if no single word helps, the most offers first. */
	readonly pairs: readonly ResultWithoutConditions[];
	readonly calls: number;
	/** Words that were not tried, to limit the calls to the service. */
	readonly untried: readonly SearchPart[];
};

type Ask = (search: WordSearch) => Promise<readonly Offer[]>;

type Options = {
	readonly search: WordSearch;
	readonly parts: readonly SearchPart[];
	readonly ask: Ask;
	readonly mostCalls?: number;
};

const LIMIT = 2000;
/** Limits at which services cut lists: a list of exactly such a length may be incomplete. */
const usualLimits: ReadonlySet<number> = new Set([64, 100, 250, 500, 1000, LIMIT]);

export async function findWhyZero({search, parts, ask, mostCalls = 8}: Options): Promise<WhyZero> {
	const found = new Map<SearchPart, ResultWithoutConditions>();
	let calls = 0;

	async function askWithout(group: readonly SearchPart[]): Promise<readonly Offer[]> {
		calls += 1;
		return ask(searchWithout(search, parts, group));
	}

	/** Searches without a group of words, and without its halves if that list was cut. */
	async function tryGroup(group: readonly SearchPart[]): Promise<void> {
		if (group.length === 0 || calls >= mostCalls) return;
		if (group.length === 1 || group.every(canTest)) {
			const offers = await askWithout(group);
			if (group.length === 1 || !isCut(offers)) {
				for (const part of group) found.set(part, findingIn(offers, group, [part]));
				return;
			}
		}
		await tryHalves(group);
	}

	async function tryHalves(group: readonly SearchPart[]): Promise<void> {
		const half = Math.ceil(group.length / 2);
		await tryGroup(group.slice(0, half));
		await tryGroup(group.slice(half));
	}

	async function tryPairs(): Promise<readonly ResultWithoutConditions[]> {
		const pairs = new Map<string, ResultWithoutConditions>();
		for (const group of pairGroups(parts.filter(canTest))) {
			if (calls >= mostCalls) break;
			// oxlint-disable-next-line no-await-in-loop -- one question at a time, to spare the service
			const offers = await askWithout(group);
			for (const pair of pairsOf(group)) {
				const finding = findingIn(offers, group, pair);
				if (finding.count > 0) pairs.set(pair.map(({label}) => label).join(' '), finding);
			}
		}
		return [...pairs.values()].toSorted((a, b) => b.count - a.count);
	}

	await tryHalves(parts);
	const singles = parts.flatMap(part => found.get(part) ?? []);
	const helps = singles.some(({count}) => count > 0);
	const untried = parts.filter(part => !found.has(part));
	const pairs = helps ? [] : await tryPairs();
	return {singles, pairs, calls, untried};
}

function isCut(offers: readonly Offer[]): boolean {
	return usualLimits.has(offers.length) || offers.length > LIMIT;
}

/** The search without some of its words, the cheapest first, with the fields that tests need. */
function searchWithout(
	search: WordSearch,
	parts: readonly SearchPart[],
	group: readonly SearchPart[],
): WordSearch {
	const tested = group.flatMap(({conditions}) => conditions.flatMap(({field}) => sourcesOf(field)));
	return {
		...search,
		filter: parts.filter(part => !group.includes(part)).flatMap(({conditions}) => conditions),
		order: [['dph_total', 'asc']],
		limit: LIMIT,
		columns: [...new Set(['id', 'num_gpus', 'dph_total', ...tested])],
	};
}

/** Offers left if all but a few words of a group hold. */
function findingIn(
	offers: readonly Offer[],
	group: readonly SearchPart[],
	without: readonly SearchPart[],
): ResultWithoutConditions {
	const holding = group.filter(part => !without.includes(part));
	const filter = holding.flatMap(({conditions}) => conditions);
	const left = offers.filter(offer => passes(filter, offer));
	return {without, count: left.length, isLeast: isCut(offers), best: left[0]};
}

function canTest({conditions}: SearchPart): boolean {
	return conditions.every(({field}) => isTestable(field));
}

/** Three groups of two thirds each, so that any two words are together in one of them. */
function pairGroups(parts: readonly SearchPart[]): ReadonlyArray<readonly SearchPart[]> {
	if (parts.length < 2) return [];
	const without = (rest: number) => parts.filter((_, index) => index % 3 !== rest);
	return parts.length === 2 ? [parts] : [without(0), without(1), without(2)];
}

function pairsOf(group: readonly SearchPart[]): ReadonlyArray<readonly [SearchPart, SearchPart]> {
	return group.flatMap((first, index) =>
		group.slice(index + 1).map(second => [first, second] as const),
	);
}
