/** The contract as documents: OpenAPI 3.1 for programs, and a page for people. */
import * as z from 'zod/mini';
import {bounds, holders, MOST_DELIVERIES, type Bound} from './grammar/bounds.ts';
import {USUAL_BODY, type Alias, type Endpoint, type Schema} from './grammar/endpoint.ts';
import {refusalReply, tooManyReply} from './grammar/errors.ts';
import {fieldsOf, listOf} from './grammar/json.ts';
import {signedBy} from './nouns/account.ts';
import {described} from './grammar/tolerant.ts';

type Json = Readonly<Record<string, unknown>>;

type Endpoints = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

export function openApi(contract: Endpoints): Json {
	const operations = Object.entries(contract).flatMap(([noun, endpoints]) =>
		Object.entries(endpoints).flatMap(([name, endpoint]) => operationsOf(noun, name, endpoint)),
	);
	const paths = Map.groupBy(operations, ({path}) => path);
	return {
		openapi: '3.1.0',
		info: {
			title: 'GPU rental marketplace',
			version: '1.0.0',
			description: 'Offers of machines with GPUs, and all it takes to rent them.',
		},
		servers: [{url: '/'}],
		'x-bounds': bounds,
		paths: Object.fromEntries(
			[...paths].map(([path, here]) => [
				path,
				Object.fromEntries(here.map(({method, operation}) => [method, operation])),
			]),
		),
		components: {
			securitySchemes: {
				bearer: {type: 'http', scheme: 'bearer'},
				signature: {type: 'apiKey', in: 'header', name: signedBy.signature},
			},
			schemas: {Refusal: schemaOf(refusalReply), TooMany: schemaOf(tooManyReply)},
		},
	};
}

type Operation = {readonly path: string; readonly method: string; readonly operation: Json};

function operationsOf(noun: string, name: string, endpoint: Endpoint): readonly Operation[] {
	const {method, path, aliases = []} = endpoint;
	const forms: readonly Alias[] = [{method, path}, ...aliases];
	return forms.map((form, index) => ({
		path: form.path,
		method: form.method.toLowerCase(),
		operation: {
			operationId: `${noun}.${name}${index === 0 ? '' : `.${index + 1}`}`,
			tags: [noun],
			summary: endpoint.summary,
			...(index > 0 && {description: `Another form of ${method} ${path}.`}),
			...requestOf(endpoint, form),
			responses: responsesOf(endpoint),
			security: securityOf(endpoint),
			...(endpoint.extension === true && {'x-extension': true}),
			'x-permission': endpoint.permission ?? null,
			'x-threshold': endpoint.thresholdSeconds ?? null,
			'x-most-bytes': endpoint.mostBytes ?? USUAL_BODY.bytes,
			...(endpoint.makes !== undefined && {'x-makes': endpoint.makes}),
		},
	}));
}

function securityOf({permission, keyless, signed}: Endpoint): readonly Json[] {
	if (signed === true) return [{signature: []}];
	if (permission === undefined) return [];
	return keyless === true ? [{bearer: []}, {}] : [{bearer: []}];
}

function requestOf({params, query, body}: Endpoint, {bodyIn}: Alias): Json {
	const written = body && schemaOf(body);
	const parameters = [
		...parametersOf('path', params),
		...parametersOf('query', query),
		...(bodyIn === 'q of query' ? [{name: 'q', in: 'query', content: asJson(written)}] : []),
	];
	const inBody = bodyIn === 'q of body' ? {type: 'object', properties: {q: written}} : written;
	return {
		parameters,
		...(inBody !== undefined &&
			bodyIn !== 'q of query' && {requestBody: {content: asJson(inBody)}}),
	};
}

function parametersOf(place: 'path' | 'query', schema: Schema | undefined): readonly Json[] {
	if (schema === undefined) return [];
	const {properties, required} = schemaOf(schema);
	const needed = listOf(required);
	return Object.entries(fieldsOf(properties)).map(([name, of]) => ({
		name,
		in: place,
		required: place === 'path' || needed.includes(name),
		schema: of,
	}));
}

function responsesOf({replies}: Endpoint): Json {
	const known = Object.fromEntries(
		Object.entries(replies).map(([status, schema]) => [
			status,
			{
				description: descriptions.get(Number(status)) ?? 'Refused',
				content: asJson(
					shared.has(schema)
						? {$ref: `#/components/schemas/${shared.get(schema)}`}
						: schemaOf(schema),
				),
			},
		]),
	);
	const other = {description: 'Refused', content: asJson({$ref: '#/components/schemas/Refusal'})};
	return {...known, default: other};
}

/** Schemas that many endpoints share, written once. */
const shared: ReadonlyMap<Schema, string> = new Map<Schema, string>([
	[refusalReply, 'Refusal'],
	[tooManyReply, 'TooMany'],
]);

const descriptions: ReadonlyMap<number, string> = new Map([
	[200, 'Done'],
	[400, 'What was sent is not what it must be'],
	[401, 'No key, or one that is not in use'],
	[403, 'The key lacks a permission'],
	[404, 'There is no such thing'],
	[410, 'It is gone'],
	[413, 'The body is too large'],
	[415, 'The body is not sent as JSON'],
	[429, 'Too many calls: Retry-After says how many seconds to wait'],
]);

function asJson(schema: Json | undefined): Json {
	return {'application/json': {schema: schema ?? {}}};
}

/** A schema as it is on the wire, before it is parsed. */
export function schemaOf(schema: Schema): Json {
	const {$schema: _, ...written} = z.toJSONSchema(schema, {
		io: 'input',
		unrepresentable: 'any',
		override({zodSchema, jsonSchema}) {
			// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only looked up, whatever it is
			const whole = described.get(zodSchema as unknown as z.ZodMiniType);
			if (whole !== undefined) Object.assign(jsonSchema, schemaOf(whole));
		},
	});
	return written;
}

const intro = [
	'# Endpoints',
	'Made from the contract by `npm run docs`. `/openapi.json` of a market has all of it, with what is sent and answered.',
	'Calls carry `Authorization: Bearer KEY`. *Needs* is the permission that the key must have. *Pace* is the least seconds between two calls of an account, on average: some may come at once. A body has at most `x-most-bytes`, and 1,000 names of fields.',
	"Times are of the market's own clock, which the `Date` header of every answer shows. The `duration` of an instance and of an offer is the time that it has left at the beginning of the present minute; an instance's age is counted from `start_date`.",
	'Searches of offers and lists of instances have an `ETag`. Asked again with it in `If-None-Match`, also by POST, they answer 304 and no body for as long as nothing of the reply has changed. Such a call counts toward the pace like any other.',
];

export function writeApiPage(contract: Endpoints): string {
	const tables = Object.entries(contract).map(([noun, endpoints]) => {
		const rows = Object.values(endpoints).map(writeRow);
		const words = noun.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
		const title = words.replace(/^(api|ssh) /, word => word.toUpperCase());
		return [
			`## ${title.charAt(0).toUpperCase()}${title.slice(1)}`,
			'',
			'| call | what it does | needs | pace |',
			'|---|---|---|---|',
			...rows,
		].join('\n');
	});
	return `${[...intro, writeBounds(contract), ...tables].join('\n\n')}\n`;
}

function writeBounds(contract: Endpoints): string {
	const endpoints = Object.values(contract).flatMap(ofNoun => Object.values(ofNoun));
	const rows = Object.entries<Bound>(bounds).map(([kind, {name, most, aDay, counts}]) => {
		const calls = endpoints.filter(({makes = []}) => makes.some(made => made === kind));
		const forms = calls.map(({method, path}) => `\`${method} ${path}\``).join('<br>');
		const [present, daily] = [most, aDay].map(bound => bound?.toLocaleString('en') ?? '');
		return `| ${name} | ${present} | ${daily} | ${holders[counts]} | ${forms} |`;
	});
	return [
		'## Bounds',
		'',
		'How many things may be there at once, and be made in 24 hours. One more is refused in a sentence: by 400 where there are too many, by 429 where they come too quickly. The 24 hours of most kinds begin with the first one. The number of a thing that was is never given to another one.',
		'',
		`A webhook has at most ${MOST_DELIVERIES.toLocaleString('en')} deliveries on their way. An event beyond them is not sent to it.`,
		'',
		'| what | at once | in 24 hours | of | made by |',
		'|---|---|---|---|---|',
		...rows,
	].join('\n');
}

function writeRow({method, path, aliases = [], ...endpoint}: Endpoint): string {
	const forms = [{method, path}, ...aliases].map(form => `\`${form.method} ${form.path}\``);
	const {summary, permission, keyless, signed, thresholdSeconds} = endpoint;
	const pace = thresholdSeconds === undefined ? '' : `${thresholdSeconds} s`;
	const needs =
		permission === undefined || permission === 'any key' ? permission : `\`${permission}\``;
	const otherwise = signed === true ? 'a signature' : 'no key';
	const key = keyless === true ? `${needs}, or no key` : (needs ?? otherwise);
	return `| ${forms.join('<br>')} | ${summary} | ${key} | ${pace} |`;
}
