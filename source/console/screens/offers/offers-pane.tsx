import {useMemo} from 'react';
import {costOf, type Job} from '../../../contract/offer-cost.ts';
import type {Offer} from '../../../contract/offers.ts';
import {Painted, REST_MS} from '../../components/painted.tsx';
import type {List} from '../../list/list.ts';
import {useSeenOffers, useServices, useSettings, useTime} from '../../services.tsx';
import {watchKey} from '../../../renter/offers/watches.ts';
import {jobOf} from '../../../renter/offers/job.ts';
import type {Pane} from './pane.ts';
import {paneLines} from './pane-lines.ts';
import {pricesIn} from '../../../renter/offers/prices.ts';
import {describeState, describeWatch} from './saved/saved-lines.ts';
import {derived, rested} from '../../../renter/store.ts';

/** The most ranges of prices that are told apart in each of the panes. */
const bins: Readonly<Record<Pane, number>> = {summary: 8, prices: 16, raw: 1, off: 1};

type Props = {
	readonly table: List<Offer>;
	readonly pane: Pane;
	readonly width: number;
	readonly height: number;
};

/** Pane beside the list. It follows the cursor without React. */
export function OffersPane({table, pane, width, height}: Props) {
	const {theme} = useServices();
	const {hosts, priceWatches} = useSeenOffers();
	const {after} = useTime().timers;
	const settings = useSettings();
	const source = useMemo(() => {
		const job = jobOf(settings);
		const pricesAmong = remembered((rows: readonly Offer[]) => pricesByGpu(rows, job, bins[pane]));
		const shown = derived([table.state, priceWatches.states], () => {
			const offer = table.current();
			return paneLines({
				pane,
				offer,
				...pricesAmong(table.state.get().rows)(offer?.gpu_name ?? ''),
				job,
				host: hosts.of(offer?.host_id),
				watches: settings.watches.map(watch => [
					describeWatch(watch),
					describeState(priceWatches.states.get().get(watchKey(watch))),
				]),
				theme,
				width,
				height,
			});
		});
		return rested(shown, after, REST_MS);
	}, [table, pane, settings, hosts, priceWatches, theme, width, height, after]);
	return <Painted source={source} width={width} height={height} />;
}

/**
 * The prices of a result. Where it has several kinds of GPU, those of one kind: what another kind
 * costs says nothing about an offer.
 */
function pricesByGpu(rows: readonly Offer[], job: Job, mostBins: number) {
	const groups = Map.groupBy(rows, ({gpu_name: gpu}) => gpu ?? '');
	const of = remembered((kind: readonly Offer[]) =>
		pricesIn(
			kind.flatMap(row => costOf(row, job).allInPerGpu ?? []),
			mostBins,
		),
	);
	return (gpu: string) => ({
		prices: of(groups.get(gpu) ?? rows),
		kind: groups.size > 1 && groups.has(gpu) ? gpu : undefined,
	});
}

/** A function that works out its result again only for something else: thousands of rows are not sorted at a key press. */
function remembered<Given extends object, Result>(work: (given: Given) => Result) {
	let last: {readonly given: Given; readonly result: Result} | undefined;
	return (given: Given): Result => {
		if (last?.given !== given) last = {given, result: work(given)};
		return last.result;
	};
}
