/** The first whole frame, drawn from the same bands as all others, before Ink and React are loaded. */
import {openKeptAlerts} from '../../renter/alerts/kept-alerts.ts';
import {unseenFleet} from '../../renter/fleet/fleet-state.ts';
import {createHostHistory} from '../../renter/offers/host-history.ts';
import {createStore} from '../../renter/state/store.ts';
import {appBindings} from './app-bindings.ts';
import {shownOf, type BindingFacts} from '../ui/bindings.ts';
import {LEAST_COLUMNS, LEAST_ROWS} from '../ui/chrome.ts';
import {customBindings} from './chosen-keys.ts';
import {layOutBands} from '../ui/panes.ts';
import {bandsAround, FRAME_LINES} from './frame.ts';
import {wholeText} from '../ui/message.ts';
import {offerListBindings} from '../screens/offers/bindings.ts';
import {firstLines, type ListFacts} from '../screens/offers/bands.ts';
import {offerFilterBindings} from '../screens/offers/query/bindings.ts';
import {defaultSearch} from '../screens/offers/search.ts';
import type {Stage, ConsoleOptions} from './stage.ts';
import type {Terminal} from '../terminal/terminal.ts';
import {withGlyphs} from '../ui/glyphs.ts';

export {consoleAlerts} from '../../renter/alerts/console-alerts.ts';
export {serviceFile} from '../../renter/files/kept-file.ts';
export {openHostHistory} from '../../renter/offers/host-history.ts';
export {openMemory} from '../../renter/offers/memory.ts';
export {overlaySettings} from '../../renter/profiles/profile-settings.ts';
export {openSettingsFile} from '../../renter/settings/settings-file.ts';
export {createProfileSwitcher} from '../services/profile-switcher.ts';
export {createStage} from './stage.ts';

type FrameOptions = Pick<ConsoleOptions, 'settings' | 'theme' | 'hosts' | 'memory' | 'alerts'> & {
	readonly terminal: Pick<Terminal, 'size'>;
};

/** The frame with the last list of offers; undefined if the console begins elsewhere. */
export function firstFrame(stage: Stage, options: FrameOptions): string | undefined {
	const {terminal, memory, hosts = createHostHistory(), alerts = openKeptAlerts()} = options;
	const settings = options.settings.get();
	const theme = options.theme(settings);
	const {columns, rows} = terminal.size();
	const isFitting = columns >= LEAST_COLUMNS && rows >= LEAST_ROWS;
	const [place] = stage.router.stack.get();
	const isCovered = wholeText(columns, stage.message.get()) !== undefined;
	if (!isFitting || isCovered || place?.destination.name !== 'offers') return undefined;
	const kept = memory?.recall(stage.service.name, defaultSearch(settings));
	if (kept === undefined || kept.offers.length === 0) return undefined;
	const data = {settings, hosts, watched: createStore(new Map()), after: () => () => {}};
	const room = {columns, rows: rows - FRAME_LINES};
	const leave = enterOffers(stage, settings);
	const around = bandsAround(
		stage,
		{theme, fleet: createStore(unseenFleet), alerts, hasMachines: createStore(false)},
		columns,
	);
	const lines = [
		...layOutBands(around.above),
		...firstLines(place, kept, data, {theme, size: room}),
		...layOutBands(around.below),
	];
	leave();
	return withGlyphs(theme, lines.join('\n'));
}

/** Registers the keys of the list, for their hints; the returned function removes them. */
function enterOffers({keymap, rebound}: Stage, {commands}: ListFacts['settings']): () => void {
	const own = customBindings(commands, 'offers');
	const sets: ReadonlyArray<readonly BindingFacts[]> = [
		appBindings,
		own,
		offerListBindings,
		offerFilterBindings,
	];
	const shown = (bindings: readonly BindingFacts[]) =>
		rebound(bindings).map(binding => ({
			...shownOf(binding),
			run() {},
			unavailable: () => undefined,
		}));
	const leaves = sets.map((bindings, depth) =>
		keymap.enter({
			title: '',
			depth,
			isModal: false,
			bindings: () => shown(bindings),
			onText: undefined,
		}),
	);
	return () => {
		for (const leave of leaves) leave();
	};
}
