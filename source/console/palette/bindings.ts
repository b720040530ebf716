import type {Bindings} from '../bindings.ts';
import type {Palette} from './state.ts';

type Target = Pick<Palette, 'move' | 'run' | 'complete' | 'close'>;

export const paletteBindings: Bindings<Target> = [
	{keys: ['Down'], id: 'the-next-one', title: 'the next one', hint: 'next', does: ['move', 1]},
	{keys: ['Up'], id: 'the-one-before', title: 'the one before', does: ['move', -1]},
	{keys: ['PgDn'], id: 'further-down', title: 'further down', does: ['move', 5]},
	{keys: ['PgUp'], id: 'further-up', title: 'further up', does: ['move', -5]},
	{
		// What it does is seen only when the list has been drawn.
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
