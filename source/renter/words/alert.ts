export const alertKinds = [
	'stuck',
	'dead',
	'undead',
	'exited',
	'failed',
	'host-lost',
	'gpu-sick',
	'idle',
	'running',
	'waiting',
	'changed',
	'replaced',
	'not-as-ordered',
	'rent',
	'price-found',
	'price-rise',
	'dearer',
	'lease-ending',
	'lease-ended',
	'lease-failed',
	'lease-postponed',
	'lease-changed',
	'budget',
	'guard-trouble',
	'run-nan',
	'run-rising',
	'run-silent',
	'run-done',
	'agent-asks',
	'test',
] as const;
export type AlertKind = (typeof alertKinds)[number];

export type Alert = {
	/** Id of the event, by which a repeated alert is recognised. */
	readonly id: string;
	readonly kind: AlertKind;
	/** ISO 8601, in UTC. */
	readonly at: string;
	readonly title: string;
	readonly text: string;
	readonly profile: string | undefined;
	readonly instance: number | undefined;
	readonly offer?: number | undefined;
	/** An announced end: its text is made when it is sent. */
	readonly ends?: AnnouncedEnd | undefined;
};

export type AnnouncedEnd = {
	readonly name: string;
	/** ISO 8601, in UTC on this machine's clock. */
	readonly at: string;
};

/** Routes by which alerts leave the terminal. */
export type AlertRoutes = {
	/**
	 * A program and its arguments, run without a shell: it gets the alert as JSON on its standard
	 * input.
	 */
	readonly program?: readonly string[] | undefined;
	/** A topic of an ntfy server, such as `https://ntfy.sh/my-topic`. */
	readonly ntfy?: string | undefined;
	readonly webhook?: WebhookTarget | undefined;
	/** The notification of the desktop, by notify-send. */
	readonly desktop?: boolean | undefined;
	/** The notification of the terminal: OSC 9, or OSC 777. */
	readonly terminal?: 'osc9' | 'osc777' | undefined;
};

export type WebhookTarget = {
	readonly url: string;
	/** File with the secret that signs requests. */
	readonly secretFile: string;
};

export type AlertSettings = {
	readonly routes: AlertRoutes;
	readonly mute: readonly AlertKind[];
	/** Hours of this machine's clock in which only failures are sent: from the first to the second. */
	readonly quietHours: readonly [from: number, until: number] | undefined;
};

export const noAlerts: AlertSettings = {routes: {}, mute: [], quietHours: undefined};

/** Kinds that are sent at any hour: costs that go on, or data that is lost. */
const urgent: ReadonlySet<AlertKind> = new Set([
	'stuck',
	'dead',
	'undead',
	'exited',
	'failed',
	'host-lost',
	'gpu-sick',
	'not-as-ordered',
	'rent',
	'lease-failed',
	'lease-changed',
	'guard-trouble',
	'budget',
	'run-nan',
	'run-silent',
	'test',
]);

/** True if an alert is sent at this hour. @param hour of this machine's clock, 0 to 23 */
export function isAlertSent(
	{mute, quietHours}: AlertSettings,
	kind: AlertKind,
	hour: number,
): boolean {
	if (mute.includes(kind)) return false;
	if (quietHours === undefined || urgent.has(kind)) return true;
	const [from, until] = quietHours;
	const isQuiet = from <= until ? hour >= from && hour < until : hour >= from || hour < until;
	return !isQuiet;
}

/** An event to announce to a user in another window. */
export type Event = {
	readonly kind: AlertKind;
	/** Subject: "instance 7". */
	readonly about: string;
	/** New state: "stuck". Each state is announced at most once an hour per subject. */
	readonly state: string;
	/** Sentences on one line; the first is the news. */
	readonly text: string;
	/** Subject to open, if there is one. */
	readonly instance?: number | undefined;
	readonly offer?: number | undefined;
};

export type Notify = {
	/** Sends an event unless it was sent before; false if it was. */
	readonly send: (event: Event) => boolean;
	/** Sends an alert that other machines may also send. @param text shown at the foot */
	readonly alert: (alert: Alert, text: string) => boolean;
	/** Sets the number of items of a kind that are in trouble, for the title of the terminal. */
	readonly setTrouble: (kind: string, count: number) => void;
	/** Sets the number of booting instances, for title and progress of the terminal. */
	readonly setBooting: (count: number) => void;
};
