/** Every form in which the endpoints of the contract can be called. */
import type {Alias, Endpoint} from '../contract/grammar/endpoint.ts';
import {contract} from '../contract/index.ts';
import type {ApiKey} from './base/api-key.ts';
import type {Services} from './services.ts';
import {handlers} from './index.ts';

/** The parts of a request, by what the endpoint declares. */
export type Parts = {readonly params?: unknown; readonly query?: unknown; readonly body?: unknown};

export type Form = {
	readonly endpoint: Endpoint;
	readonly method: string;
	/** As hono writes it, without a trailing slash. */
	readonly path: string;
	readonly bodyIn: Alias['bodyIn'];
	readonly handle: (
		parts: Parts,
		context: Services & {
			readonly caller: ApiKey | undefined;
			readonly signal: AbortSignal;
			readonly origin: string;
			readonly known: string | undefined;
		},
	) => unknown;
};

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;

export const forms: readonly Form[] = Object.entries(byNoun).flatMap(([noun, endpoints]) =>
	Object.entries(endpoints).flatMap(([name, endpoint]) => formsOf(endpoint, handlerOf(noun, name))),
);

function formsOf(endpoint: Endpoint, handle: Form['handle']): readonly Form[] {
	const written: readonly Alias[] = [
		{method: endpoint.method, path: endpoint.path},
		...(endpoint.aliases ?? []),
	];
	return written.map(({method, path, bodyIn}) => ({
		endpoint,
		method,
		path: path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1'),
		bodyIn,
		handle,
	}));
}

function handlerOf(noun: string, name: string): Form['handle'] {
	const handlersByNoun: Readonly<Record<string, Readonly<Record<string, unknown>>>> = handlers;
	// The type of `handlers` says that each takes what its endpoint declares, and the server
	// decodes by the same endpoint; a table walked by name loses sight of that.
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
	return handlersByNoun[noun]?.[name] as Form['handle'];
}
