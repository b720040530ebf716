/** The page that says how an instance is entered. */
import {
	rsyncCommand,
	scpCommand,
	shellText,
	sshText,
	type SshRoute,
} from '../../../contract/nouns/ssh-command.ts';
import {spread} from '../../ui/chrome.ts';
import type {Measurements} from '../../../renter/connect/measuring.ts';
import {sshNames} from '../../../renter/connect/ssh-config.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {fit} from '../../../renter/text/text-width.ts';
import {noWayInto, waysIn} from './connecting.ts';
import {usageSummary} from './instance-pages.ts';
import {suggestedForwards} from '../../../renter/connect/ports.ts';

export type ConnectView = {
	readonly measured: Measurements;
	/** All that is rented: names for SSH depend on each other. */
	readonly rows: readonly FleetRow[];
	readonly isInTmux: boolean;
	/** Private keys that OpenSSH is told of. */
	readonly identities: readonly string[];
};

export function connectLines(row: FleetRow, view: ConnectView, width: number): readonly string[] {
	const ways = waysIn(row, view.measured);
	const [first] = ways;
	if (first === undefined || noWayInto(row) !== undefined) return wayLines(row, view, width);
	const name = nameFor(row, view);
	const keys = [
		['s', 'enter it here: rentty steps aside, and comes back when you leave'],
		['y', ways.length > 1 ? `copy the ${first.kind} command; again for the other` : 'copy it'],
		['f', `forward ports   ${suggestedForwards(row.instance)}`],
		[
			't',
			`transfer        ${shellText(scpCommand(first, {...upload, identities: view.identities}))}`,
		],
		['a', `more: a name for ssh, scp and editors, "${name}"`],
	];
	return [
		...wayLines(row, view, width),
		'',
		...keys.map(([key, does]) => fit(` ${key}  ${does}`, width)),
		'',
		...usageSummary(row, width),
	];
}

/** The ways into it, a line each; or why there is none. */
export function wayLines(row: FleetRow, view: ConnectView, width: number): readonly string[] {
	const reason = noWayInto(row);
	if (reason !== undefined) {
		return [
			fit(` It cannot be entered: ${reason}.`, width),
			fit(' m tells you when it changes.', width),
		];
	}
	const twice = ' If the instance starts tmux: you are in one, so press its prefix twice.';
	return [
		...waysIn(row, view.measured).map(way =>
			spread(width, ` ${sshText(way, [], view.identities)}`, `${answer(way, row, view.measured)} `),
		),
		...(view.isInTmux ? [fit(twice, width)] : []),
	];
}

/** The instance's host name in OpenSSH's configuration. */
export function nameFor({instance: {id}}: FleetRow, {rows}: Pick<ConnectView, 'rows'>): string {
	return sshNames(rows.map(({instance}) => instance)).get(id) ?? '';
}

const upload = {isUpload: true, local: './data', remote: '/workspace/'};
const download = {isUpload: false, local: './out', remote: '/workspace/out'};

/** Commands that copy files to and from the instance; none where it cannot be entered. */
export function transferLines(row: FleetRow, view: ConnectView, width: number): readonly string[] {
	const {identities} = view;
	const [first] = waysIn(row, view.measured);
	if (first === undefined || noWayInto(row) !== undefined) return [];
	return [
		fit(` up    ${shellText(scpCommand(first, {...upload, identities}))}`, width),
		fit(` down  ${shellText(rsyncCommand(first, {...download, identities}))}`, width),
	];
}

/** A route's last measurement: untried, silent, or its time to answer. */
function answer(way: SshRoute, {instance: {id}}: FleetRow, measured: Measurements): string {
	const known = measured
		.get(id)
		?.find(({kind, host, port}) => kind === way.kind && host === way.host && port === way.port);
	if (known === undefined) return `${way.kind}, not tried yet`;
	if (known.ms === undefined) return `${way.kind}, does not answer`;
	return `${way.kind}, answers in ${Math.max(1, Math.round(known.ms))}ms`;
}
