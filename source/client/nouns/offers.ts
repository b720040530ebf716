import type {
	GpuFigures,
	GpuHistory,
	GpuLocation,
	MachineChoice,
} from '../../contract/nouns/gpu-market.ts';
import {contract} from '../../contract/index.ts';
import {anyOffers, type OfferSearch} from '../../contract/nouns/offer-search.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const {search, gpuNames} = contract.offers;

export type FoundOffers = {readonly offers: readonly Offer[]; readonly unreadable: Unreadable};

export type GpuNames = {readonly names: readonly string[]; readonly unreadable: Unreadable};

export function offerCalls(call: CallEndpoint) {
	return {
		async search(wanted: Partial<OfferSearch> = {}, options?: CallOptions): Promise<FoundOffers> {
			const body = {...anyOffers, ...wanted};
			const {offers, unreadable} = await call(search, {body}, options);
			return {offers, unreadable};
		},
		async gpuNames(options?: CallOptions): Promise<GpuNames> {
			const {gpu_names: names, unreadable} = await call(gpuNames, {}, options);
			return {names, unreadable};
		},
	};
}

export type GpuMarketNow = {
	readonly gpus: readonly GpuFigures[];
	readonly unreadable: Unreadable;
};

const gpus = contract.gpuMarket;

/** Search defaults that match machines of every kind. */
const anyMachine = {verified: 'all', hosting_type: 'all', num_gpus: 'all'} as const;

export function gpuMarketCalls(call: CallEndpoint) {
	return {
		/** Counts of GPUs offered and rented at present, with their prices. */
		async current(
			choice: Partial<MachineChoice> = {},
			options?: CallOptions,
		): Promise<GpuMarketNow> {
			const query = {...anyMachine, ...choice};
			const {gpus: found, unreadable} = await call(gpus.current, {query}, options);
			return {gpus: found, unreadable};
		},
		/** Counts and prices of some GPUs over time, by their names; undefined for all. */
		async history(
			names: readonly string[] | undefined,
			{start, end, step, ...choice}: Partial<MachineChoice & HistorySpan> = {},
			options?: CallOptions,
		): Promise<ReadonlyMap<string, GpuHistory>> {
			const query = {...anyMachine, ...choice, gpu_name: names?.join(','), start, end, step};
			const {gpus: found} = await call(gpus.history, {query}, options);
			return new Map(Object.entries(found));
		},
		async locations(options?: CallOptions): Promise<readonly GpuLocation[]> {
			return (await call(gpus.locations, {}, options)).locations;
		},
	};
}

/** Seconds since 1970, and seconds between two points. */
export type HistorySpan = {readonly start: number; readonly end: number; readonly step: number};
