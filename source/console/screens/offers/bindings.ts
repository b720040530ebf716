import type {Binding} from '../../bindings.ts';
import type {Movement} from '../../components/table-state.ts';

/** What the keys of the list of offers act on. */
export type OfferListTarget = {
	readonly move: (movement: Movement) => void;
	readonly pick: (step: 1 | -1) => void;
	readonly order: () => void;
	readonly open: () => void;
	readonly refresh: () => Promise<void>;
	readonly isEmpty: () => boolean;
	readonly canOrder: () => boolean;
};

type Target = OfferListTarget;

const empty = ({isEmpty}: Target) => (isEmpty() ? 'there is no offer to act on' : undefined);

const movements: ReadonlyArray<Binding<Target>> = [
	{keys: ['j', 'Down'], title: 'down', run: target => target.move('down')},
	{keys: ['k', 'Up'], title: 'up', run: target => target.move('up')},
	{keys: ['Ctrl-D'], title: 'half a page down', run: target => target.move('halfDown')},
	{keys: ['Ctrl-U'], title: 'half a page up', run: target => target.move('halfUp')},
	{keys: ['PgDn', 'Ctrl-F'], title: 'a page down', run: target => target.move('pageDown')},
	{keys: ['PgUp'], title: 'a page up', run: target => target.move('pageUp')},
	{keys: ['g', 'Home'], title: 'first', run: target => target.move('first')},
	{keys: ['G', 'End'], title: 'last', run: target => target.move('last')},
];

export const offerListBindings: ReadonlyArray<Binding<Target>> = [
	{
		keys: ['Enter', 'd'],
		title: 'open detail',
		hint: 'detail',
		run: target => target.open(),
		unavailable: empty,
	},
	...movements,
	{keys: ['<', 'Left'], title: 'pick the column before', run: target => target.pick(-1)},
	{
		keys: ['>', 'Right'],
		title: 'pick the next column',
		hint: 'column',
		run: target => target.pick(1),
	},
	{
		keys: ['o'],
		title: 'order by it: best, reversed, off',
		hint: 'order',
		run: target => target.order(),
		unavailable: ({canOrder}) => (canOrder() ? undefined : 'pick a column first with < or >'),
	},
	{
		keys: ['R', 'Ctrl-R'],
		title: 'refresh now',
		hint: 'refresh',
		run: target => void target.refresh(),
	},
];

/** What the keys of one offer act on. */
export type OfferTarget = {
	readonly step: (by: 1 | -1) => void;
	readonly canStep: (by: 1 | -1) => boolean;
	readonly refresh: () => void;
};

const noNeighbour = (by: 1 | -1) => (target: OfferTarget) =>
	target.canStep(by) ? undefined : `this is the ${by === 1 ? 'last' : 'first'} offer of the list`;

export const offerBindings: ReadonlyArray<Binding<OfferTarget>> = [
	{
		keys: [']'],
		title: 'next offer of the list',
		hint: 'next',
		run: target => target.step(1),
		unavailable: noNeighbour(1),
	},
	{
		keys: ['['],
		title: 'previous offer of the list',
		hint: 'previous',
		run: target => target.step(-1),
		unavailable: noNeighbour(-1),
	},
	{keys: ['R', 'Ctrl-R'], title: 'refresh now', hint: 'refresh', run: target => target.refresh()},
];
