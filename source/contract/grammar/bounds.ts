/** Limits on an account's records, at once and per day. The market refuses one more. */
import type {RefusalReason} from './errors.ts';

export type Bound = {
	/** Plural of the kind for refusals. */
	readonly name: string;
	/** The most that may exist at once. */
	readonly most?: number;
	/** The most that may be created in 24 hours, including deleted ones. */
	readonly aDay?: number;
	/**
	 * Holder whose records are counted. A person: an account with its subaccounts and the teams of
	 * all of them. A renter: an account, for each machine separately.
	 */
	readonly counts: 'account' | 'person' | 'team' | 'instance' | 'machine' | 'renter';
	/** @default 'badArguments' */
	readonly reason?: RefusalReason;
};

/** A row for each kind of record that a call creates. Endpoints name their rows as `makes`. */
export const bounds = {
	apiKey: {name: 'API keys', most: 500, aDay: 1000, counts: 'account'},
	copy: {name: 'copies under way', most: 100, aDay: 5000, counts: 'account'},
	instance: {name: 'instances', most: 10_000, aDay: 50_000, counts: 'account'},
	instanceKey: {name: 'SSH keys', most: 200, aDay: 400, counts: 'instance'},
	invitation: {name: 'open invitations to teams', most: 100, aDay: 200, counts: 'person'},
	machine: {name: 'machines', most: 50_000, counts: 'account'},
	machineReport: {name: 'reports of a machine', aDay: 1, counts: 'renter'},
	machineTest: {name: 'tests', aDay: 100, counts: 'machine'},
	maintenance: {name: 'announced maintenance windows', most: 20, aDay: 100, counts: 'machine'},
	member: {name: 'members', most: 200, aDay: 400, counts: 'team'},
	question: {name: 'questions to its host in ten minutes', most: 1000, counts: 'instance'},
	role: {name: 'roles', most: 50, aDay: 200, counts: 'team'},
	scheduledJob: {name: 'scheduled jobs', most: 20, aDay: 200, counts: 'account'},
	secret: {name: 'variables', most: 100, aDay: 1000, counts: 'account', reason: 'tooManySecrets'},
	sshKey: {name: 'SSH keys', most: 100, aDay: 200, counts: 'account'},
	subaccount: {name: 'subaccounts', most: 100, aDay: 200, counts: 'person'},
	team: {name: 'teams', most: 20, aDay: 40, counts: 'person'},
	template: {name: 'templates', most: 100, aDay: 200, counts: 'account'},
	volume: {name: 'volumes', most: 1000, aDay: 5000, counts: 'account'},
	webhook: {name: 'webhooks', most: 4, aDay: 40, counts: 'account', reason: 'tooManyWebhooks'},
} as const satisfies Readonly<Record<string, Bound>>;

/** The most queued deliveries of a webhook; further events are dropped. */
export const MOST_DELIVERIES = 10_000;

export const holders: Readonly<Record<Bound['counts'], string>> = {
	account: 'an account',
	person: 'a person with all subaccounts and teams',
	team: 'a team',
	instance: 'an instance',
	machine: 'a machine',
	renter: 'a renter',
};

export type CreatedKind = keyof typeof bounds;
