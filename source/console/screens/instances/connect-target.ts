import {sshText} from '../../../contract/nouns/ssh-command.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import type {Router} from '../../services/router.ts';
import type {Services} from '../../services/services.tsx';
import type {ConnectTarget} from './connect-bindings.ts';
import {enterInstance, noWayInto, waysIn, type ConnectTools} from './connecting.ts';
import type {Asking} from './instance-actions.ts';
import {openPorts} from '../../../renter/connect/ports.ts';
import {nameOf} from './words.ts';

type Options = {
	readonly tools: ConnectTools & Pick<Services['renting'], 'nextChange' | 'armed' | 'runs'>;
	/** The instance that the keys are about. */
	readonly current: () => FleetRow | undefined;
	/** Those whose next change is asked for: the marked ones, else the same one. */
	readonly chosen: () => readonly FleetRow[];
	readonly ask: (asking: Asking) => void;
	readonly openLogs: (id: number) => void;
	readonly router: Pick<Router, 'go'>;
};

/** Key methods of the list of ports: copying takes their addresses one after the other. */
export function portsTarget(
	{instance}: FleetRow,
	{ssh, copy}: Pick<ConnectTools, 'ssh' | 'copy'>,
): Pick<ConnectTarget, 'copyCommand' | 'noCopy'> {
	const urls = openPorts(instance).flatMap(({url}) => (url === undefined ? [] : [url]));
	return {
		copyCommand() {
			const url = urls[ssh.inTurn(`ports of ${instance.id}`, urls.length)];
			if (url !== undefined) copy(url);
		},
		noCopy: () => (urls.length === 0 ? 'no port here is a known page' : undefined),
	};
}

/** Key methods that enter an instance. */
export function connectTarget(options: Options): ConnectTarget {
	const {tools, current, chosen, ask, openLogs, router} = options;
	const withRow = (act: (row: FleetRow) => void) => () => {
		const row = current();
		if (row !== undefined) act(row);
	};
	const noWayIn = () => {
		const row = current();
		return row === undefined ? 'there is no instance here' : noWayInto(row);
	};
	return {
		// Asking who is let in takes a moment, in which s may be pressed again.
		connect: withRow(row => tools.ssh.alone(async () => enterInstance(tools, row))),
		copyCommand: withRow(row => {
			const ways = waysIn(row, tools.ssh.measured.get());
			const way = ways[tools.ssh.inTurn(`${row.instance.id}`, ways.length)];
			if (way !== undefined) tools.copy(sshText(way, [], tools.ssh.identities.files.get()));
		}),
		logs() {
			const row = current();
			if (chosen().length > 1) router.go({name: 'logs', ids: idsOf(chosen())});
			else if (row !== undefined) openLogs(row.instance.id);
		},
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
		tellMe() {
			const rows = chosen();
			const [first] = rows;
			if (first === undefined) return;
			const asked = rows.map(({instance: {id}}) => tools.nextChange.toggle(id));
			const name = rows.length === 1 ? nameOf(first.instance) : `${rows.length} instances`;
			const text = asked.includes(true)
				? `You will be told of the next change of ${name}. m takes it back.`
				: `You will not be told of the next change of ${name}.`;
			tools.say({text, isError: false});
		},
		takeBack() {
			const taken = chosen().filter(({instance: {id}}) => tools.armed.takeBack(id));
			const names = taken.map(({instance}) => nameOf(instance)).join(', ');
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

function idsOf(rows: readonly FleetRow[]): readonly number[] {
	return rows.map(({instance: {id}}) => id);
}

/** The first reason, where there is one against all of them. */
function onlyReason(reasons: ReadonlyArray<string | undefined>): string | undefined {
	return reasons.includes(undefined) ? undefined : reasons[0];
}
