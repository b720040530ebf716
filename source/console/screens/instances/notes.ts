/** Notes about an instance beside its state: its reason, the usual time, the idle cost. */
import {loadingLimits, type Condition} from '../../../renter/fleet/condition.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {gigabytes, known} from '../../../renter/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {minutes, roughly} from './words.ts';

const MINUTE_MS = 60_000;

/** The service's own sentence about an instance, on one line; empty where it sent none. */
export function statusMessage({
	instance: {status_msg: message},
}: Pick<FleetRow, 'instance'>): string {
	return printable(message ?? '').trim();
}

const disk = known((size: number) => `disk ${gigabytes(size)}`);

const endings: Readonly<Record<string, string>> = {
	offline: 'host lost',
	unknown: 'host silent',
	exited: 'ended by itself',
};

type Writer = (row: FleetRow) => string;

const saysUsual: Writer = ({usualMs, instance}) =>
	usualMs === undefined ? statusMessage({instance}) : `usual ${minutes(usualMs)}`;

const notes: Readonly<Record<Condition, Writer>> = {
	undead: ({seen: {destroyedAt}, now}) => `sent ${roughly(now - (destroyedAt ?? now))}`,
	stuck: row => `limit ${Math.round(limitOf(row) / MINUTE_MS)}m`,
	dead: ({instance}) => endings[instance.actual_status ?? ''] ?? statusMessage({instance}),
	noSsh: ({seen: {sshSilentSince}, now}) => `silent ${roughly(now - (sshSilentSince ?? now))}`,
	failing: ({instance}) => endings[instance.actual_status ?? ''] ?? statusMessage({instance}),
	slow: saysUsual,
	provisioning: saysUsual,
	loading: saysUsual,
	destroying: () => 'until gone',
	other: statusMessage,
	running: () => '-',
	idle: ({seen: {idleSince}, now}) => `IDLE ${roughly(now - (idleSince ?? now))}`,
	waiting: statusMessage,
	stopped: ({instance}) => disk(instance.disk_space),
	unlisted: ({seen: {firstSeenAt}, now}) => `since ${roughly(now - firstSeenAt)}`,
	gone: () => '-',
};

export function noteOf(row: FleetRow): string {
	const note = notes[row.condition](row);
	return note === '' ? '-' : note;
}

/** Milliseconds that the present step of a boot may take. */
export function limitOf({instance, seen, limits, usualMs}: FleetRow): number {
	const isProvisioning = (instance.actual_status ?? null) === null && seen.setbacks === 0;
	return isProvisioning
		? limits.nullStuckMinutes * MINUTE_MS
		: loadingLimits(limits, usualMs).stuckMs;
}
