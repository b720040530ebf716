import type {Bindings} from '../bindings.ts';

/** What the keys act on while a secret is shown. */
export type SecretTarget = {
	readonly copy: () => void;
	/** Asks for a file to keep it in. */
	readonly name: () => void;
	readonly leave: () => void;
};

export const secretBindings: Bindings<SecretTarget> = [
	{keys: ['y', 'c'], id: 'copy-it', title: 'copy it', hint: 'copy', does: 'copy'},
	{
		keys: ['w'],
		id: 'keep-it',
		title: 'keep it, in a file that you alone can read',
		hint: 'keep in a file',
		does: 'name',
	},
	{
		keys: ['Esc', 'Enter', 'q', 'Ctrl-C'],
		id: 'leave-it',
		title: 'leave it: it is not shown again',
		hint: 'leave',
		// Typed ahead for something else, it would lose what nobody has seen.
		isChange: true,
		does: 'leave',
	},
];

/** What the keys act on while the file is named. */
export type SecretFileTarget = {readonly keep: () => void; readonly back: () => void};

export const secretFileBindings: Bindings<SecretFileTarget> = [
	{keys: ['Enter'], id: 'write-the-file', title: 'write the file', hint: 'write it', does: 'keep'},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'back-to-the-key',
		title: 'back to the key',
		hint: 'back',
		does: 'back',
	},
];
