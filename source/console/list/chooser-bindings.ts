import type {Bindings} from '../bindings.ts';

/** What the keys of the chooser act on. */
export type ChooserTarget = {
	readonly step: (by: number) => void;
	readonly toggle: () => void;
	readonly shift: (by: 1 | -1) => void;
	readonly widen: (by: 1 | -1) => void;
	readonly nextSet: () => void;
	readonly reset: () => void;
	readonly close: () => void;
};

export const chooserBindings: Bindings<ChooserTarget> = [
	{keys: ['j', 'Down'], id: 'down', title: 'down', does: ['step', 1]},
	{keys: ['k', 'Up'], id: 'up', title: 'up', does: ['step', -1]},
	{
		keys: ['Space'],
		id: 'show-or-hide-the-column',
		title: 'show or hide the column',
		hint: 'show',
		does: 'toggle',
	},
	{
		keys: ['<', 'Left'],
		id: 'move-it-to-the-left',
		title: 'move it to the left',
		hint: 'left',
		does: ['shift', -1],
	},
	{
		keys: ['>', 'Right'],
		id: 'move-it-to-the-right',
		title: 'move it to the right',
		hint: 'right',
		does: ['shift', 1],
	},
	{keys: ['+'], id: 'make-it-wider', title: 'make it wider', hint: 'wider', does: ['widen', 1]},
	{
		keys: ['_'],
		id: 'make-it-narrower',
		title: 'make it narrower',
		hint: 'narrower',
		does: ['widen', -1],
	},
	{keys: ['w'], id: 'compact', title: 'compact, normal or wide', hint: 'set', does: 'nextSet'},
	{
		keys: ['u'],
		id: 'back-to-the-usual-columns',
		title: 'back to the usual columns',
		hint: 'usual',
		does: 'reset',
	},
	{
		keys: ['Esc', 'Enter', 'W', 'q'],
		id: 'close-the-list-of-columns',
		title: 'close the list of columns',
		hint: 'close',
		does: 'close',
	},
];
