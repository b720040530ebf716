import type {Binding} from '../bindings.ts';
import type {Palette} from './state.ts';

type Target = Pick<Palette, 'move' | 'run' | 'complete' | 'close'>;

export const paletteBindings: ReadonlyArray<Binding<Target>> = [
	{
		keys: ['Down'],
		id: 'the-next-one',
		title: 'the next one',
		hint: 'next',
		run: target => target.move(1),
	},
	{keys: ['Up'], id: 'the-one-before', title: 'the one before', run: target => target.move(-1)},
	{keys: ['PgDn'], id: 'further-down', title: 'further down', run: target => target.move(5)},
	{keys: ['PgUp'], id: 'further-up', title: 'further up', run: target => target.move(-5)},
	{
		// What it does is seen only when the list has been drawn.
		keys: ['Enter'],
		id: 'do-the-chosen-one',
		title: 'do the chosen one',
		hint: 'do it',
		isChange: true,
		run: target => target.run(),
	},
	{
		keys: ['Tab'],
		id: 'type-the-name-of-the-chosen-one',
		title: 'type the name of the chosen one',
		hint: 'complete',
		run: target => target.complete(),
	},
	{
		keys: ['Esc'],
		id: 'close-the-palette',
		title: 'close the palette',
		hint: 'close',
		run: target => target.close(),
	},
];
