import type {Bindings} from '../../bindings.ts';

/** What the keys around a form that stands over a list act on. */
export const formScopeBindings: Bindings<{readonly leave: () => void}> = [
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'leave-the-form-nothing-is-sent',
		title: 'leave the form; nothing is sent',
		hint: 'leave',
		does: 'leave',
	},
];
