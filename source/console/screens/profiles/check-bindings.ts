import type {Bindings} from '../../bindings.ts';

type Target = {readonly use: () => void; readonly back: () => void};

export const checkResultBindings: Bindings<Target> = [
	{
		keys: ['Enter'],
		id: 'keep-the-profile-and-open-it',
		title: 'keep the profile and open it',
		hint: 'keep it and open it',
		isChange: true,
		does: 'use',
	},
	{
		keys: ['Esc', 'q'],
		id: 'back-to-the-form',
		title: 'back to the form',
		hint: 'back',
		does: 'back',
	},
];
