import type {Fleet} from '../../../renter/fleet/fleet.ts';
import {nextInTrouble, troubledRows} from './trouble.ts';
import type {Message} from '../../ui/message.ts';
import type {Router} from '../../services/router.ts';
import {openList} from '../../list/saved-list.ts';
import {nextSet} from '../../list/columns.ts';
import type {useColumnChoice} from '../../list/list-view.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {
	connectTarget,
	instanceActions,
	refreshFleet,
	type InstanceDialog,
} from './instance-actions.ts';
import {sweepTarget} from './sweep-target.ts';
import {type InstanceListState, openFilter} from './list.tsx';
import {rentLike} from '../rent/bindings.ts';
import {showOrLeave} from './show-view.ts';
import {nextInstancePane, zoomPane, fitsAllPanes} from './pane.tsx';
import {connectTools} from './connecting.ts';
import type {Services} from '../../services/services.tsx';

type Options = {
	readonly list: InstanceListState;
	readonly fleet: Fleet;
	readonly router: Router;
	readonly columns: Pick<ReturnType<typeof useColumnChoice>, 'presentChoice' | 'setChoice'>;
	/** Opens a choice in place of the list. */
	readonly choose: (what: 'columns' | 'grouping' | 'values') => void;
	readonly size: Size;
	readonly say: (message: Message) => void;
	readonly services: Services;
	readonly ask: (asking: InstanceDialog) => void;
};

export function instancesTarget(options: Options) {
	const {list, fleet, router, say, services} = options;
	const {table} = list;
	const announce = (text: string) => say({text, isError: false});
	return {
		...instanceActions(table.chosen, options.ask, () => countShown(list)),
		...rentLike(router, table.chosen),
		...connectTarget({
			tools: connectTools(options.services, say),
			current: table.current,
			chosen: table.chosen,
			ask: options.ask,
			router,
			openPage: (id, page) => router.go({name: 'instance', id, page}),
		}),
		...sweepTarget({...options, held: list.held, shown: () => countShown(list), announce}),
		...troubleTarget(options, announce),
		...viewTarget(options),
		open: table.act(({instance: {id}}) => router.go({name: 'instance', id})),
		refresh() {
			table.apply();
			refreshFleet(fleet, say);
		},
		pause() {
			const {isPaused} = fleet.state.get();
			fleet.pause(!isPaused);
			announce(isPaused ? 'Looking again.' : 'Paused: nothing is asked until p is pressed again.');
		},
		/** Shows only instances in trouble, or all again. */
		viewTrouble: () => showOrLeave(list, services.settings.get(), 'trouble'),
		listViews: () => list.views.set(openList),
		filter: () => openFilter(list, fleet.state.get().rows),
	};
}

export type InstancesTarget = ReturnType<typeof instancesTarget>;

/** The count of listed instances that still exist. */
function countShown({table}: InstanceListState): number {
	return table.state.get().shown.filter(({condition}) => condition !== 'gone').length;
}

function troubleTarget({list: {table}, services}: Options, tell: (text: string) => void) {
	return {
		nextTrouble() {
			const troubled = troubledRows(table.state.get().shown);
			const next = nextInTrouble(troubled, table);
			if (next === undefined) return;
			table.goTo(next.instance.id, services.time.now());
			tell(`${troubled.indexOf(next) + 1} of ${troubled.length} in trouble, the newest first.`);
		},
		noneInTrouble: () =>
			troubledRows(table.state.get().shown).length === 0
				? 'none that is listed is stuck or dead'
				: undefined,
	};
}

function viewTarget({list: {pane}, columns, choose, size}: Options) {
	const {presentChoice, setChoice} = columns;
	return {
		nextSet: () => setChoice(nextSet(presentChoice())),
		chooseColumns: () => choose('columns'),
		group: () => choose('grouping'),
		countValues: () => choose('values'),
		nextPane: () => pane.set(nextInstancePane(pane.get())),
		paneUnavailable: () =>
			fitsAllPanes(size)
				? undefined
				: 'there is no room beside the list; z shows it on the whole screen',
		zoomPane: () => pane.set(zoomPane(pane.get())),
	};
}
