/** The page that says how an instance is entered. */
import {scpCommand, shellText, sshText} from '../../../contract/ssh-command.ts';
import type {SshRoute} from '../../../contract/ssh-command.ts';
import {spread} from '../../chrome.ts';
import type {Measurements} from '../../connect/measuring.ts';
import {sshNames} from '../../connect/ssh-config.ts';
import type {FleetRow} from '../../fleet/fleet-state.ts';
import {fit} from '../../terminal/output/text-width.ts';
import {noWayInto, waysIn} from './connecting.ts';

export type ConnectView = {
	readonly measured: Measurements;
	/** All that is rented: names for SSH depend on each other. */
	readonly rows: readonly FleetRow[];
	readonly isInTmux: boolean;
};

export function connectLines(row: FleetRow, view: ConnectView, width: number): readonly string[] {
	const ways = waysIn(row, view.measured);
	const [first] = ways;
	const reason = noWayInto(row);
	if (first === undefined || reason !== undefined) {
		return [
			fit(` It cannot be entered: ${reason ?? 'no way in is known'}.`, width),
			fit(' m tells you when it changes.', width),
		];
	}
	const copy = {isUpload: true, local: 'SRC', remote: '/workspace/'};
	const name = sshNames(view.rows.map(({instance}) => instance)).get(row.instance.id) ?? '';
	const keys = [
		['s', 'enter it here: rentty steps aside, and comes back when you leave'],
		['y', ways.length > 1 ? `copy the ${first.kind} command; again for the other` : 'copy it'],
		['f', `forward ports   ${sshText(first, [{local: 8080, remote: 8080}])}`],
		['t', `transfer        ${shellText(scpCommand(first, copy))}`],
		['a', `more: a name for ssh, scp and editors, "${name}"`],
	];
	const twice = ' If the instance starts tmux: you are in one, so press its prefix twice.';
	return [
		...ways.map(way => spread(width, ` ${sshText(way)}`, `${answer(way, row, view.measured)} `)),
		'',
		...keys.map(([key, does]) => fit(` ${key}  ${does}`, width)),
		...(view.isInTmux ? ['', fit(twice, width)] : []),
	];
}

/** What is known of a way in: whether it was tried, and how long it took. */
function answer(way: SshRoute, {instance: {id}}: FleetRow, measured: Measurements): string {
	const known = measured
		.get(id)
		?.find(({kind, host, port}) => kind === way.kind && host === way.host && port === way.port);
	if (known === undefined) return `${way.kind}, not tried yet`;
	if (known.ms === undefined) return `${way.kind}, does not answer`;
	return `${way.kind}, answers in ${Math.max(1, Math.round(known.ms))}ms`;
}
