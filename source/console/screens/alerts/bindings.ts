import type {Bindings} from '../../ui/bindings.ts';
import {columnKeys, movements, openKey, type ListTarget} from '../../list/bindings.ts';

/** Key methods of the list of alerts, beside those of every list. */
export type AlertsTarget = {
	readonly open: () => void;
	/** Why there is nothing to go to; undefined where there is. */
	readonly noSubject: () => string | undefined;
	readonly acknowledge: () => void;
	readonly acknowledgeAll: () => void;
	readonly extend: () => void;
	/** Why no deadline can be put off; undefined where one can. */
	readonly notExtendable: () => string | undefined;
	readonly copy: () => void;
};

const empty = ['ifEmpty', 'there is no new alert'] as const;

export const alertBindings: Bindings<ListTarget & AlertsTarget> = [
	{
		...openKey('there is no new alert'),
		title: 'go to what it is about',
		hint: 'go there',
		unavailable: 'noSubject',
	},
	{
		keys: ['Space'],
		id: 'acknowledge',
		title: 'acknowledge it: it leaves the list',
		hint: 'acknowledge',
		does: 'acknowledge',
		unavailable: empty,
	},
	{
		keys: ['*'],
		id: 'acknowledge-all',
		title: 'acknowledge all that are listed',
		hint: 'all',
		does: 'acknowledgeAll',
		unavailable: empty,
	},
	{
		keys: ['+'],
		id: 'put-its-deadline-off',
		title: 'put the deadline of its instance off by an hour',
		hint: 'an hour more',
		isChange: true,
		changesService: true,
		does: 'extend',
		unavailable: 'notExtendable',
	},
	{
		keys: ['y'],
		id: 'copy-its-text',
		title: 'copy its text',
		does: 'copy',
		unavailable: empty,
	},
	{
		keys: ['Esc'],
		id: 'one-step-back',
		title: 'one step back',
		does: 'back',
		unavailable: 'backUnavailable',
	},
	...movements,
	...columnKeys,
];
