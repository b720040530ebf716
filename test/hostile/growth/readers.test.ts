import {expect, test} from 'vitest';
import {splitArguments} from '../../../source/contract/grammar/arguments.ts';
import {
	parseLedgerSearch,
	parseRecordSearch,
} from '../../../source/contract/nouns/billing-query.ts';
import {readRemake} from '../../../source/contract/nouns/creation-request.ts';
import {
	type EnvEntry,
	parseEnv,
	printEnv,
	readEnvObject,
	containerPort,
	envProblem,
	layEnv,
} from '../../../source/contract/rules/env.ts';
import {
	countriesOf,
	readLocation,
	readAmount,
	splitItems,
} from '../../../source/renter/words/values.ts';
import {countryOf, isCountry, normal} from '../../../source/contract/grammar/filter-match.ts';
import {readBoolean, readNumber, readVersion} from '../../../source/contract/grammar/filter.ts';
import {
	harmlessJson,
	harmlessLine,
	harmlessText,
	countCharacters,
} from '../../../source/contract/grammar/harmless-text.ts';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {contract} from '../../../source/contract/index.ts';
import {parseInstanceQuery} from '../../../source/contract/nouns/instances.ts';
import {parseOfferSearch} from '../../../source/contract/nouns/offer-search.ts';
import {completeLine} from '../../../source/renter/words/complete.ts';
import {findOfferWord, lexicon} from '../../../source/renter/offers/words/fields.ts';
import {knownGpus, matchGpus} from '../../../source/renter/words/gpu-match.ts';
import {parseLine, lineWithout} from '../../../source/renter/offers/words/parse.ts';
import {scanLine} from '../../../source/renter/words/clauses.ts';
import {openApi} from '../../../source/contract/openapi.ts';
import {readPermissions, routeOf} from '../../../source/contract/grammar/permissions.ts';
import {parsePublicKey} from '../../../source/contract/rules/public-key.ts';
import {canonicalRuntype, parseRuntype} from '../../../source/contract/rules/runtype.ts';
import {
	isHost,
	readForwards,
	shellText,
	sshWord,
} from '../../../source/contract/nouns/ssh-command.ts';
import {readTemplate, tagOf} from '../../../source/contract/nouns/template-content.ts';
import {parseTemplateSearch} from '../../../source/contract/nouns/template-search.ts';
import {parseVolumeSearch, readVolumeOrders} from '../../../source/contract/nouns/volume-search.ts';
import type {Endpoint, Schema} from '../../../source/contract/grammar/endpoint.ts';
import {growsLinearly, textOf} from './growth.ts';

const readers: Readonly<Record<string, (text: string) => unknown>> = {
	splitArguments,
	parseEnv,
	printEnv: text => printEnv([[text, text]]),
	readEnvObject: text => readEnvObject({[text]: text, [`-e ${text}`]: text, '-h': text}),
	containerPort: text => containerPort(`-p ${text}`),
	readNumber,
	readBoolean,
	readVersion,
	countryOf,
	isCountry,
	normal: text => normal('name', text),
	harmlessLine,
	harmlessText,
	harmlessJson,
	countCharacters,
	tagOf,
	parseRuntype,
	canonicalRuntype,
	parsePublicKey: text => parsePublicKey(`ssh-ed25519 ${text}`),
	isHost,
	readForwards,
	sshWord,
	shellText: text => shellText({program: 'ssh', args: [text]}),
	routeOf,
	readPermissions: text => readPermissions({api: {misc: {[text]: {}}}}),
	parseLine,
	scanLine: text => scanLine(text, lexicon),
	splitItems,
	completeLine: text =>
		completeLine(text, text.length, {gpus: [text], valuesOf: () => [text]}, lexicon),
	matchGpus: text => matchGpus(knownGpus([text]), text),
	readLocation,
	countriesOf,
	readAmount: text => readAmount(findOfferWord('dph_total'), text),
	lineWithout: text => lineWithout(text, []),
	readRemake: text => readRemake({args: text, env: text, onstart: text}),
	parseLedgerSearch: text => parseLedgerSearch({sdate: text}),
	...queriesOf({parseInstanceQuery, parseTemplateSearch}),
	parseRecordSearch: text => parseRecordSearch('when', {select_filters: text, limit: text}),
	parseOfferSearch: text => parseOfferSearch({num_gpus: text, order: [[text]], [text]: text}),
	parseVolumeSearch: text => parseVolumeSearch({num_gpus: {in: [text]}, limit: text}),
	readTemplate: text => readTemplate({env: text, runtype: text, name: text}),
};

/** What reads many words, of which a text has so many. */
const listReaders: Readonly<Record<string, (words: readonly EnvEntry[]) => unknown>> = {
	layEnv: words => layEnv(words, words),
	envProblem,
	readVolumeOrders: words => readVolumeOrders(undefined, words),
};

type QueryReader = (query: Readonly<Record<string, unknown>>) => unknown;

function queriesOf(parsers: Readonly<Record<string, QueryReader>>) {
	return Object.fromEntries(
		Object.entries(parsers).map(([name, parse]) => [
			name,
			(text: string) =>
				parse({select_filters: text, order_by: text, select_cols: text, limit: text}),
		]),
	);
}

const units = ['1', ' ', '"', '\\', '-', '.', ',', '=', '[', '1,', '-e ', '-p 1 ', 'a=1 ', '€'];
const ends = ['x', '"'];

test.for(Object.entries(readers))('%s takes as long as its text is long', ([, read]) => {
	const slow = units
		.flatMap(unit => ends.map(end => ({unit, end})))
		.filter(
			({unit, end}) => !growsLinearly(quietly(read), length => textOf(unit, length, '', end)),
		);
	expect(slow).toEqual([]);
});

const wordsAt = (length: number) =>
	Array.from({length: length / 10}, (_, at) => [`-v V.${at}:/${at}`, '1'] as const);

test.for(Object.entries(listReaders))('%s takes as long as its list is long', ([, read]) => {
	expect(growsLinearly(quietly(read), wordsAt)).toBe(true);
});

const endpoints: ReadonlyArray<readonly [string, Endpoint]> = Object.entries(contract).flatMap(
	([noun, calls]) =>
		Object.entries<Endpoint>(calls).map(
			([name, endpoint]) => [`${noun}.${name}`, endpoint] as const,
		),
);

test.for(endpoints)('what %s is sent is read as quickly as it is short', ([, endpoint]) => {
	const parts = [endpoint.params, endpoint.query, endpoint.body].filter(part => part !== undefined);
	const slow = parts.flatMap(schema =>
		['1', ' ', '"', '-', ',', 'a=1 '].flatMap(unit =>
			shapes
				.filter(
					shape => !growsLinearly(reading(schema, shape), length => textOf(unit, length, '', 'x')),
				)
				.map(shape => ({unit, shape: String(shape)})),
		),
	);
	expect(slow).toEqual([]);
});

/** What a part of a request may hold in the place of anything. */
const shapes: ReadonlyArray<(text: string) => unknown> = [
	text => text,
	text => [text, text],
	text => ({[text]: text, eq: text, in: [text]}),
];

const names = [...new Set(namesIn(openApi(contract)))];

function namesIn(value: unknown): readonly string[] {
	if (typeof value !== 'object' || value === null) return [];
	const own =
		'properties' in value && isRecord(value.properties) ? Object.keys(value.properties) : [];
	const parameter = 'in' in value && 'name' in value ? [String(value.name)] : [];
	return [...own, ...parameter, ...Object.values(value).flatMap(namesIn)];
}

function reading(schema: Schema, shape: (text: string) => unknown) {
	return (text: string) => {
		const value = shape(text);
		for (const name of names) schema.safeParse({[name]: value});
		schema.safeParse(Object.fromEntries(names.map(name => [name, value])));
	};
}

function quietly<Input>(read: (input: Input) => unknown) {
	return (input: Input) => {
		try {
			read(input);
		} catch {
			// What is refused was read, too.
		}
	};
}
