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
		keys: ['?'],
		title: 'help for this screen',
		hint: 'help',
		keepsHint: true,
		run: target => target.help(),
	},
	{
		keys: ['a'],
		title: 'all actions, with their keys',
		hint: 'actions',
		run: target => target.actions(),
	},
	{
		keys: [':', 'Ctrl-P'],
		title: 'palette: everything by its name',
		run: target => target.palette(),
	},
	{
		keys: ['Esc'],
		title: 'one step back',
		run: target => target.back(),
		unavailable: target => target.backUnavailable(),
	},
	{
		keys: ['q'],
		title: 'back, at the first screen quit',
		hint: 'quit',
		run: target => target.backOrQuit(),
	},
	{keys: ['1'], title: 'go to Offers', run: target => target.goToTab(1)},
	{keys: ['2'], title: 'go to Instances', run: target => target.goToTab(2)},
	{keys: ['3'], title: 'go to Templates', run: target => target.goToTab(3)},
	{keys: ['4'], title: 'go to Keys', run: target => target.goToTab(4)},
	{keys: ['5'], title: 'go to Activity', run: target => target.goToTab(5)},
	{keys: ['6'], title: 'go to Profiles', run: target => target.goToTab(6)},
	{
		keys: ['$'],
		title: 'account: credit, and what was charged',
		run: target => target.account(),
	},
	{
		keys: ['-'],
		title: 'go back to the last tab',
		run: target => target.lastTab(),
		unavailable: target => target.lastTabUnavailable(),
	},
	{keys: ['Ctrl-L'], title: 'draw the screen anew', isAlways: true, run: target => target.redraw()},
	{
		keys: ['Ctrl-Z'],
		title: 'suspend to the shell',
		isAlways: true,
		run: target => target.suspend(),
	},
	{keys: ['Ctrl-C'], title: 'quit', isAlways: true, run: target => target.quit()},
];

/** What the keys of something drawn over a screen act on. */
export type OverlayTarget = {readonly close: () => void; readonly page?: (step: 1 | -1) => void};

export const helpBindings: ReadonlyArray<Binding<OverlayTarget>> = [
	{keys: ['Esc'], title: 'close help', hint: 'close', run: target => target.close()},
	{keys: ['Down', 'PgDn'], title: 'next page', hint: 'next page', run: target => target.page?.(1)},
	{keys: ['Up', 'PgUp'], title: 'previous page', run: target => target.page?.(-1)},
];

export const actionsBindings: ReadonlyArray<Binding<OverlayTarget>> = [
	{keys: ['Esc', 'q'], title: 'close the list', hint: 'close', run: target => target.close()},
];
