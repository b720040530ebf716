import type {ListTarget} from '../../list/list-target.ts';
import type {Bindings} from '../../ui/bindings.ts';
import {numbersKey} from '../../ui/number-table.ts';
import {
	columnKeys,
	movements,
	refreshKey,
	refreshUnreadableTexts,
	scaleKey,
} from '../../list/bindings.ts';

export type PricesTarget = {
	readonly refresh: () => void;
	readonly span: (step: 1 | -1) => void;
	readonly scale: () => void;
	readonly numbers: () => void;
};

export const priceBindings: Bindings<ListTarget & PricesTarget> = [
	{
		keys: [','],
		id: 'more-days',
		title: 'more days',
		hint: 'more days',
		run: prices => prices.span(1),
	},
	{
		keys: ['.'],
		id: 'fewer-days',
		title: 'fewer days',
		hint: 'fewer',
		run: prices => prices.span(-1),
	},
	scaleKey,
	numbersKey,
	refreshKey(refreshUnreadableTexts),
	...movements,
	...columnKeys,
];
