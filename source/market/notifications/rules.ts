/** Kinds of notifications, and preferences for them. */
import {
	channels,
	type Channel,
	type NotificationKind,
	type Preferences,
} from '../../contract/nouns/notifications.ts';
import {Refusal} from '../base/refusal.ts';
import {changeNames, type Slug} from '../lifecycle/rules.ts';

/** Kinds beside those of an instance's lifecycle, by key. */
const others = {
	'client:price_increase_pending': 'Prices of an instance rise where its renter agrees',
	'client:contract_extended': 'An instance can be kept for longer',
	'client:maintenance_scheduled': 'Maintenance of the machine of an instance is announced',
	'client:upcoming_downtime': 'Maintenance of the machine of an instance begins soon',
	'host:maintenance_scheduled': 'Maintenance of a machine is announced',
	'host:machine_reported': 'A renter reports a machine',
	'host:machine_offline': 'A machine is heard no longer',
	'host:machine_error': 'Nobody can rent a machine until it passes a test',
	'host:verification_failed': 'A machine has failed its test',
	'client:lease_ending': 'A lease ends its instance soon',
	'client:low_credit': 'Credit lasts for less than a day, or is below the account’s threshold',
	'client:credit_transfer_received': 'Another account has given credit',
	'client:payment_receipt': 'A payment has become credit',
	'client:team_invitation': 'A team invites the account',
	'client:contract_expiring': 'An instance can be kept for a day more',
	'client:disk_low': 'The disk of an instance is nearly full',
	'client:disk_full': 'The disk of an instance is full',
	'client:gpu_idle': 'The GPUs of an instance have done nothing for a day',
	'host:listing_ending': 'The offer of a machine ends in a week',
} as const;

export type OtherKind = keyof typeof others;

const CONTEXT = 'client';

export function preferenceKindOf(slug: Slug): string {
	return `${CONTEXT}:${slug}`;
}

const named: ReadonlyMap<string, string> = new Map([
	...Object.entries(changeNames).map(([slug, name]) => [`${CONTEXT}:${slug}`, name] as const),
	...Object.entries(others),
]);

function partsOf(key: string): readonly [context: string, slug: string] {
	const [context = '', slug = ''] = key.split(':');
	return [context, slug];
}

/** Categories of kinds that are neither of an instance nor of a machine. */
const categories: ReadonlyMap<string, string> = new Map<OtherKind, string>([
	['client:low_credit', 'billing'],
	['client:credit_transfer_received', 'billing'],
	['client:payment_receipt', 'billing'],
	['client:team_invitation', 'account'],
]);

function categoryOf(key: string): string {
	return categories.get(key) ?? (partsOf(key)[0] === CONTEXT ? 'instance' : 'machine');
}

/** Shares of a disk from which it is low or full, and below which it has space again. */
export const fullDisks = [
	{
		kind: 'client:disk_low',
		from: 0.9,
		until: 0.8,
		words: 'is nearly full',
		momentOf: (id: number) => `disk low ${id}`,
	},
	{
		kind: 'client:disk_full',
		from: 0.98,
		until: 0.95,
		words: 'is full',
		momentOf: (id: number) => `disk full ${id}`,
	},
] as const;

/**
 * Name of the stored moment since which GPUs have been idle, deleted once its account is notified.
 */
export const IDLE = 'gpu idle ';

export function idleMoment(id: number): string {
	return `${IDLE}${id}`;
}

export function momentsOf(id: number): readonly string[] {
	return [idleMoment(id), ...fullDisks.map(({momentOf}) => momentOf(id))];
}

/** Default preferences of each kind. */
const usual: Readonly<Record<Channel, boolean>> = {email: true, webhooks: false};

export const kinds: readonly NotificationKind[] = [...named].map(([key, display_name]) => {
	const [context, slug] = partsOf(key);
	return {
		key,
		slug,
		context,
		topic: null,
		category: categoryOf(key),
		display_name,
		default_preferences: {...usual},
		mandatory_email: false,
	};
});

const known: ReadonlySet<string> = new Set(named.keys());

/**
 * Separates keys of existing kinds from the others.
 *
 * @throws Refusal if no existing kind is among them
 */
export function partKinds(keys: readonly string[]) {
	const all = [...new Set(keys)];
	const kept = all.filter(key => known.has(key));
	if (kept.length > 0) return {kept, unknown: all.filter(key => !known.has(key))};
	throw new Refusal(
		'badArguments',
		`event_types must be keys of /api/v0/notification-types/, such as ${preferenceKindOf('outbid')}.`,
	);
}

export type Preference = {
	readonly kind: string;
	readonly channel: Channel;
	readonly isOn: boolean;
};

/** @throws Refusal for an unknown context, kind or channel */
export function parsePreferences(wanted: Preferences): readonly Preference[] {
	return Object.entries(wanted).flatMap(([context, ofSlugs]) =>
		Object.entries(ofSlugs).flatMap(([slug, ofChannels]) => {
			const kind = `${context}:${slug}`;
			if (!known.has(kind)) throw unknownPreference();
			return Object.entries(ofChannels).map(([name, isOn]) => {
				const channel = channels.find(one => one === name);
				if (channel === undefined) throw unknownPreference();
				return {kind, channel, isOn};
			});
		}),
	);
}

function unknownPreference(): Refusal {
	return new Refusal(
		'badArguments',
		'notification_preferences must be {context: {slug: {email or webhooks: true or false}}}.',
	);
}

/** All preferences, with those that were set. */
export function shownPreferences(set: readonly Preference[]): Preferences {
	const contexts = Map.groupBy(named.keys(), key => partsOf(key)[0]);
	return Object.fromEntries(
		[...contexts].map(([context, keys]) => [context, Object.fromEntries(keys.map(shownAs(set)))]),
	);
}

function shownAs(set: readonly Preference[]) {
	return (key: string) => {
		const here = set.filter(({kind}) => kind === key);
		const changed = here.map(({channel, isOn}) => [channel, isOn] as const);
		return [partsOf(key)[1], {...usual, ...Object.fromEntries(changed)}] as const;
	};
}
