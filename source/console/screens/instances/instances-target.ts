import {emptyLine} from '../../components/line-edit.ts';
import type {Fleet} from '../../../renter/fleet/fleet.ts';
import {isTrouble} from '../../../renter/fleet/condition.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {isSweepable, whyLeft} from '../../../renter/fleet/sweepable.ts';
import type {Message} from '../../message.ts';
import type {Router} from '../../router.ts';
import type {InstancesTarget} from './bindings.ts';
import {nextSet} from '../../list/chosen-columns.ts';
import type {Size} from '../../terminal/terminal.ts';
import {connectTarget} from './connect-target.ts';
import {deedTarget} from './deed-target.ts';
import type {Asking} from './deed-target.ts';
import {sweepable} from './deeds.ts';
import {isSifting} from './list.ts';
import type {InstanceList} from './list.ts';
import {rentLike} from '../rent/rent-like.ts';
import {isWide} from './layout.ts';
import {nextPane, zoomPane} from './pane.ts';
import {reasonOf} from './reason.ts';
import type {useShownColumns} from './shown-columns.ts';

type Options = {
	readonly list: InstanceList;
	readonly fleet: Fleet;
	readonly router: Router;
	readonly columns: ReturnType<typeof useShownColumns>;
	readonly chooseColumns: () => void;
	readonly size: Size;
	readonly say: (message: Message) => void;
	readonly now: () => Date;
	readonly services: Omit<Parameters<typeof connectTarget>[0]['tools'], 'say'>;
	/** Opens a review or a field. */
	readonly ask: (asking: Asking) => void;
};

/** What the keys of the list of instances do. */
export function instancesTarget(options: Options): InstancesTarget {
	const {list, fleet, router, say} = options;
	const {table} = list;
	const tell = (text: string) => say({text, isError: false});
	return {
		...tableTarget(options),
		...deedTarget(
			() => chosen(list),
			options.ask,
			() => countShown(list),
		),
		...rentLike(router, () => chosen(list)),
		...connectTarget({
			tools: {...options.services, say},
			current: () => table.current(),
			chosen: () => chosen(list),
			ask: options.ask,
			openLogs: id => router.go({name: 'instance', id, page: 'Logs'}),
		}),
		...sweepTarget(options, tell),
		...viewTarget(options),
		open() {
			const row = table.current();
			if (row !== undefined) router.go({name: 'instance', id: row.instance.id});
		},
		refresh() {
			table.apply();
			fleet.refresh().catch((error: unknown) => {
				say({text: `Not refreshed, still charging: ${reasonOf(error)}`, isError: true});
			});
		},
		pause() {
			const {isPaused} = fleet.state.get();
			fleet.pause(!isPaused);
			tell(isPaused ? 'Looking again.' : 'Paused: nothing is asked until p is pressed again.');
		},
		filter: () => list.sieve.set({...list.sieve.get(), isOpen: true}),
		onlyProblems() {
			const sieve = list.sieve.get();
			list.sieve.set({...sieve, onlyProblems: !sieve.onlyProblems});
		},
		back() {
			const sieve = list.sieve.get();
			if (isSifting(sieve)) list.sieve.set({...sieve, line: emptyLine, onlyProblems: false});
			else if (table.hasMarks()) table.markNone();
			else router.back();
		},
		backUnavailable: () =>
			isSifting(list.sieve.get()) || table.hasMarks() || router.stack.get().length > 1
				? undefined
				: 'this is the first screen; q quits',
	};
}

/** What the keys act on: the marked ones, else the one under the cursor. */
function chosen({table}: InstanceList): readonly FleetRow[] {
	const marked = table.marked();
	if (marked.length > 0) return marked;
	const row = table.current();
	return row === undefined ? [] : [row];
}

/** How many are shown that are still there. */
function countShown({table}: InstanceList): number {
	return table.state.get().shown.filter(({condition}) => condition !== 'gone').length;
}

function tableTarget({list: {table, movedAt}, columns, now}: Options) {
	return {
		move(movement: Parameters<typeof table.move>[0]) {
			movedAt.set(now().getTime());
			table.move(movement);
		},
		pick: (step: 1 | -1) => table.pick(step, columns.shown),
		order: () => table.order(),
		alsoOrder: () => table.alsoOrder(),
		canOrder: () => table.canOrder(),
		mark: () => table.mark(),
		markRange: () => table.markRange(),
		markAll: () => table.markAll(),
		markNone: () => table.markNone(),
		hasMarks: () => table.hasMarks(),
		isEmpty: () => table.current() === undefined,
	};
}

function viewTarget({list: {pane}, columns, chooseColumns, size}: Options) {
	const {presentChoice, setChoice} = columns;
	return {
		nextSet: () => setChoice(nextSet(presentChoice())),
		chooseColumns,
		nextPane: () => pane.set(nextPane(pane.get())),
		paneUnavailable: () =>
			isWide(size) ? undefined : 'there is no room beside the list; z shows it on the whole screen',
		zoomPane: () => pane.set(zoomPane(pane.get())),
	};
}

function sweepTarget({list, fleet, ask}: Options, tell: (text: string) => void) {
	const rows = () => fleet.state.get().rows;
	return {
		sweep: () => ask({kind: 'sweep', rows: sweepable(rows()), shown: countShown(list)}),
		noTrouble: () => {
			if (list.held.get() !== undefined) return 'one waits to be sent; u takes it back';
			if (rows().some(isSweepable)) return undefined;
			const left = rows().find(({condition}) => isTrouble(condition));
			const why = left && whyLeft(left);
			return why === undefined ? 'nothing is stuck or dead' : `${left?.instance.id}: ${why}`;
		},
		takeBack() {
			const count = list.held.get()?.count ?? 0;
			list.held.takeBack();
			tell(`Taken back: none of the ${count} was destroyed, and nothing was sent.`);
		},
		nothingHeld: () => (list.held.get() === undefined ? 'nothing waits to be sent' : undefined),
	};
}
