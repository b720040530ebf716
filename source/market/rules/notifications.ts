/** The kinds of events that the market tells renters of, and which one a change of an instance is. */
import {
	channels,
	type Channel,
	type NotificationKind,
	type Preferences,
} from '../../contract/notifications.ts';
import {Refusal} from '../refusal.ts';
import type {InstanceState, LifecycleEvent} from './lifecycle.ts';

const names = {
	instance_created: 'An instance was made',
	instance_started: 'An instance runs',
	instance_stopped: 'An instance has stopped',
	instance_resumed: 'An instance goes on after it has waited',
	instance_deleted: 'An instance is gone',
	instance_offline: 'The machine of an instance is gone',
	instance_online: 'The machine of an instance is back',
	instance_error: 'An instance cannot start',
	outbid: 'Somebody pays more for the GPUs of an instance',
} as const;

export type Slug = keyof typeof names;

const CONTEXT = 'client';

export function keyOf(slug: Slug): string {
	return `${CONTEXT}:${slug}`;
}

/** Default preferences of each kind. */
const usual: Readonly<Record<Channel, boolean>> = {email: true, webhooks: false};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are what is written above
const slugs = Object.keys(names) as readonly Slug[];

export const kinds: readonly NotificationKind[] = slugs.map(slug => ({
	key: keyOf(slug),
	slug,
	context: CONTEXT,
	topic: null,
	category: 'instance',
	display_name: names[slug],
	default_preferences: {...usual},
	mandatory_email: false,
}));

const known: ReadonlySet<string> = new Set(slugs.map(keyOf));

/** @throws Refusal for a key that is of no kind */
export function refuseUnknownKinds(keys: readonly string[]): void {
	if (keys.every(key => known.has(key))) return;
	throw new Refusal(
		'badArguments',
		`event_types must be keys of /api/v0/notification-types/, such as ${keyOf('outbid')}.`,
	);
}

/** One kind by one channel, as somebody has set it. */
export type Preference = {
	readonly kind: string;
	readonly channel: Channel;
	readonly isOn: boolean;
};

/** @throws Refusal for a context, a kind or a channel that there is not */
export function readPreferences(wanted: Preferences): readonly Preference[] {
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

/** All of them, with what was set. */
export function shownPreferences(set: readonly Preference[]): Preferences {
	const ofSlugs = slugs.map(slug => {
		const here = set.filter(({kind}) => kind === keyOf(slug));
		const changed = here.map(({channel, isOn}) => [channel, isOn] as const);
		return [slug, {...usual, ...Object.fromEntries(changed)}] as const;
	});
	return {[CONTEXT]: Object.fromEntries(ofSlugs)};
}

type Change = (before: InstanceState, after: InstanceState) => Slug | undefined;

const changes: Readonly<Record<LifecycleEvent['kind'], Change>> = {
	destroy: () => 'instance_deleted',
	outbid: () => 'outbid',
	stop: ({intended}) => (intended === 'running' ? 'instance_stopped' : undefined),
	start: ({intended}, {current}) =>
		intended === 'running' && current === 'running' ? 'instance_resumed' : undefined,
	contact(before, after) {
		// A machine that is silent for a moment is nobody's news.
		if (after.contact === 'lost') return 'instance_offline';
		return before.contact === 'lost' && after.contact === 'heard' ? 'instance_online' : undefined;
	},
	report(before, after) {
		if (after.current === 'stopped') return 'instance_error';
		if (after.reported === before.reported) return undefined;
		if (after.reported === 'running') return 'instance_started';
		return after.reported === 'exited' ? 'instance_stopped' : undefined;
	},
	reboot: () => undefined,
	recycle: () => undefined,
};

/** Notification kind of an event; undefined where nobody is notified. */
export function kindOfChange(
	event: LifecycleEvent,
	before: InstanceState,
	after: InstanceState,
): Slug | undefined {
	return changes[event.kind](before, after);
}
