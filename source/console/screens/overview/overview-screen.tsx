import {useQuery} from '@tanstack/react-query';
import {useEffect, useMemo, useState} from 'react';
import type {FleetState} from '../../../renter/fleet/fleet-state.ts';
import {incompleteText} from '../../../renter/fleet/fleet-texts.ts';
import {derived} from '../../../renter/state/store.ts';
import {unwatched, watchKey} from '../../../renter/offers/watches.ts';
import {sentence} from '../../../renter/text/format.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {Notice} from '../../ui/notice.tsx';
import {Painted, useStore} from '../../ui/painted.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {chargesQuery} from '../../queries/account.ts';
import type {StackEntry, ScreenProps} from '../../services/router.ts';
import {useRenting, useOfferServices, useServices, useTime} from '../../services/services.tsx';
import {perDay} from '../account/spending.ts';
import {AskingPart} from '../instances/asking.tsx';
import {refreshFleet, type InstanceDialog} from '../instances/instance-actions.ts';
import {sweepTarget} from '../instances/sweep-target.ts';
import {counting, useHolding} from '../instances/use-actions.ts';
import {overviewBindings, type OverviewTarget} from './bindings.ts';
import {cursorTarget} from './cursor-target.ts';
import {isWideOverview, overviewLines} from './overview-lines.ts';
import {overviewAt, type OverviewData} from './overview-state.ts';
import {runningRows} from './use-lines.ts';

/** Charges change by the hour, and are many calls. */
const CHARGES_MS = 600_000;

export function OverviewScreen({stackEntry, router, size, say}: ScreenProps) {
	const services = useServices();
	const {fleet} = services;
	const {state, held, underWay} = overviewAt(stackEntry);
	const [asking, setAsking] = useState<InstanceDialog>();
	const {lines, readData, refetchCharges} = useLines(stackEntry, size);
	useEffect(() => fleet.watch(), [fleet]);
	useHolding(stackEntry, {held, underWay});
	const status = useStore(fleet.state, statusOf);
	if (asking !== undefined) {
		const onWork = counting(underWay);
		return (
			<AskingPart {...{asking, held, size, say, onWork}} onClose={() => setAsking(undefined)} />
		);
	}
	const announce = (text: string) => say({text, isError: false});
	const shown = () => fleet.state.get().rows.filter(({condition}) => condition !== 'gone').length;
	const target: OverviewTarget = {
		...sweepTarget({held, shown, fleet, ask: setAsking, services, announce}),
		...cursorTarget(readData, {state, router, size}),
		refresh() {
			refreshFleet(fleet, say);
			if (isWideOverview(size)) void refetchCharges();
		},
	};
	return (
		<KeyScope
			title="Overview"
			bindings={overviewBindings}
			target={target}
			onHold={() => target.hold()}
		>
			{status === undefined ? (
				<Painted source={lines} width={size.columns} height={size.rows} />
			) : (
				<Notice {...status} width={size.columns} height={size.rows} />
			)}
		</KeyScope>
	);
}

/** Lines of the overview and the data they are made of; redrawn when those change. */
function useLines(stackEntry: StackEntry, size: Size) {
	const {client, fleet, settings, theme} = useServices();
	const {use, trainings} = useRenting();
	const {priceWatches} = useOfferServices();
	const {now, timers} = useTime();
	const {state} = overviewAt(stackEntry);
	const following = useMemo(() => use.followAll(timers.now()), [use, timers]);
	useEffect(() => following.stop, [following]);
	useEffect(() => {
		const keep = () =>
			trainings.keep(runningRows(fleet.state.get().rows).map(({instance: {id}}) => id));
		keep();
		return fleet.state.subscribe(keep);
	}, [fleet, trainings]);
	const {data: charges, refetch: refetchCharges} = useQuery({
		...chargesQuery(client, now),
		enabled: isWideOverview(size),
		staleTime: CHARGES_MS,
		refetchInterval: CHARGES_MS,
	});
	const drawn = useMemo(() => {
		const days = charges && {first: charges.first, dollars: perDay(charges)};
		const readData = (): OverviewData => ({
			fleet: fleet.state.get(),
			history: following.samples.get(),
			runs: trainings.state.get(),
			days,
			watched: settings.get().watches.map(watch => ({
				watch,
				state: priceWatches.states.get().get(watchKey(watch)) ?? unwatched,
			})),
			now: timers.now(),
		});
		const {states} = priceWatches;
		const stores = [state, fleet.state, following.samples, trainings.state, states, settings];
		const lines = derived(stores, () => overviewLines(state.get(), readData(), {theme, size}));
		return {lines, readData};
	}, [state, fleet, following, trainings, priceWatches, settings, timers, charges, theme, size]);
	return {...drawn, refetchCharges};
}

const empty = {
	title: 'Nothing is running.',
	lines: ['Nothing is charged as far as this key can see.', '1 looks for offers.'],
};
const asking = {title: 'Asking what is rented', lines: []};

/** Notice in place of the parts: undefined if there are instances. */
function statusOf({rows, checkedAt, error, incomplete}: FleetState) {
	if (rows.length > 0) return undefined;
	if (checkedAt !== undefined) return incomplete === undefined ? empty : partOf(incomplete);
	return error === undefined ? asking : failed(error);
}

const statuses = new WeakMap<object, {readonly title: string; readonly lines: readonly string[]}>();

/** The same for the same failure, so that nothing is drawn again. */
function failed(error: Error) {
	return statuses.getOrInsertComputed(error, () => ({
		title: sentence(error.message),
		lines: ['Instances that run are not affected, and keep charging.', 'R tries again.'],
	}));
}

function partOf(incomplete: NonNullable<FleetState['incomplete']>) {
	return statuses.getOrInsertComputed(incomplete, () => ({
		title: `${incompleteText(incomplete)}.`,
		lines: ['What runs is charged. R asks again.'],
	}));
}
