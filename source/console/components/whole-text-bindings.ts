import type {Binding} from '../bindings.ts';

type Target = {readonly close: () => void};

export const wholeTextBindings: ReadonlyArray<Binding<Target>> = [
	{
		keys: ['Esc', 'q', 'Enter'],
		id: 'back',
		title: 'back',
		hint: 'back',
		run: target => target.close(),
	},
];
