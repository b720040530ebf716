import type {Contract} from '../../contract/index.ts';
import {offeredGpuNames} from './store.ts';
import {unlessKnown} from '../base/json-reply.ts';
import type {Handler} from '../http/handler.ts';
import type {OfferFinder} from './offer-finder.ts';

type Needs = {readonly offers: OfferFinder};

export const search: Handler<Contract['offers']['search'], Needs> = async (
	{body},
	{offers, clock, caller, known},
) => {
	const now = clock.now();
	const of = [caller?.accountId, 'offers', body, await offers.version()];
	return unlessKnown(known, {of, now}, async () => offers.find(body, now));
};

export const gpuNames: Handler<Contract['offers']['gpuNames']> = async (_, {database, clock}) => ({
	gpu_names: [...(await offeredGpuNames(database, clock.now()))],
});
