import type {Fleet} from '../../../renter/fleet/fleet.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {isAtRest} from '../../../renter/instance/condition.ts';
import {notPrepayable} from '../../../renter/nouns/prepaying.ts';
import {type InstanceAction, reasonOf} from '../../../renter/actions/instance-actions.ts';
import {refusal} from './actions.ts';
import {notExtendable, notKeepable} from './lease-prompt.tsx';
import {sshText} from '../../../contract/nouns/ssh-command.ts';
import type {Router} from '../../services/router.ts';
import type {Services} from '../../services/services.tsx';
import {enterInstance, noWayInto, waysIn, type ConnectTools} from './connecting.ts';
import {openPorts} from '../../../renter/connect/ports.ts';
import {instanceNameOf} from './words.ts';

/** The dialog before anything is sent. */
export type InstanceDialog =
	| (Asked & {
			readonly kind: 'action';
			readonly action: InstanceAction;
			readonly leftOut: readonly FleetRow[];
	  })
	| (Asked & {readonly kind: 'sweep'})
	| {readonly kind: 'leases' | 'keep' | 'labels'; readonly rows: readonly FleetRow[]}
	| OneAsked;

export type OneAsked = {
	readonly kind:
		| 'label'
		| 'lease'
		| 'extend'
		| 'bid'
		| 'prepay'
		| 'letIn'
		| 'forward'
		| 'transfer'
		| 'sshName';
	readonly row: FleetRow;
};

type Asked = {
	readonly rows: readonly FleetRow[];
	/** Count of listed instances, to recognise a change of all. */
	readonly shown: number;
};

/** Key methods that change instances: each opens a review first. */
export function instanceActions(
	chosen: () => readonly FleetRow[],
	ask: (asking: InstanceDialog) => void,
	shown: () => number = () => chosen().length,
) {
	function only(): FleetRow | undefined {
		const rows = chosen();
		return rows.length === 1 ? rows[0] : undefined;
	}
	const oneOnly = () => {
		if (chosen().length === 0) return 'there is no instance to act on';
		return only() === undefined ? 'it is for one instance at a time' : undefined;
	};

	const askOne = (kind: OneAsked['kind']) => () => {
		const row = only();
		if (row !== undefined) ask({kind, row});
	};
	const refuseOne = (why: (row: FleetRow) => string | undefined) => () => {
		const row = only();
		return row === undefined ? oneOnly() : why(row);
	};

	return {
		/** Opens a review of the marked instances, else of the one under the cursor. */
		review(wanted: InstanceAction | 'stopOrStart') {
			const action = actionFor(wanted, chosen());
			const isFor = (row: FleetRow) => refusal(action, row) === undefined;
			const rows = chosen().filter(isFor);
			const leftOut = chosen().filter(row => !isFor(row));
			if (rows.length > 0) ask({kind: 'action', action, rows, leftOut, shown: shown()});
		},
		refuses(wanted: InstanceAction | 'stopOrStart') {
			const rows = chosen();
			if (rows.length === 0) return 'there is no instance to act on';
			const action = actionFor(wanted, rows);
			const reasons = rows.map(row => refusal(action, row));
			return reasons.includes(undefined) ? undefined : reasons[0];
		},
		editLabel() {
			const rows = chosen();
			if (rows.length > 1) ask({kind: 'labels', rows});
			else askOne('label')();
		},
		noInstances: () => (chosen().length === 0 ? 'there is no instance to act on' : undefined),
		...leaseActions(chosen, ask, {askOne, refuseOne}),
		editBid: askOne('bid'),
		prepay: askOne('prepay'),
		notPrepayable: refuseOne(({instance}) => notPrepayable(instance)),
		noBid: refuseOne(({instance}) =>
			instance.is_bid === true ? undefined : 'it was not rented by a bid',
		),
	};
}

export type InstanceActions = ReturnType<typeof instanceActions>;

type OneInstance = {
	readonly askOne: (kind: OneAsked['kind']) => () => void;
	readonly refuseOne: (why: (row: FleetRow) => string | undefined) => () => string | undefined;
};

function leaseActions(
	chosen: () => readonly FleetRow[],
	ask: (asking: InstanceDialog) => void,
	{askOne, refuseOne}: OneInstance,
) {
	return {
		editLease() {
			const rows = chosen();
			if (rows.length > 1) ask({kind: 'leases', rows});
			else askOne('lease')();
		},
		extendLease: askOne('extend'),
		notExtendable: refuseOne(notExtendable),
		/** Exempts instances from every rule but their deadline, or ends that. */
		keep() {
			const rows = chosen().filter(row => notKeepable(row) === undefined);
			if (rows.length > 0) ask({kind: 'keep', rows});
		},
		notKeepable() {
			const reasons = chosen().map(notKeepable);
			return reasons.length === 0 ? 'there is no instance to act on' : onlyReason(reasons);
		},
	};
}

/** The action of the stop-or-start key: start where all are stopped, else stop the running ones. */
function actionFor(
	wanted: InstanceAction | 'stopOrStart',
	rows: readonly FleetRow[],
): InstanceAction {
	if (wanted !== 'stopOrStart') return wanted;
	return rows.every(({condition}) => isAtRest(condition)) ? 'start' : 'stop';
}

type Options = {
	readonly tools: ConnectTools &
		Pick<Services['renting'], 'nextChange' | 'armed' | 'runs' | 'ownKeys'> &
		Pick<Services['terminal'], 'secrets'>;
	readonly current: () => FleetRow | undefined;
	/** Instances whose next change is announced: the marked ones, else the current one. */
	readonly chosen: () => readonly FleetRow[];
	readonly ask: (asking: InstanceDialog) => void;
	readonly openPage: (id: number, page: 'Logs' | 'Usage' | 'Run') => void;
	readonly router: Pick<Router, 'go'>;
};

/** Copying takes the addresses of the ports one after the other. */
export function portsTarget({instance}: FleetRow, {ssh, copy}: Pick<ConnectTools, 'ssh' | 'copy'>) {
	const urls = openPorts(instance).flatMap(({url}) => (url === undefined ? [] : [url]));
	return {
		copyCommand() {
			const url = urls[ssh.inTurn(`ports of ${instance.id}`, urls.length)];
			if (url !== undefined) copy(url);
		},
		noCopy: () => (urls.length === 0 ? 'no port here is a known page' : undefined),
	};
}

export function connectTarget(options: Options) {
	const {tools, current, chosen, ask, openPage, router} = options;
	const withRow = (act: (row: FleetRow) => void) => () => {
		const row = current();
		if (row !== undefined) act(row);
	};
	const toLogs = withRow(row => openPage(row.instance.id, 'Logs'));
	const noWayIn = () => {
		const row = current();
		return row === undefined ? 'there is no instance here' : noWayInto(row);
	};
	return {
		// Reading the keys takes a moment, in which s may be pressed again.
		connect: withRow(row =>
			tools.ssh.alone(async () =>
				enterInstance(tools, row, {onLocked: () => ask({kind: 'letIn', row})}),
			),
		),
		letIn: withRow(row => ask({kind: 'letIn', row})),
		copyCommand: withRow(row => {
			const ways = waysIn(row, tools.ssh.measured.get());
			const way = ways[tools.ssh.inTurn(`${row.instance.id}`, ways.length)];
			if (way !== undefined) tools.copy(sshText(way, [], tools.ssh.identities.files.get()));
		}),
		logs() {
			if (chosen().length > 1) router.go({name: 'logs', ids: idsOf(chosen())});
			else toLogs();
		},
		usage: withRow(row => openPage(row.instance.id, 'Usage')),
		learning: withRow(row => openPage(row.instance.id, 'Run')),
		/** Examines the marked instances, else this one, against what was ordered. */
		health: () => router.go({name: 'health', ids: idsOf(chosen())}),
		/** Asks for a command for all marked instances, or shows the running one. */
		runCommand() {
			const isBusy = tools.runs.underWay() !== undefined;
			router.go({name: 'command', ids: isBusy ? [] : idsOf(chosen())});
		},
		cannotRun() {
			if (tools.runs.underWay() !== undefined) return undefined;
			const reasons = chosen().map(noWayInto);
			return reasons.length === 0 ? 'there is no instance here' : onlyReason(reasons);
		},
		forward: withRow(row => ask({kind: 'forward', row})),
		transfer: withRow(row => ask({kind: 'transfer', row})),
		nameForSsh: withRow(row => ask({kind: 'sshName', row})),
		...ownKeyTarget(tools, current),
		tellMe: () => tellNextChange(chosen(), tools),
		takeBack() {
			const taken = chosen().filter(({instance: {id}}) => tools.armed.takeBack(id));
			const names = taken.map(({instance}) => instanceNameOf(instance)).join(', ');
			tools.say({text: `Nothing is done to ${names} without a question now.`, isError: false});
		},
		notArmed: () =>
			chosen().some(({instance: {id}}) => tools.armed.get().has(id))
				? undefined
				: 'nothing is armed for it',
		noWayIn,
		noCopy: noWayIn,
		noInstance: () => (current() === undefined ? 'there is no instance here' : undefined),
	};
}

export type ConnectTarget = ReturnType<typeof connectTarget>;

/** Has the next change of instances announced, or no longer. */
function tellNextChange(rows: readonly FleetRow[], tools: Options['tools']): void {
	const [first] = rows;
	if (first === undefined) return;
	const asked = rows.map(({instance: {id}}) => tools.nextChange.toggle(id));
	const name = rows.length === 1 ? instanceNameOf(first.instance) : `${rows.length} instances`;
	const text = asked.includes(true)
		? `You will be told of the next change of ${name}. m takes it back.`
		: `You will not be told of the next change of ${name}.`;
	tools.say({text, isError: false});
}

/** Key methods about the key that the service showed only once. */
function ownKeyTarget({ownKeys, secrets}: Options['tools'], current: Options['current']) {
	const known = () => ownKeys.get().get(current()?.instance.id ?? -1);
	return {
		ownKey() {
			const [id, secret] = [current()?.instance.id, known()];
			if (id !== undefined && secret !== undefined) secrets.show(ownKeyPage(id, secret));
		},
		noOwnKey: () => (known() === undefined ? 'its key is not known here' : undefined),
	};
}

/** A key that is on its instance's page as well: leaving it loses nothing. */
function ownKeyPage(id: number, secret: string) {
	return {
		title: `KEY OF INSTANCE ${id}`,
		secret,
		lines: [
			'With it programs can start, stop and destroy this instance, and nothing else.',
			'The instance itself has it, too. The service never says it again, and rentty forgets it when it ends.',
		],
		fileName: `instance-${id}`,
		isSafe: true,
	};
}

function idsOf(rows: readonly FleetRow[]): readonly number[] {
	return rows.map(({instance: {id}}) => id);
}

/** The first reason, if every instance has one. */
function onlyReason(reasons: ReadonlyArray<string | undefined>): string | undefined {
	return reasons.includes(undefined) ? undefined : reasons[0];
}

export function refreshFleet(fleet: Fleet, say: ConnectTools['say']): void {
	fleet.refresh().catch((error: unknown) => {
		say({text: `Not refreshed, still charging: ${reasonOf(error)}`, isError: true});
	});
}
