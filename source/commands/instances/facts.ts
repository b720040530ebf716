/** Instances as commands print them: a record with stable names, and columns for reading. */
import {costSoFar, formatCostRange} from '../../renter/instance/cost.ts';
import {
	countedFrom,
	type InstanceCondition,
	evidenceFor,
	isAtLeast,
} from '../../renter/instance/condition.ts';
import type {FleetRow} from '../../renter/fleet/fleet-state.ts';
import {duration, formatGpus, price} from '../../renter/text/format.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {endsAt, madeAt} from '../../renter/instance/times.ts';
import {leaseEndText, leaseOf} from '../../renter/leases/held.ts';
import {remainingTerms, writeTerms} from '../../renter/leases/lease-terms.ts';
import {shownLabel} from '../../renter/words/lease.ts';
import {sshRoutes, sshText} from '../../contract/nouns/ssh-command.ts';
import {widthOf} from '../../renter/text/text-width.ts';
import {withNulls, type PrintedColumn} from '../base/output.ts';

const stateTexts: Readonly<Partial<Record<InstanceCondition, string>>> = {
	noSsh: 'running-no-ssh',
	unlisted: 'not-listed-yet',
};

/** Condition in a renter's word: `stuck`, `running`. */
function conditionWord(condition: InstanceCondition): string {
	return stateTexts[condition] ?? condition;
}

/** A word for the state: rentty's own where it says more than the service's. */
export function stateWord({condition, instance}: Pick<FleetRow, 'condition' | 'instance'>): string {
	const own = conditionWord(condition);
	return condition === 'other' || condition === 'failing' ? (instance.actual_status ?? own) : own;
}

/** An instance as `--json` shows it, with null for values that the service does not give. */
export function instanceJson(row: FleetRow, identities: readonly string[] = []) {
	const {instance, condition, observation, rate, now} = row;
	const made = madeAt(instance, now);
	const cost = costSoFar(row);
	return withNulls({
		id: instance.id,
		label: recordLabel(instance.label),
		condition: conditionWord(condition),
		state: instance.actual_status,
		wanted: instance.intended_status,
		since: isoTime(countedFrom(observation)),
		since_or_before: isAtLeast(observation),
		made: isoTime(made),
		ends: isoTime(endsAt(instance, now)),
		age_seconds: made === undefined ? undefined : Math.round((now - made) / 1000),
		gpu: instance.gpu_name,
		gpus: instance.num_gpus,
		image: instance.image_uuid,
		template: instance.template_hash_id,
		disk_gb: instance.disk_space,
		location: instance.geolocation,
		machine: instance.machine_id,
		is_bid: instance.is_bid,
		price_per_hour: rate.now,
		at_most_per_hour: rate.atMost,
		cost_at_least: dollars(cost.atLeast),
		cost_at_most: dollars(cost.atMost),
		ran: observation.hasRun,
		evidence: evidenceFor(row),
		message: instance.status_msg,
		ssh: sshRecord(instance, identities),
		lease: leaseRecord(row),
		lost_lease: lostTerms(row),
	});
}

/** Rules of a lease, and what is left of them in words; null if there is none. */
function leaseRecord({instance, now}: FleetRow) {
	const {lease} = leaseOf(instance);
	return (
		lease &&
		withNulls({
			terms: leaseEndText(instance, now),
			ends: isoTime(lease.endsAt === undefined ? undefined : lease.endsAt * 1000),
			idle_seconds: lease.idleSeconds,
			max_cost: lease.maxCost,
			action: lease.action,
			kept: lease.isKept,
		})
	);
}

/** A label as `--json` shows it; null if the service says none. */
export function recordLabel(label: Instance['label']): string | null {
	return typeof label === 'string' ? shownLabel(label) : null;
}

/** Terms of the lease that was agreed here, where the label of its instance has lost it. */
function lostTerms({lostLease, now}: FleetRow): string | undefined {
	return lostLease && writeTerms(remainingTerms(lostLease, Math.floor(now / 1000)));
}

/** Dollars to the ten-thousandth: more digits only come from floating point. */
function dollars(sum: number | undefined): number | undefined {
	return sum === undefined ? undefined : Math.round(sum * 1e4) / 1e4;
}

/** A moment in ISO 8601; undefined beyond the range of dates. */
function isoTime(ms: number | undefined): string | undefined {
	const date = new Date(ms ?? Number.NaN);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** SSH address of an instance, with private keys that ssh does not try by itself; null without one. */
export function sshRecord(instance: Instance, identities: readonly string[] = []) {
	const [route] = instance.actual_status === 'running' ? sshRoutes(instance) : [];
	if (route === undefined) return null;
	const {host, port} = route;
	return {host, port, user: 'root', command: sshText(route, [], identities)};
}

export const printedInstanceColumns: ReadonlyArray<PrintedColumn<FleetRow>> = [
	{title: 'ID', isNumber: true, cell: ({instance}) => String(instance.id)},
	{title: 'LABEL', cell: ({instance}) => shownLabel(instance.label) || undefined},
	{title: 'STATE', cell: stateWord},
	{
		title: 'FOR',
		isNumber: true,
		cell: ({observation, now}) =>
			`${duration((now - countedFrom(observation)) / 1000)}${isAtLeast(observation) ? '+' : ''}`,
	},
	{
		title: 'ENDS',
		cell({instance, now, lostLease, condition}) {
			if (condition === 'gone') return undefined;
			return lostLease === undefined ? leaseEndText(instance, now) : 'lost';
		},
	},
	{title: 'GPUS', cell: ({instance}) => formatGpus(instance)},
	{title: '$/H', isNumber: true, cell: ({rate}) => price(rate.now)},
	{title: 'AT MOST', isNumber: true, cell: ({rate}) => price(rate.atMost)},
	{title: 'SO FAR', isNumber: true, cell: row => formatCostRange(costSoFar(row))},
	{title: 'IMAGE', cell: ({instance}) => instance.image_uuid ?? undefined},
];

/** Names padded to one width. */
export function namesOf(
	instances: ReadonlyArray<Pick<Instance, 'id' | 'label'>>,
): ReadonlyMap<number, string> {
	const names = instances.map(instanceName);
	const width = Math.max(...names.map(widthOf));
	const padded = names.map(name => name + ' '.repeat(width - widthOf(name)));
	return new Map(instances.map(({id}, at) => [id, padded[at] ?? '']));
}

/** "8812519 train-c". */
export function instanceName({id, label}: Pick<Instance, 'id' | 'label'>): string {
	const shown = shownLabel(label);
	return shown === '' ? String(id) : `${id} ${shown}`;
}
