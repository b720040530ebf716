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
	readonly redraw: () => void;
	readonly suspend: () => void;
	readonly goToTab: (index: number) => void;
};

/** The keys that work on every screen. */
export const appBindings: ReadonlyArray<Binding<AppTarget>> = [
	{keys: ['?'], title: 'help for this screen', hint: 'help', run: target => target.help()},
	{
		keys: ['a'],
		title: 'all actions, with their keys',
		hint: 'actions',
		run: target => target.actions(),
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
	{keys: ['1'], title: 'go to Offers', run: target => target.goToTab(0)},
	{keys: ['Ctrl-L'], title: 'draw the screen anew', run: target => target.redraw()},
	{keys: ['Ctrl-Z'], title: 'suspend to the shell', run: target => target.suspend()},
	{keys: ['Ctrl-C'], title: 'quit', run: target => target.quit()},
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
