/**
 * Methods that forward one call, derived from the contract: a client has them for every endpoint.
 */
import type {Endpoint, ReplyOf, RequestOf} from '../../contract/grammar/endpoint.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

/** Names of the parameters in a path, in its order. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
	? readonly [Name, ...NamesIn<Rest>]
	: readonly [];

type Picked<Given, Names extends readonly unknown[]> = {
	readonly [Index in keyof Names]: Names[Index] extends keyof Given ? Given[Names[Index]] : never;
};

type ParamsOf<Value extends Endpoint> =
	RequestOf<Value> extends {readonly params: infer Params}
		? Picked<Params, NamesIn<Value['path']>>
		: readonly [];

/** Body of a call; its query if the call has no body. */
type MainPartOf<Value extends Endpoint> =
	RequestOf<Value> extends {readonly body: infer Body}
		? readonly [Body]
		: RequestOf<Value> extends {readonly query: infer Query}
			? readonly [Query]
			: readonly [];

/** A call with the parameters of its path one by one, then its body, or otherwise its query. */
type Forwarding<Value extends Endpoint> = (
	...given: readonly [...ParamsOf<Value>, ...MainPartOf<Value>, options?: CallOptions]
) => Promise<ReplyOf<Value>>;

type Endpoints = Readonly<Record<string, Endpoint>>;

type ForwardingOf<Given extends Endpoints> = {
	readonly [Name in keyof Given]: Forwarding<Given[Name]>;
};

export function forwardingCalls<Given extends Endpoints>(
	call: CallEndpoint,
	endpoints: Given,
): ForwardingOf<Given> {
	const methods = Object.entries(endpoints).map(([name, endpoint]) => [
		name,
		forwarding(call, endpoint),
	]);
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each method is typed by its endpoint
	return Object.fromEntries(methods) as ForwardingOf<Given>;
}

function forwarding(call: CallEndpoint, endpoint: Endpoint) {
	const names = Array.from(endpoint.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
	const main = (['body', 'query'] as const).find(part => endpoint[part] !== undefined);
	return async (...given: readonly unknown[]): Promise<unknown> => {
		const params = Object.fromEntries(names.map((name, index) => [name, given[index]]));
		const rest = given.slice(names.length);
		const parts = main === undefined ? {params} : {params, [main]: rest.shift()};
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the last argument of each method
		return call(endpoint, parts, rest[0] as CallOptions | undefined);
	};
}
