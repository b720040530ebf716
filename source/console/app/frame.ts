/** The lines around every screen, as bands: header and tabs above it, message and hints below. */
import {writeKeys, type Reachable} from '../ui/bindings.ts';
import {pad, headerLine, partAt, tabAt, tabsLine} from '../ui/chrome.ts';
import type {Key} from '../terminal/input/keys.ts';
import type {ReachableScope} from '../ui/keymap.ts';
import {widthOf} from '../../renter/text/text-width.ts';
import type {Theme} from '../ui/theme.ts';
import {alertCountText, type KeptAlerts} from '../../renter/alerts/kept-alerts.ts';
import type {FleetState} from '../../renter/fleet/fleet-state.ts';
import {fleetTexts, troubleCount} from '../../renter/fleet/fleet-texts.ts';
import {derived, type Readable} from '../../renter/state/store.ts';
import type {Band} from '../ui/panes.ts';
import {belowLine, messageLine} from '../ui/message.ts';
import {type StackEntry, renterTabs, tabOf, tabs} from '../services/router.ts';
import type {Stage} from './stage.ts';

/** Header, tabs, message and hints. */
export const FRAME_LINES = 4;
/** Lines above it. */
export const LINES_ABOVE = 2;

type FrameState = {
	readonly theme: Theme;
	readonly fleet: Readable<FleetState>;
	readonly alerts: Readable<KeptAlerts>;
	/** The account has machines: their tab is shown. */
	readonly hasMachines: Readable<boolean | undefined>;
};

export function bandsAround(
	{keymap, message, pulse, service, router}: Omit<Stage, 'close' | 'rebound'>,
	{theme, fleet, alerts, hasMachines}: FrameState,
	width: number,
) {
	const band = (
		stores: ReadonlyArray<Readable<unknown>>,
		line: () => string,
		keyAt?: (column: number) => Key | undefined,
	): Band => [
		{
			source: {
				...derived(stores, () => [line()]),
				click: keyAt && ((_, column) => keyAt(column)),
			},
			width,
			height: 1,
		},
	];
	const tabsNow = () => {
		const active = activeIn(router.stack.get());
		const isProvider = hasMachines.get() === true || tabs[active]?.destination.name === 'machines';
		return {shown: tabsWith(troubleCount(fleet.get().troubles), isProvider), active};
	};
	return {
		above: [
			band([pulse, fleet, alerts], () =>
				headerLine(theme, width, service, pulse.get(), {
					...fleetTexts(fleet.get()),
					alerts: alertCountText(alerts.get()),
				}),
			),
			band(
				[router.stack, fleet, hasMachines],
				() => tabsLine(theme, width, tabsNow().shown, tabsNow().active),
				column => tabAt(width, tabsNow().shown, tabsNow().active, column)?.key,
			),
		],
		below: [
			band([message], () => messageLine(theme, width, message.get())),
			band(
				[keymap.changes, message],
				() => belowLine(width, message.get()) ?? hintsLine(theme, width, keymap.reachable()),
				column =>
					belowLine(width, message.get()) === undefined
						? hintAt(width, keymap.reachable(), column)
						: undefined,
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

/** The tab of the last entry that has one. */
function activeIn(stack: readonly StackEntry[]): number {
	const known = stack.map(({destination}) => tabOf[destination.name]);
	return known.findLast(tab => tab !== undefined) ?? 0;
}

type Hint = {
	readonly key: string;
	readonly word: string;
	readonly isKept: boolean;
	/** It ends something. */
	readonly isGrave: boolean;
};

/**
 * The bindings worth a hint, innermost scope first, as many as fit on a line. Hints that lead to all the
 * others always fit.
 */
function hintsLine(theme: Theme, width: number, scopes: readonly ReachableScope[]): string {
	const hints = hintsIn(width, scopes);
	const written = hints.map(
		({key, word, isGrave}) => `${theme.style(isGrave ? 'grave-key' : 'key', key)} ${word}`,
	);
	return pad(written.join(' '.repeat(GAP)), width);
}

function hintsIn(width: number, scopes: readonly ReachableScope[]): readonly Hint[] {
	const all = scopes.flatMap(({bindings}) => bindings.flatMap(hintOf));
	// Of two bindings with one key the inner one wins.
	const hints = [...Map.groupBy(all, ({key}) => key).values()].flatMap(([first]) => first ?? []);
	return fitting(hints, width);
}

function hintAt(width: number, scopes: readonly ReachableScope[], column: number) {
	const hints = hintsIn(width, scopes);
	const texts = hints.map(({key, word}) => `${key} ${word}`);
	return hints[partAt(texts, GAP, column) ?? -1]?.key;
}

const GAP = 2;

function hintOf({keys, hint, keepsHint, changesService}: Reachable): readonly Hint[] {
	const [key] = keys;
	if (hint === undefined || key === undefined) return [];
	const isGrave = changesService && /^x$/i.test(key);
	return [{key: writeKeys([key]), word: hint, isKept: keepsHint, isGrave}];
}

/** The first hints that fit, with space for later ones that must be kept. */
function fitting(hints: readonly Hint[], width: number): readonly Hint[] {
	const fits = (some: readonly Hint[]) => lengthOf(some) <= width;
	for (let count = hints.length; count > 0; count--) {
		const kept = hints.slice(count).filter(({isKept}) => isKept);
		const shown = [...hints.slice(0, count), ...kept];
		if (fits(shown)) return shown;
	}
	return hints.filter(({isKept}) => isKept).filter(hint => fits([hint]));
}

function lengthOf(hints: readonly Hint[]): number {
	const words = hints.map(({key, word}) => widthOf(`${key} ${word}`));
	return words.reduce((sum, word) => sum + word, GAP * Math.max(0, words.length - 1));
}
