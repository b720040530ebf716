import type {Binding} from './bindings.ts';

/** What the keys that work everywhere act on. */
export type AppTarget = {
	readonly back: () => void;
	/** Why Esc has nothing to step back from; undefined when it has. */
	readonly backUnavailable: () => string | undefined;
	readonly quit: () => void;
	readonly backOrQuit: () => void;
	readonly help: () => void;
	readonly actions: () => void;
	/** Opens what finds everything by its name. */
	readonly palette: () => void;
	readonly redraw: () => void;
	readonly suspend: () => void;
	/** Goes to the tab with a digit. */
	readonly goToTab: (digit: number) => void;
	readonly account: () => void;
	readonly lastTab: () => void;
	/** Why there is no tab to go back to; undefined when there is. */
	readonly lastTabUnavailable: () => string | undefined;
};

/** The keys that work on every screen. */
export const appBindings: ReadonlyArray<Binding<AppTarget>> = [
	{
		keys: ['?', 'F1'],
		id: 'help-for-this-screen',
		title: 'help for this screen',
		hint: 'help',
		keepsHint: true,
		run: target => target.help(),
	},
	{
		keys: ['a'],
		id: 'all-actions',
		title: 'all actions, with their keys',
		hint: 'actions',
		run: target => target.actions(),
	},
	{
		keys: [':', 'Ctrl-P'],
		id: 'palette',
		title: 'palette: everything by its name',
		run: target => target.palette(),
	},
	{
		keys: ['Esc'],
		id: 'one-step-back',
		title: 'one step back',
		run: target => target.back(),
		unavailable: target => target.backUnavailable(),
	},
	{
		keys: ['q'],
		id: 'back',
		title: 'back, at the first screen quit',
		hint: 'quit',
		run: target => target.backOrQuit(),
	},
	{keys: ['1'], id: 'go-to-offers', title: 'go to Offers', run: target => target.goToTab(1)},
	{keys: ['2'], id: 'go-to-instances', title: 'go to Instances', run: target => target.goToTab(2)},
	{keys: ['3'], id: 'go-to-templates', title: 'go to Templates', run: target => target.goToTab(3)},
	{keys: ['4'], id: 'go-to-keys', title: 'go to Keys', run: target => target.goToTab(4)},
	{keys: ['5'], id: 'go-to-activity', title: 'go to Activity', run: target => target.goToTab(5)},
	{keys: ['6'], id: 'go-to-profiles', title: 'go to Profiles', run: target => target.goToTab(6)},
	{
		keys: ['$'],
		id: 'account',
		title: 'account: credit, and what was charged',
		run: target => target.account(),
	},
	{
		keys: ['-'],
		id: 'go-back-to-the-last-tab',
		title: 'go back to the last tab',
		run: target => target.lastTab(),
		unavailable: target => target.lastTabUnavailable(),
	},
	{
		keys: ['Ctrl-L'],
		id: 'draw-the-screen-anew',
		title: 'draw the screen anew',
		isAlways: true,
		run: target => target.redraw(),
	},
	{
		keys: ['Ctrl-Z'],
		id: 'suspend-to-the-shell',
		title: 'suspend to the shell',
		isAlways: true,
		run: target => target.suspend(),
	},
	{keys: ['Ctrl-C'], id: 'quit', title: 'quit', isAlways: true, run: target => target.quit()},
];

/** What the keys of something drawn over a screen act on. */
export type OverlayTarget = {readonly close: () => void; readonly page?: (step: 1 | -1) => void};

export const helpBindings: ReadonlyArray<Binding<OverlayTarget>> = [
	{
		keys: ['Esc'],
		id: 'close-help',
		title: 'close help',
		hint: 'close',
		run: target => target.close(),
	},
	{
		keys: ['Down', 'PgDn'],
		id: 'next-page',
		title: 'next page',
		hint: 'next page',
		run: target => target.page?.(1),
	},
	{
		keys: ['Up', 'PgUp'],
		id: 'previous-page',
		title: 'previous page',
		run: target => target.page?.(-1),
	},
];

export const actionsBindings: ReadonlyArray<Binding<OverlayTarget>> = [
	{
		keys: ['Esc', 'q'],
		id: 'close-the-list',
		title: 'close the list',
		hint: 'close',
		run: target => target.close(),
	},
];
