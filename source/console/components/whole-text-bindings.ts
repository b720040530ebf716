import type {Bindings} from '../bindings.ts';

type Target = {readonly close: () => void};

export const wholeTextBindings: Bindings<Target> = [
	{keys: ['Esc', 'q', 'Enter'], id: 'back', title: 'back', hint: 'back', does: 'close'},
];
