/** Tasks for the host of an instance, snapshots included. */
import {Refusal} from '../base/refusal.ts';
import {printTask, type TaskRequest} from '../hosts/rules.ts';
import type {Database} from '../database/database.ts';
import {findInstance} from '../lifecycle/instances-store.ts';
import {nextRevision} from '../database/numbering.ts';
import {hasOpenTask, insertTask} from './store.ts';
import {writingOn} from '../database/writing.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {publishedOf} from '../machines/listing-rules.ts';
import {readInstanceSettings} from '../lifecycle/instance-rules.ts';
import {findMachine} from '../lifecycle/machines-store.ts';

type Question = {
	readonly instanceId: number;
	readonly accountId: number;
	readonly request: TaskRequest;
	readonly now: number;
	/** Called once the task is certain, before its host can see it. */
	readonly onAsked?: () => void;
};

/** Token of the result's URL, and the host's account; or the obstacle. */
type Asked = {readonly token: string; readonly hostAccountId: number} | {readonly obstacle: string};

/** @throws Refusal if the account has no such instance */
export async function askHost(
	database: Database,
	{instanceId, accountId, request, now, onAsked}: Question,
): Promise<Asked> {
	const held = {instances: [instanceId], payers: false};
	return writingOn(database, held, async transaction => {
		const instance = await findInstance(transaction, {id: instanceId, accountId});
		if (instance === undefined) {
			throw new Refusal('noSuchInstance', `Instance ${instanceId} not found.`);
		}
		if (instance.reported === null) {
			return {obstacle: `Instance ${instanceId} was not started yet: there is nothing to read.`};
		}
		if (instance.contact === 'lost') {
			return {obstacle: `The machine of instance ${instanceId} is offline.`};
		}
		if (request.kind === 'snapshot' && (await hasOpenTask(transaction, instanceId, 'snapshot'))) {
			const running = `A snapshot of instance ${instanceId} is being made: wait for its end.`;
			throw new Refusal('snapshotRunning', running);
		}
		const hostAccountId = instance.host_account_id;
		const revision = await nextRevision(transaction, hostAccountId);
		const text = printTask(request);
		const token = await insertTask(transaction, {instance, request: text, revision, now});
		await refuseTooMany(transaction, 'question', {accountId, at: instanceId, now});
		onAsked?.();
		return {hostAccountId, token};
	});
}

type Order = {
	readonly instanceId: number;
	readonly accountId: number;
	/** Registry; undefined for the machine's first one. */
	readonly registry: string | undefined;
	readonly repository: string;
	readonly pause: boolean;
	readonly needsLogin: boolean;
	readonly now: number;
};

/** Registries known to refuse anonymous pushes; hosts check other registries themselves. */
const LOCKED = new Set([
	'docker.io',
	'ghcr.io',
	'quay.io',
	'registry.gitlab.com',
	'public.ecr.aws',
]);

type SnapshotRequest = TaskRequest & {readonly image: string};

/** @throws Refusal if the account has no such instance, or its machine cannot push it */
export async function planSnapshot(database: Database, order: Order): Promise<SnapshotRequest> {
	const {instanceId: id, accountId, repository, pause, needsLogin, now} = order;
	const instance = await findInstance(database, {id, accountId});
	if (instance === undefined) throw new Refusal('noSuchInstance', `Instance ${id} not found.`);
	const machine = await findMachine(database, instance.machine_id);
	const published = machine && publishedOf(machine, []);
	const registry = registryFor(published?.push_registries ?? [], order);
	if (readInstanceSettings(instance.settings).vm)
		throw refuse(`Instance ${id} is a VM: it has no image.`);
	if (instance.reported === null) {
		throw refuse(`Instance ${id} never ran: there is nothing to push.`);
	}
	const image = `${registry}/${repository}:${id}-${Math.floor(now)}`;
	return {kind: 'snapshot', image, pause, needs_login: needsLogin};
}

function registryFor(registries: readonly string[], {registry, needsLogin}: Order): string {
	const wanted = registry ?? registries[0];
	if (wanted === undefined || registries.length === 0) {
		throw new Refusal('notSupported', 'This machine cannot push images.');
	}
	if (!registries.includes(wanted)) {
		const known = registries.join(', ');
		throw refuse(`This machine pushes to other registries: container_registry is one of ${known}.`);
	}
	if (needsLogin || !LOCKED.has(wanted)) return wanted;
	throw refuse(
		`${wanted} takes no image without a login: docker_login_user and docker_login_pass are missing.`,
	);
}

function refuse(message: string): Refusal {
	return new Refusal('badArguments', message);
}
