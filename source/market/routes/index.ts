import type {Endpoint} from '../../contract/endpoint.ts';
import type {Contract, Noun} from '../../contract/index.ts';
import type {Handler} from './handler.ts';
import * as offers from './offers.ts';

/** What answers every endpoint of the contract: one that is forgotten does not compile. */
export type Handlers = {
	readonly [Name in Noun]: {
		readonly [Call in keyof Contract[Name]]: Contract[Name][Call] extends infer Value extends
			Endpoint
			? Handler<Value>
			: never;
	};
};

export const handlers: Handlers = {offers};
