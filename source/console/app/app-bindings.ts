import type {Palette} from './palette/state.ts';
import type {Bindings} from '../ui/bindings.ts';

/** Target of the keys that work everywhere. */
export type AppTarget = {
	readonly back: () => void;
	/** Reason why Esc does nothing here; undefined when it does something. */
	readonly backUnavailable: () => string | undefined;
	readonly quit: () => void;
	readonly backOrQuit: () => void;
	readonly help: () => void;
	readonly actions: () => void;
	/** Opens the palette, which finds everything by its name. */
	readonly palette: () => void;
	readonly redraw: () => void;
	readonly suspend: () => void;
	/** Goes to the tab with a digit. */
	readonly goToTab: (digit: number) => void;
	readonly account: () => void;
	/** Goes to the list of changes that can be taken back. */
	readonly undo: () => void;
	readonly alerts: () => void;
	readonly lastTab: () => void;
	/** Reason why there is no tab to return to; undefined when there is one. */
	readonly lastTabUnavailable: () => string | undefined;
};

/** The keys that work on every screen. */
export const appBindings: Bindings<AppTarget> = [
	{
		keys: ['?', 'F1'],
		id: 'help-for-this-screen',
		title: 'help for this screen',
		hint: 'help',
		keepsHint: true,
		does: 'help',
	},
	{
		keys: ['a'],
		id: 'all-actions',
		title: 'all actions, with their keys',
		hint: 'actions',
		does: 'actions',
	},
	{keys: [':', 'Ctrl-P'], id: 'palette', title: 'palette: everything by its name', does: 'palette'},
	{
		keys: ['Esc'],
		id: 'one-step-back',
		title: 'one step back',
		does: 'back',
		unavailable: 'backUnavailable',
	},
	{
		keys: ['q'],
		id: 'back',
		title: 'back, at the first screen quit',
		hint: 'quit',
		does: 'backOrQuit',
	},
	{keys: ['0'], id: 'go-to-overview', title: 'go to the overview', does: ['goToTab', 0]},
	{keys: ['1'], id: 'go-to-offers', title: 'go to Offers', does: ['goToTab', 1]},
	{keys: ['2'], id: 'go-to-instances', title: 'go to Instances', does: ['goToTab', 2]},
	{keys: ['3'], id: 'go-to-templates', title: 'go to Templates', does: ['goToTab', 3]},
	{keys: ['4'], id: 'go-to-keys', title: 'go to Keys', does: ['goToTab', 4]},
	{keys: ['5'], id: 'go-to-activity', title: 'go to Activity', does: ['goToTab', 5]},
	{keys: ['6'], id: 'go-to-profiles', title: 'go to Profiles', does: ['goToTab', 6]},
	{keys: ['7'], id: 'go-to-machines', title: 'go to Machines', does: ['goToTab', 7]},
	{keys: ['$'], id: 'account', title: 'account: credit, and what was charged', does: 'account'},
	{keys: ['Z'], id: 'undo', title: 'open the changes that can be taken back', does: 'undo'},
	{
		keys: ['A'],
		id: 'alerts',
		title: 'open the alerts: what needs a look, the newest first',
		does: 'alerts',
	},
	{
		keys: ['-'],
		id: 'go-back-to-the-last-tab',
		title: 'go back to the last tab',
		does: 'lastTab',
		unavailable: 'lastTabUnavailable',
	},
	{
		keys: ['Ctrl-L'],
		id: 'draw-the-screen-anew',
		title: 'draw the screen anew',
		isAlways: true,
		does: 'redraw',
	},
	{
		keys: ['Ctrl-Z'],
		id: 'suspend-to-the-shell',
		title: 'suspend to the shell',
		isAlways: true,
		does: 'suspend',
	},
	{keys: ['Ctrl-C'], id: 'quit', title: 'quit', isAlways: true, does: 'quit'},
];

/** Target of an overlay's keys. */
type OverlayTarget = {readonly close: () => void};

type HelpTarget = OverlayTarget & {readonly page: (step: 1 | -1) => void};

export const helpBindings: Bindings<HelpTarget> = [
	{keys: ['Esc'], id: 'close-help', title: 'close help', hint: 'close', does: 'close'},
	{
		keys: ['Down', 'PgDn'],
		id: 'next-page',
		title: 'next page',
		hint: 'next page',
		does: ['page', 1],
	},
	{keys: ['Up', 'PgUp'], id: 'previous-page', title: 'previous page', does: ['page', -1]},
];

export const actionsBindings: Bindings<OverlayTarget> = [
	{keys: ['Esc'], id: 'close-the-list', title: 'close the list', hint: 'close', does: 'close'},
];

export const paletteBindings: Bindings<Palette> = [
	{keys: ['Down'], id: 'the-next-one', title: 'the next one', hint: 'next', does: ['move', 1]},
	{keys: ['Up'], id: 'the-one-before', title: 'the one before', does: ['move', -1]},
	{keys: ['PgDn'], id: 'further-down', title: 'further down', does: ['move', 5]},
	{keys: ['PgUp'], id: 'further-up', title: 'further up', does: ['move', -5]},
	{
		// The chosen binding is visible only when the list has been drawn.
		keys: ['Enter'],
		id: 'do-the-chosen-one',
		title: 'do the chosen one',
		hint: 'do it',
		isChange: true,
		does: 'run',
	},
	{
		keys: ['Tab'],
		id: 'type-the-name-of-the-chosen-one',
		title: 'type the name of the chosen one',
		hint: 'complete',
		does: 'complete',
	},
	{
		keys: ['Esc'],
		id: 'close-the-palette',
		title: 'close the palette',
		hint: 'close',
		does: 'close',
	},
];
