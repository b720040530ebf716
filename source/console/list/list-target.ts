import type {Router} from '../services/router.ts';
import type {Column} from './columns.ts';
import type {List} from './list.ts';
import type {Movement} from './state.ts';

export type Back = Pick<Router, 'back' | 'stack'>;

type Around<Row> = {
	readonly columns: ReadonlyArray<Column<Row>>;
	readonly router: Back | undefined;
	readonly now: () => Date;
};

type Own = 'order' | 'alsoOrder' | 'mark' | 'markRange' | 'markAll' | 'markNone';

/** Methods of a list's keys: its own, and those that need to know what is around it. */
export type ListTarget = Pick<List<unknown>, Own> & ReturnType<typeof listTarget>;

export function listTarget<Row>(list: List<Row>, {columns, router, now}: Around<Row>) {
	return {
		move: (movement: Movement) => list.move(movement, now()),
		pick: (step: 1 | -1) => list.pick(step, columns),
		orderUnavailable: () => (list.canOrder() ? undefined : 'pick a column first with < or >'),
		nothingMarked: () => (list.hasSelection() ? undefined : 'nothing is marked'),
		/** Returns the reason, in the words of the noun, if the list has no row. */
		ifEmpty: (reason: string) => (list.current() === undefined ? reason : undefined),
		filter: list.filter.open,
		/** Takes one step back: filter, marks, screen. */
		back() {
			if (list.filter.isOn()) list.filter.clear();
			else if (list.hasSelection()) list.markNone();
			else router?.back();
		},
		backUnavailable: () =>
			list.filter.isOn() || list.hasSelection() || (router?.stack.get().length ?? 0) > 1
				? undefined
				: 'this is the first screen; q quits',
	};
}
