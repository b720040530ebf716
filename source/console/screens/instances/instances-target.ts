import type {Fleet} from '../../../renter/fleet/fleet.ts';
import {isTrouble, isSweepable, whyLeft} from '../../../renter/instance/condition.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {agentOf} from '../../../renter/instance/agent-mark.ts';
import {nextInTrouble, troubledRows} from './trouble.ts';
import type {Message} from '../../ui/message.ts';
import type {Router} from '../../services/router.ts';
import type {InstancesTarget, SweepTarget} from './bindings.ts';
import {openList} from '../../list/saved-list.ts';
import {nextSet} from '../../list/columns.ts';
import type {Size} from '../../terminal/terminal.ts';
import {connectTarget, instanceActions, refreshFleet, type Asking} from './instance-actions.ts';
import {sweepable} from './actions.ts';
import {type InstanceList, openWords} from './list.tsx';
import {rentLike} from '../rent/bindings.ts';
import {showOrLeave} from './views.tsx';
import {nextPane, zoomPane, isWide} from './pane.tsx';
import type {useShownColumns} from './instance-rows.tsx';
import {connectTools} from './connecting.ts';
import type {Services} from '../../services/services.tsx';

type Options = {
	readonly list: InstanceList;
	readonly fleet: Fleet;
	readonly router: Router;
	readonly columns: ReturnType<typeof useShownColumns>;
	/** Opens a choice in the place of the list. */
	readonly choose: (what: 'columns' | 'grouping' | 'values') => void;
	readonly size: Size;
	readonly say: (message: Message) => void;
	readonly services: Services;
	/** Opens a review or a field. */
	readonly ask: (asking: Asking) => void;
};

/** Key methods of the list of instances. */
export function instancesTarget(options: Options): InstancesTarget {
	const {list, fleet, router, say, services} = options;
	const {table} = list;
	const tell = (text: string) => say({text, isError: false});
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
		...sweepTarget({...options, held: list.held, shown: () => countShown(list), tell}),
		...troubleTarget(options, tell),
		...viewTarget(options),
		open: table.act(({instance: {id}}) => router.go({name: 'instance', id})),
		refresh() {
			table.apply();
			refreshFleet(fleet, say);
		},
		pause() {
			const {isPaused} = fleet.state.get();
			fleet.pause(!isPaused);
			tell(isPaused ? 'Looking again.' : 'Paused: nothing is asked until p is pressed again.');
		},
		viewTrouble: () => showOrLeave(list, services.settings.get(), 'trouble'),
		listViews: () => list.views.set(openList),
		filter: () => openWords(list, fleet.state.get().rows),
	};
}

/** The count of listed instances that still exist. */
function countShown({table}: InstanceList): number {
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
		nextPane: () => pane.set(nextPane(pane.get())),
		paneUnavailable: () =>
			isWide(size) ? undefined : 'there is no room beside the list; z shows it on the whole screen',
		zoomPane: () => pane.set(zoomPane(pane.get())),
	};
}

/** True for what an agent rented, and that is there. */
function isOfAgent({condition, instance}: FleetRow): boolean {
	return condition !== 'gone' && agentOf(instance.label) !== undefined;
}

type Sweeping = Pick<Options, 'fleet' | 'ask' | 'services'> & {
	readonly held: InstanceList['held'];
	/** Count of listed instances. */
	readonly shown: () => number;
	readonly tell: (text: string) => void;
};

/** Key methods of a sweep. */
export function sweepTarget({held, shown, fleet, ask, services, tell}: Sweeping): SweepTarget {
	const rows = () => fleet.state.get().rows;
	const ofAgents = () => rows().filter(isOfAgent);
	return {
		endAgents() {
			const [found, left] = [ofAgents(), []];
			ask({kind: 'action', action: 'destroy', rows: found, leftOut: left, shown: shown()});
		},
		noAgents: () => (ofAgents().length > 0 ? undefined : 'no agent rented any of them'),
		sweep: () => ask({kind: 'sweep', rows: sweepable(rows()), shown: shown()}),
		noTrouble: () => {
			if (held.get() !== undefined) return 'one waits to be sent; u takes it back';
			if (rows().some(isSweepable)) return undefined;
			const left = rows().find(({condition}) => isTrouble(condition));
			const why = left && whyLeft(left);
			return left === undefined || why === undefined
				? 'nothing is stuck or dead'
				: `${left.instance.id} is ${left.condition}: ${why}; x destroys it`;
		},
		takeBack() {
			const {ids = []} = held.get() ?? {};
			held.takeBack();
			tell(`Taken back: none of the ${ids.length} was destroyed, and nothing was sent.`);
			// A failed entry in the journal does not undo the cancellation.
			void services
				.client()
				.then(async ({journal}) => journal.takenBack(ids))
				.catch(() => undefined);
		},
		nothingHeld: () => (held.get() === undefined ? 'nothing waits to be sent' : undefined),
	};
}
