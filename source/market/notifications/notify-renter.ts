/** Notifies accounts of events of their instances and machines. */
import {preferenceKindOf, type OtherKind} from './rules.ts';
import type {Slug} from '../lifecycle/rules.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {noteEvent} from './store.ts';

type NotifiedInstance = Pick<InstanceRow, 'id' | 'account_id' | 'label' | 'message'>;

const subjects: Readonly<Record<Slug, (name: string) => string>> = {
	instance_created: name => `${name} was made`,
	instance_started: name => `${name} runs`,
	instance_stopped: name => `${name} has stopped`,
	instance_resumed: name => `${name} goes on`,
	instance_deleted: name => `${name} is gone`,
	instance_offline: name => `The machine of ${name} is gone`,
	instance_online: name => `The machine of ${name} is back`,
	instance_error: name => `${name} cannot start`,
	outbid: name => `${name} was outbid`,
};

const messages: Readonly<Record<Slug, string>> = {
	instance_created: 'Its host loads it.',
	instance_started: 'It can be used.',
	instance_stopped: 'Its disk still costs.',
	instance_resumed: 'It has its GPUs again.',
	instance_deleted: 'It costs nothing from now on.',
	instance_offline: 'Nothing was heard of it for a while. Meanwhile it costs nothing.',
	instance_online: 'It is heard again.',
	instance_error: 'Its host gave it up.',
	outbid: 'It goes on when its bid wins again.',
};

/** Queues an event of an instance. Call it in the event's transaction. */
export async function notifyRenter(
	database: Database,
	{id, account_id: accountId, label, message}: NotifiedInstance,
	slug: Slug,
	at: number,
): Promise<void> {
	const name = formatInstanceName({id, label});
	await noteEvent(database, {
		accountId,
		kind: preferenceKindOf(slug),
		slug,
		at,
		subject: subjects[slug](name),
		message: message ?? messages[slug],
	});
}

export type News = {
	readonly kind: OtherKind;
	readonly subject: string;
	readonly message: string;
	readonly at: number;
};

/** Queues an event outside an instance's lifecycle. */
export async function notifyAccount(
	database: Database,
	accountId: number,
	{kind, ...news}: News,
): Promise<void> {
	const slug = kind.slice(kind.indexOf(':') + 1);
	await noteEvent(database, {accountId, kind, slug, ...news});
}

/** Name of an instance in sentences. */
export function formatInstanceName({id, label}: Pick<InstanceRow, 'id' | 'label'>): string {
	return label === null || label === '' ? `Instance ${id}` : `Instance ${id} (${label})`;
}
