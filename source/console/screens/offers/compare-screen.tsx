import type {Job} from '../../../contract/nouns/offer-cost.ts';
import {compareRows, comparedOffer, type Compared} from './compare.ts';
import {useQuery} from '@tanstack/react-query';
import {useLayoutEffect, useMemo, useState} from 'react';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {Painted, useStore} from '../../ui/painted.tsx';
import {sentence} from '../../../renter/text/format.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {offersQuery} from '../../queries/offers.ts';
import type {StackEntry, ScreenProps} from '../../services/router.ts';
import {
	useOfferServices,
	useServices,
	useTerminal,
	useTime,
	usePoll,
} from '../../services/services.tsx';
import {
	compareBindings,
	jobBindings,
	type CompareTarget,
	type JobTarget,
} from './compare-bindings.ts';
import {layOutComparison, compareLines, type Comparison} from './compare-lines.ts';
import {
	comparisonAt,
	dropColumn,
	jobWithEdits,
	pickColumn,
	pickedOf,
	scrollRows,
	toggleDifferences,
	toggleFallback,
	editJob,
	nextField,
	typeInJob,
	triedAfter,
	withTurns,
} from './compare-state.ts';
import {jobOf} from '../../../renter/offers/job.ts';
import {listBehind} from './search.ts';
import {listPricing} from './use-offers.ts';
import {searchForOffers} from '../../../renter/offers/search.ts';
import {derived} from '../../../renter/state/store.ts';

/** Interval of price updates during a comparison. */
const REFRESH_MS = 30_000;

type Props = ScreenProps & {readonly ids: readonly number[]};

export function CompareScreen(props: Props) {
	const {size} = props;
	const {comparison, refresh} = useComparison(props);
	const {theme, settings} = useServices();
	const state = comparisonAt(props.stackEntry);
	// Keys change only the state, whose lines go to the terminal without a render.
	const source = useMemo(
		() => derived([state, settings], () => compareLines({...comparison(), theme})),
		[state, settings, comparison, theme],
	);
	const isEditing = useStore(state, ({edit}) => edit !== undefined);
	const body = <Painted source={source} width={size.columns} height={size.rows} />;
	const target = useTarget(props, comparison, refresh);
	const job = useJobTarget(props.stackEntry);
	return (
		<KeyScope title="Compare" bindings={compareBindings} target={target}>
			{isEditing ? (
				<KeyScope isModal title="Job" bindings={jobBindings} target={job} onText={job.type}>
					{body}
				</KeyScope>
			) : (
				body
			)}
		</KeyScope>
	);
}

type Compare = () => Omit<Comparison, 'theme'>;

/** Comparison of offers by the service's records, and until these come, by the list's. */
function useComparison({stackEntry, router, size, ids}: Props) {
	const {client, settings} = useServices();
	const {hosts} = useOfferServices();
	const {now: clock} = useTime();
	// The disk that the answer was priced for, as the edited job may have another.
	const [pricedGb] = useState(() => settings.get().diskGb);
	const terms = {diskGb: pricedGb, pricing: listPricing(router.stack.get())};
	const {data, refetch} = useQuery(
		offersQuery(client, searchForOffers(ids, terms), jobOf(settings.get())),
	);
	const again = async () => refetch({throwOnError: true, cancelRefetch: false});
	usePoll(again, {everyMs: REFRESH_MS, firstMs: REFRESH_MS});
	const state = comparisonAt(stackEntry);
	useLayoutEffect(() => {
		// Later answers are compared with the first.
		const isFirst = data !== undefined && state.get().firstRead.size === 0;
		if (isFirst) state.set({...state.get(), firstRead: new Map(data.offers.map(withId))});
	}, [state, data]);
	const readAt = useMemo(() => (data === undefined ? undefined : clock()), [data, clock]);
	const comparison = useMemo<Compare>(() => {
		const known = new Map([
			...(listBehind(router.stack.get())?.state.get().rows ?? []).map(withId),
			...(data?.offers ?? []).map(withId),
		]);
		// An offer that could not be read is not gone.
		const isWhole = data?.unreadable.count === 0;
		const found = isWhole ? new Set(data.offers.map(({id}) => id)) : undefined;
		return () => {
			const now = state.get();
			const job = jobWithEdits(now, jobOf(settings.get()));
			const offers = ids
				.filter(id => !now.dropped.includes(id))
				.map(id => {
					const offer = known.get(id) ?? {id};
					const host = hosts.of(offer.host_id);
					const isGone = found?.has(id) === false || offer.rentable === false;
					return comparedOffer(offer, {
						job,
						pricedGb,
						firstRead: now.firstRead.get(id),
						host,
						isGone,
					});
				});
			return {offers: withTurns(offers, now.reversed), job, readAt, state: now, size};
		};
	}, [router, state, settings, hosts, ids, data, readAt, pricedGb, size]);
	return {comparison, refresh: refetch};
}

function withId(offer: Offer): readonly [number, Offer] {
	return [offer.id, offer];
}

function useTarget(
	{stackEntry, router, say}: Props,
	comparison: Compare,
	refresh: ReturnType<typeof useComparison>['refresh'],
): CompareTarget {
	const {settings} = useServices();
	const {copy} = useTerminal();
	const state = comparisonAt(stackEntry);
	const ids = () => comparison().offers.map(({offer}) => offer.id);
	return {
		pick: step => state.set(pickColumn(state.get(), ids(), step)),
		drop: () => state.set(dropColumn(state.get(), ids())),
		scroll(by, direction) {
			const {hidden, room} = layOutComparison(comparison());
			const distance = by === 'line' ? 1 : by === 'page' ? room : Number.MAX_SAFE_INTEGER;
			state.set(scrollRows(state.get(), direction * distance, hidden));
		},
		toggleDifferences: () => state.set(toggleDifferences(state.get())),
		toggleFallback: () => state.set(toggleFallback(state.get(), ids())),
		editJob: () => state.set({...state.get(), edit: editJob(jobOf(settings.get()))}),
		open() {
			const id = ids()[pickedOf(state.get(), ids())];
			if (id !== undefined) router.go({name: 'offer', id});
		},
		copy() {
			const {offers, job} = comparison();
			copy(comparisonText(offers, job));
		},
		rent() {
			const id = ids()[pickedOf(state.get(), ids())];
			const fallback = id === undefined ? [] : triedAfter(comparison().offers, id);
			if (id !== undefined) router.go({name: 'rent', offerId: id, fallback});
		},
		rentUnavailable: () => (ids().length === 0 ? 'every column was dropped' : undefined),
		async refresh() {
			const {data, error} = await refresh();
			if (error !== null) say({text: sentence(error.message), isError: true});
			else if (data !== undefined)
				state.set({...state.get(), firstRead: new Map(data.offers.map(withId))});
		},
	};
}

/** Prices follow while the job is edited, and Enter keeps it for every price. */
function useJobTarget(stackEntry: StackEntry): JobTarget {
	const {settings} = useServices();
	const state = comparisonAt(stackEntry);
	const close = () => state.set({...state.get(), edit: undefined});
	return {
		problem: () => state.get().edit?.problem,
		next(step) {
			const {edit} = state.get();
			if (edit !== undefined) state.set({...state.get(), edit: nextField(edit, step)});
		},
		accept() {
			const {edit} = state.get();
			close();
			if (edit !== undefined) settings.change(edit.job);
		},
		cancel: close,
		type(key) {
			const now = state.get();
			const edit = now.edit === undefined ? undefined : typeInJob(now.edit, key);
			if (edit === undefined) return false;
			state.set({...now, edit});
			return true;
		},
	};
}

/** A line for each row, with its columns between tabs; the first names the offers. */
function comparisonText(offers: readonly Compared[], job: Job): string {
	const rows = compareRows(offers, job).map(({title, cells}) => [
		title.trim(),
		...cells.map(({text}) => text),
	]);
	const names = ['offer', ...offers.map(({offer}) => String(offer.id))];
	return [names, ...rows].map(cells => cells.join('\t')).join('\n');
}
