import type {Palette} from './palette/state.ts';
import type {Bindings} from '../ui/bindings.ts';

export type AppTarget = {
	readonly back: () => void;
	/** Reason why Esc does nothing here; undefined when it does something. */
	readonly backUnavailable: () => string | undefined;
	readonly quit: () => void;
	readonly backOrQuit: () => void;
	readonly help: () => void;
	readonly actions: () => void;
	readonly palette: () => void;
	readonly redraw: () => void;
	readonly suspend: () => void;
	readonly goToTab: (digit: number) => void;
	readonly account: () => void;
	/** Goes to the list of changes that can be taken back. */
	readonly undo: () => void;
	readonly alerts: () => void;
	readonly lastTab: () => void;
	/** Reason why there is no tab to return to; undefined when there is one. */
	readonly lastTabUnavailable: () => string | undefined;
};

export const appBindings: Bindings<AppTarget> = [
	{
		keys: ['?', 'F1'],
		id: 'help',
		title: 'help for this screen',
		hint: 'help',
		keepsHint: true,
		run: app => app.help(),
	},
	{
		keys: ['a'],
		id: 'all-actions',
		title: 'all actions, with their keys',
		hint: 'actions',
		run: app => app.actions(),
	},
	{
		keys: [':', 'Ctrl-P'],
		id: 'palette',
		title: 'palette: everything by its name',
		run: app => app.palette(),
	},
	{
		keys: ['Esc'],
		id: 'one-step-back',
		title: 'one step back',
		run: app => app.back(),
		unavailable: app => app.backUnavailable(),
	},
	{
		keys: ['q'],
		id: 'back',
		title: 'back, at the first screen quit',
		hint: 'quit',
		run: app => app.backOrQuit(),
	},
	{keys: ['0'], id: 'go-to-overview', title: 'go to the overview', run: app => app.goToTab(0)},
	{keys: ['1'], id: 'go-to-offers', title: 'go to Offers', run: app => app.goToTab(1)},
	{keys: ['2'], id: 'go-to-instances', title: 'go to Instances', run: app => app.goToTab(2)},
	{keys: ['3'], id: 'go-to-templates', title: 'go to Templates', run: app => app.goToTab(3)},
	{keys: ['4'], id: 'go-to-keys', title: 'go to Keys', run: app => app.goToTab(4)},
	{keys: ['5'], id: 'go-to-activity', title: 'go to Activity', run: app => app.goToTab(5)},
	{keys: ['6'], id: 'go-to-profiles', title: 'go to Profiles', run: app => app.goToTab(6)},
	{keys: ['7'], id: 'go-to-machines', title: 'go to Machines', run: app => app.goToTab(7)},
	{
		keys: ['$'],
		id: 'account',
		title: 'account: credit, and what was charged',
		run: app => app.account(),
	},
	{
		keys: ['Z'],
		id: 'undo',
		title: 'open the changes that can be taken back',
		run: app => app.undo(),
	},
	{
		keys: ['A'],
		id: 'alerts',
		title: 'open the alerts: what needs a look, the newest first',
		run: app => app.alerts(),
	},
	{
		keys: ['-'],
		id: 'last-tab',
		title: 'go back to the last tab',
		run: app => app.lastTab(),
		unavailable: app => app.lastTabUnavailable(),
	},
	{
		keys: ['Ctrl-L'],
		id: 'redraw',
		title: 'draw the screen anew',
		isAlways: true,
		run: app => app.redraw(),
	},
	{
		keys: ['Ctrl-Z'],
		id: 'suspend',
		title: 'suspend to the shell',
		isAlways: true,
		run: app => app.suspend(),
	},
	{keys: ['Ctrl-C'], id: 'quit', title: 'quit', isAlways: true, run: app => app.quit()},
];

type OverlayTarget = {readonly close: () => void};

type HelpTarget = OverlayTarget & {readonly page: (step: 1 | -1) => void};

export const helpBindings: Bindings<HelpTarget> = [
	{keys: ['Esc'], id: 'close-help', title: 'close help', hint: 'close', run: help => help.close()},
	{
		keys: ['Down', 'PgDn'],
		id: 'next-page',
		title: 'next page',
		hint: 'next page',
		run: help => help.page(1),
	},
	{keys: ['Up', 'PgUp'], id: 'previous-page', title: 'previous page', run: help => help.page(-1)},
];

export const actionsBindings: Bindings<OverlayTarget> = [
	{
		keys: ['Esc'],
		id: 'close-the-list',
		title: 'close the list',
		hint: 'close',
		run: list => list.close(),
	},
];

export const paletteBindings: Bindings<Palette> = [
	{
		keys: ['Down'],
		id: 'the-next-one',
		title: 'the next one',
		hint: 'next',
		run: palette => palette.move(1),
	},
	{keys: ['Up'], id: 'the-one-before', title: 'the one before', run: palette => palette.move(-1)},
	{keys: ['PgDn'], id: 'further-down', title: 'further down', run: palette => palette.move(5)},
	{keys: ['PgUp'], id: 'further-up', title: 'further up', run: palette => palette.move(-5)},
	{
		// The chosen binding is visible only when the list has been drawn.
		keys: ['Enter'],
		id: 'run-chosen',
		title: 'do the chosen one',
		hint: 'do it',
		isChange: true,
		run: palette => palette.run(),
	},
	{
		keys: ['Tab'],
		id: 'complete-name',
		title: 'type the name of the chosen one',
		hint: 'complete',
		run: palette => palette.complete(),
	},
	{
		keys: ['Esc'],
		id: 'close-the-palette',
		title: 'close the palette',
		hint: 'close',
		run: palette => palette.close(),
	},
];
