/** Snapshots: the name that an instance's disk is pushed by, and who cannot have one. */
import type {TaskRequest} from '../hosts/rules.ts';
import {publishedOf} from '../machines/listing-rules.ts';
import {readSettings} from '../lifecycle/instance-settings-rules.ts';
import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import {findInstance} from '../lifecycle/instances-store.ts';
import {findMachine} from '../lifecycle/machines-store.ts';

type Order = {
	readonly instanceId: number;
	readonly accountId: number;
	/** Undefined for the first that the machine pushes to. */
	readonly registry: string | undefined;
	readonly repository: string;
	readonly pause: boolean;
	readonly needsLogin: boolean;
	readonly now: number;
};

type SnapshotRequest = TaskRequest & {readonly image: string};

/** @throws Refusal where the account has no such instance, or its machine cannot push it. */
export async function planSnapshot(database: Database, order: Order): Promise<SnapshotRequest> {
	const {instanceId: id, accountId, repository, pause, needsLogin, now} = order;
	const instance = await findInstance(database, {id, accountId});
	if (instance === undefined) throw new Refusal('noSuchInstance', `Instance ${id} not found.`);
	const machine = await findMachine(database, instance.machine_id);
	const published = machine && publishedOf(machine, []);
	const registries = published?.push_registries ?? [];
	const registry = order.registry ?? registries[0];
	if (registry === undefined || registries.length === 0) {
		throw new Refusal('notSupported', 'This machine cannot push images.');
	}
	if (!registries.includes(registry)) {
		const known = registries.join(', ');
		throw refuse(`This machine pushes to other registries: container_registry is one of ${known}.`);
	}
	if (readSettings(instance.settings).vm) throw refuse(`Instance ${id} is a VM: it has no image.`);
	if (instance.reported === null) {
		throw refuse(`Instance ${id} never ran: there is nothing to push.`);
	}
	const image = `${registry}/${repository}:${id}-${Math.floor(now)}`;
	return {kind: 'snapshot', image, pause, needs_login: needsLogin};
}

function refuse(message: string): Refusal {
	return new Refusal('badArguments', message);
}
