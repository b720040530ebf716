/** The lines around every screen, as bands: header and tabs above it, message and hints below. */
import {alertWords, type KeptAlerts} from '../../renter/alerts/kept-alerts.ts';
import type {FleetState} from '../../renter/fleet/fleet-state.ts';
import {fleetWords, troubleCount} from '../../renter/fleet/fleet-words.ts';
import {derived, type Readable} from '../../renter/state/store.ts';
import {headerLine, tabsLine} from '../ui/chrome.ts';
import {hintsLine} from '../ui/hints.ts';
import type {Band} from '../ui/panes.ts';
import {belowLine, messageLine} from '../ui/message.ts';
import type {Place} from '../services/router.ts';
import {renterTabs, tabOf, tabs} from '../screens/tabs.ts';
import type {Stage} from './stage.ts';
import type {Theme} from '../ui/theme.ts';

/** Header, tabs, message and hints. */
export const LINES_AROUND = 4;

/** State of what is rented, and of what was told of it. */
type Known = {
	readonly theme: Theme;
	readonly fleet: Readable<FleetState>;
	readonly alerts: Readable<KeptAlerts>;
	/** The account has machines: their tab is shown. */
	readonly hasMachines: Readable<boolean | undefined>;
};

export function bandsAround(
	{keymap, message, pulse, service, router}: Omit<Stage, 'close' | 'rebound'>,
	{theme, fleet, alerts, hasMachines}: Known,
	width: number,
) {
	const band = (stores: ReadonlyArray<Readable<unknown>>, line: () => string): Band => [
		{source: derived(stores, () => [line()]), width, height: 1},
	];
	return {
		above: [
			band([pulse, fleet, alerts], () =>
				headerLine(theme, width, service, pulse.get(), {
					...fleetWords(fleet.get()),
					alerts: alertWords(alerts.get()),
				}),
			),
			band([router.stack, fleet, hasMachines], () => {
				const active = activeIn(router.stack.get());
				const isProvider =
					hasMachines.get() === true || tabs[active]?.destination.name === 'machines';
				const shown = tabsWith(troubleCount(fleet.get().troubles), isProvider);
				return tabsLine(theme, width, shown, active);
			}),
		],
		below: [
			band([message], () => messageLine(theme, width, message.get())),
			band(
				[keymap.changes, message],
				() => belowLine(width, message.get()) ?? hintsLine(theme, width, keymap.reachable()),
			),
		],
	};
}

/** The tabs; that of instances says how many are in trouble. */
function tabsWith(trouble: number, isProvider: boolean) {
	return (isProvider ? tabs : renterTabs).map(tab =>
		tab.destination.name === 'instances' && trouble > 0
			? {...tab, title: `${tab.title} ${trouble}!`, short: `${tab.short} ${trouble}!`}
			: tab,
	);
}

/** The tab of the last place that has one. */
function activeIn(stack: readonly Place[]): number {
	const known = stack.map(({destination}) => tabOf[destination.name]);
	return known.findLast(tab => tab !== undefined) ?? 0;
}
