import type {Contract} from '../../contract/index.ts';
import type {Handler} from './handler.ts';

export const search: Handler<Contract['offers']['search']> = async ({body}, {offers, clock}) =>
	offers.find(body, clock.now());
