/**
 * Holds what a market answers to what it says of itself: each reply, and each request of our own
 * client, is checked by ajv against the OpenAPI document, which is made of one endpoint at a time.
 */
import {subscribe} from 'node:diagnostics_channel';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js';
import type {Endpoint} from '../../../source/contract/grammar/endpoint.ts';
import {contract} from '../../../source/contract/index.ts';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {openApi} from '../../../source/contract/openapi.ts';

type Form = {
	readonly method: string;
	readonly pattern: RegExp;
	readonly path: string;
	readonly name: string;
	readonly endpoint: Endpoint;
};

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;

const forms: readonly Form[] = Object.entries(byNoun).flatMap(([noun, endpoints]) =>
	Object.entries(endpoints).flatMap(([name, endpoint]) =>
		[endpoint, ...(endpoint.aliases ?? [])].map(({method, path}) => ({
			method,
			path,
			pattern: new RegExp(
				`^${path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`,
			),
			name: `${noun}.${name}`,
			endpoint,
		})),
	),
);

const ajv = new Ajv2020({strict: false, validateFormats: false});
const documents = new Set<string>();
const validators = new Map<string, ValidateFunction | undefined>();

/** Validator of a place in the document of an endpoint; undefined where it has no such place. */
function validatorAt({name, endpoint}: Form, place: readonly string[]) {
	const key = [name, ...place].join(' ');
	if (validators.has(key)) return validators.get(key);
	if (!documents.has(name)) {
		documents.add(name);
		ajv.addSchema({$id: name, ...openApi({noun: {name: endpoint}})});
	}
	const pointer = place.map(part => part.replaceAll('~', '~0').replaceAll('/', '~1'));
	const ref = `${name}#/${pointer.map(part => encodeURIComponent(part)).join('/')}`;
	const validator = partOf(endpoint, place) === undefined ? undefined : ajv.compile({$ref: ref});
	validators.set(key, validator);
	return validator;
}

/** Part of the document of an endpoint. */
function partOf(endpoint: Endpoint, place: readonly string[]): unknown {
	const document: unknown = openApi({noun: {name: endpoint}});
	return place.reduce<unknown>(
		(inner, part) =>
			isRecord(inner) || Array.isArray(inner) ? Reflect.get(inner, part) : undefined,
		document,
	);
}

/** What our client wrote into a path or a query that the document does not have. */
function problemOfAddress(form: Form, {pathname, searchParams}: URL): string | undefined {
	const place = ['paths', form.path, form.method.toLowerCase(), 'parameters'];
	const listed = partOf(form.endpoint, place);
	const parameters: readonly unknown[] = Array.isArray(listed) ? listed : [];
	const inPath = Object.entries(form.pattern.exec(pathname)?.groups ?? {});
	const given = [
		...inPath.map(([name, text]) => ({place: 'path', name, text: decodeURIComponent(text)})),
		...[...searchParams].map(([name, text]) => ({place: 'query', name, text})),
	];
	for (const {place: where, name, text} of given) {
		const index = parameters.findIndex(
			one => isRecord(one) && one['in'] === where && one['name'] === name,
		);
		if (index === -1) return `${where} ${name} is not described`;
		const own = [...place, String(index)];
		const written = validatorAt(form, [...own, 'content', 'application/json', 'schema']);
		const plain = validatorAt(form, [...own, 'schema']);
		const problem = written
			? refused(written, text)
			: plain && refused(plain, JSON.stringify(text));
		if (problem !== undefined) return `${where} ${name}: ${problem}`;
	}
	const missing = parameters.find(
		one =>
			isRecord(one) &&
			one['required'] === true &&
			!given.some(({place: where, name}) => where === one['in'] && name === one['name']),
	);
	return missing === undefined ? undefined : `${JSON.stringify(missing)} is missing`;
}

type Exchange = {
	readonly method: string;
	readonly url: URL;
	readonly sent: string;
	readonly isOurs: boolean;
	readonly status: number;
	readonly answer: string;
};

/** Sentence about what the document does not have; undefined where all is as it says. */
function problemOf({method, url, sent, isOurs, status, answer}: Exchange): string | undefined {
	// The first that fits is the one that a market takes.
	const form = forms.find(one => one.method === method && one.pattern.test(url.pathname));
	if (form === undefined || answer === '') return undefined;
	const operation = ['paths', form.path, method.toLowerCase()];
	const json = ['content', 'application/json', 'schema'];
	const known = validatorAt(form, [...operation, 'responses', String(status), ...json]);
	const replied = known ?? validatorAt(form, [...operation, 'responses', 'default', ...json]);
	const about = `${method} ${form.path}`;
	if (replied === undefined) return `${about} answers ${status}, which is not described`;
	const problem = refused(replied, answer);
	if (problem !== undefined) return `${about} answers ${status}: ${problem}`;
	if (!isOurs || status !== 200) return undefined;
	const addressed = problemOfAddress(form, url);
	if (addressed !== undefined) return `our client sends to ${about}: ${addressed}`;
	if (sent === '') return undefined;
	const asked = validatorAt(form, [...operation, 'requestBody', ...json]);
	const wrong = asked && refused(asked, sent);
	return wrong && `our client sends to ${about}: ${wrong}`;
}

function refused(validate: ValidateFunction, json: string): string | undefined {
	const value: unknown = JSON.parse(json);
	if (validate(value)) return undefined;
	return `${ajv.errorsText(validate.errors)} in ${json.slice(0, 2000)}`;
}

/** Problems of the markets that listen on a port. */
const problems = new Map<number, string[]>();

/** Texts of a stream, as it is written or read. */
function collect(take: (chunk: Buffer) => void, chunk: unknown): void {
	if (typeof chunk === 'string') take(Buffer.from(chunk));
	else if (chunk instanceof Uint8Array) take(Buffer.from(chunk));
}

function watch(request: IncomingMessage, response: ServerResponse): void {
	const found = problems.get(request.socket.localPort ?? 0);
	if (found === undefined) return;
	const [sent, answered]: [Buffer[], Buffer[]] = [[], []];
	const emit = request.emit.bind(request);
	request.emit = (event: string | symbol, ...values: unknown[]) => {
		if (event === 'data') collect(chunk => sent.push(chunk), values[0]);
		return emit(event, ...values);
	};
	for (const name of ['write', 'end'] as const) {
		const write: (...values: never[]) => unknown = response[name];
		Object.assign(response, {
			[name](...values: unknown[]) {
				collect(chunk => answered.push(chunk), values[0]);
				const done: unknown = Reflect.apply(write, response, values);
				return done;
			},
		});
	}
	response.on('finish', () => {
		// What is no address is no call.
		const url = URL.parse(request.url ?? '/', 'http://market');
		if (url === null) return;
		const problem = problemOf({
			method: request.method ?? '',
			url,
			sent: Buffer.concat(sent).toString(),
			isOurs: /^rentty\b/.test(request.headers['user-agent'] ?? ''),
			status: response.statusCode,
			answer: Buffer.concat(answered).toString(),
		});
		if (problem !== undefined) found.push(problem);
	});
}

subscribe('http.server.request.start', message => {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node documents it so
	const {request, response} = message as {request: IncomingMessage; response: ServerResponse};
	watch(request, response);
});

/** Watches a market; what comes back ends that, and throws what its document does not have. */
export function holdToDocument(marketUrl: string): () => void {
	const port = Number(new URL(marketUrl).port);
	const found: string[] = [];
	problems.set(port, found);
	return () => {
		problems.delete(port);
		if (found.length > 0) throw new Error([...new Set(found)].join('\n'));
	};
}
