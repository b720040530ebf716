/** The machines that a template wants, as words: `cuda_max_good>=12.4 gpu_ram>=16000`. */
import {FilterError, parseFilter, printFilter} from '../../contract/grammar/filter.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {searchableOffers} from '../../contract/nouns/offer-search.ts';
import type {Template} from '../../contract/nouns/templates.ts';
import {readWords, writeWords} from './filter-words.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** As words where they say all of it, else as the JSON that it is. */
export function extraFiltersText({
	extra_filters: filters,
}: Pick<Template, 'extra_filters'>): string {
	if (filters === null || filters === undefined) return '';
	const json = JSON.stringify(filters);
	try {
		const words = writeWords(parseFilter({fields: searchableOffers.fields}, filters));
		const again = readExtraFilters(words);
		return 'filters' in again && JSON.stringify(again.filters) === json ? words : json;
	} catch (error) {
		if (error instanceof FilterError) return json;
		throw error;
	}
}

/** Reads words about offers, or an object as JSON. */
export function readExtraFilters(
	text: string,
): {readonly filters: JsonObject} | {readonly problem: string} {
	if (text.trim().startsWith('{')) return readJson(text);
	const {filter, texts, problem} = readWords(searchableOffers.fields, text);
	if (problem !== undefined) return {problem};
	if (texts.length > 0) return {problem: `"${texts[0]}" is no condition, like num_gpus>=2`};
	return {filters: printFilter(filter)};
}

/** Reads an object as JSON. */
export function readJson(
	text: string,
): {readonly filters: JsonObject} | {readonly problem: string} {
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value) ? {filters: value} : {problem: 'expected a JSON object, like {}'};
	} catch {
		return {problem: 'this is not JSON'};
	}
}
