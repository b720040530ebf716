import type {Client} from '../../client/client.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {AgreedLeases} from './agreed.ts';
import type {EnforcerQuery, Enforcer} from './enforcers.ts';
import type {RunInside} from './inside.ts';
import type {Keepers} from './keepers.ts';
import type {LeaseChange, LeaseChangeResult} from './send-lease.ts';
import type {Lease} from '../words/lease.ts';

export type Leases = {
	readonly enforcers: (instance: Instance) => Promise<readonly Enforcer[]>;
	/** Known enforcers of each instance's lease, without new requests. */
	readonly keepers: () => Promise<(instance: Instance) => Keepers | undefined>;
	/**
	 * The first of some instances whose watchdog was not asked recently; undefined if none can be.
	 */
	readonly unasked: (instances: readonly Instance[]) => Instance | undefined;
	readonly askWatchdog: (instance: Instance) => Promise<void>;
	/** Gives an instance another lease, or none, and sends it to every enforcer. */
	readonly send: (instance: Instance, change: LeaseChange) => Promise<LeaseChangeResult>;
	/** The lease that was agreed here, if the label has no readable one. */
	readonly lost: (instance: Instance) => Lease | undefined;
	/** The guard of this service in a line: its host, its start, and its instances. */
	readonly guard: () => Promise<string>;
	readonly inside: RunInside;
};

type Options = {
	readonly client: () => Promise<Client>;
	/** Name of the service in the guard's file. */
	readonly service: string;
	/** Folder of the guard's status file; undefined if instances are not entered, either. */
	readonly state: string | undefined;
	readonly agreed: AgreedLeases | undefined;
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Milliseconds since 1970 on this machine's clock. */
	readonly now: () => number;
};

/** Leases of a service. The code behind them is loaded on first use. */
export function createLeases({
	client,
	service: name,
	state,
	agreed,
	environment,
	now,
}: Options): Leases {
	const {signal} = new AbortController();
	const dogs = createWatchdogAnswers(now);

	async function open() {
		const [enforcing, sending, entering] = await Promise.all([
			import('./enforcers.ts'),
			import('./send-lease.ts'),
			import('./ssh-inside.ts'),
		]);
		const at = await client();
		const inside: EnforcerQuery['inside'] =
			state === undefined
				? nowhere
				: entering.openInside({folders: {state}, environment, signal, client: at, name});
		return {
			enforcing,
			sending,
			asking: {folders: {state}, now, signal, client: at, name, inside, agreed},
		};
	}

	/** The last change of each instance that is under way: the next one begins with what it made. */
	const changing = new Map<number, Promise<LeaseChangeResult>>();

	async function sendAfter(
		before: Promise<unknown> | undefined,
		instance: Instance,
		change: LeaseChange,
	): Promise<LeaseChangeResult> {
		await before?.catch(() => undefined);
		const {sending, asking} = await open();
		const sent = await sending.sendLease(asking, instance, change);
		dogs.note(sent.instance, sent.enforcers);
		return sent;
	}

	return {
		async enforcers(instance) {
			const {enforcing, asking} = await open();
			const all = await enforcing.enforcersOf(asking, instance);
			dogs.note(instance, all);
			return all;
		},
		async keepers() {
			const {keepersBy} = await import('./keepers.ts');
			return keepersBy({state, name, now: now(), watchdog: one => dogs.isConfirmed(one)});
		},
		unasked: instances =>
			state === undefined ? undefined : instances.find(one => dogs.isConfirmed(one) === undefined),
		async askWatchdog(instance) {
			const {enforcing, asking} = await open();
			dogs.note(instance, [await enforcing.askWatchdog(asking, instance)]);
		},
		async send(instance, change) {
			const {id} = instance;
			const sent = sendAfter(changing.get(id), instance, change);
			changing.set(id, sent);
			try {
				return await sent;
			} finally {
				if (changing.get(id) === sent) changing.delete(id);
			}
		},
		lost: instance => agreed?.lost(instance),
		async guard() {
			const {guardStatusText: formatStatus, readGuard} = await import('./guard-status.ts');
			return formatStatus(state === undefined ? undefined : await readGuard(state), name, now());
		},
		inside: enteringBy(async () => (await open()).asking.inside),
	};
}

/** Enters by a route that is found once, and again after a failure. */
function enteringBy(open: () => Promise<RunInside>): RunInside {
	let entry: Promise<RunInside> | undefined;
	return async (instance, script, limitMs) => {
		entry ??= open();
		const output = await (await entry)(instance, script, limitMs);
		// A key may have been added meanwhile.
		if (output === undefined) entry = undefined;
		return output;
	};
}

const nowhere: RunInside = async () => undefined;

type WatchdogAnswer = {
	readonly label: Instance['label'];
	readonly isConfirmed: boolean;
	readonly at: number;
};

/** Time for which the answer of a watchdog counts. */
const ANSWER_MS = 600_000;

function createWatchdogAnswers(now: () => number) {
	const all = new Map<number, WatchdogAnswer>();
	return {
		/** True if it confirmed the lease; undefined if it was not asked recently. */
		isConfirmed({id, label}: Instance): boolean | undefined {
			const last = all.get(id);
			const isLate = last === undefined || now() - last.at >= ANSWER_MS;
			return isLate || last.label !== label ? undefined : last.isConfirmed;
		},
		note({id, label}: Instance, enforcers: readonly Enforcer[]): void {
			const dog = enforcers.find(({who}) => who === 'watchdog');
			if (dog !== undefined) all.set(id, {label, isConfirmed: dog.isConfirmed, at: now()});
		},
	};
}
