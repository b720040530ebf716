/** Leases for the console: their enforcers, and changes. */
import type {Client} from '../../client/client.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {AgreedLeases} from './agreed.ts';
import type {Asking, Enforcer} from './enforcers.ts';
import type {Sent} from './send-lease.ts';
import type {Lease} from '../words/lease.ts';

export type Leases = {
	readonly enforcers: (instance: Instance) => Promise<readonly Enforcer[]>;
	/** Gives an instance another lease, or none, and tells everybody who goes by it. */
	readonly send: (instance: Instance, lease: Lease | undefined) => Promise<Sent>;
	/** The lease that was agreed here, if the label has no readable one. */
	readonly lost: (instance: Instance) => Lease | undefined;
	/** The guard of this service in a line: its host, its start, and its instances. */
	readonly guard: () => Promise<string>;
};

type Options = {
	readonly client: () => Promise<Client>;
	/** Name of the service in the guard's file. */
	readonly service: string;
	/** Folder of the guard's status file; undefined where instances are not entered, either. */
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

	async function open() {
		const [enforcing, sending, entering] = await Promise.all([
			import('./enforcers.ts'),
			import('./send-lease.ts'),
			import('./ssh-inside.ts'),
		]);
		const at = await client();
		const inside: Asking['inside'] =
			state === undefined
				? async () => undefined
				: entering.openInside({folders: {state}, environment, signal, client: at, name});
		return {
			enforcing,
			sending,
			asking: {folders: {state}, now, signal, client: at, name, inside, agreed},
		};
	}

	return {
		async enforcers(instance) {
			const {enforcing, asking} = await open();
			return enforcing.enforcersOf(asking, instance);
		},
		async send(instance, lease) {
			const {sending, asking} = await open();
			return sending.sendLease(asking, instance, lease);
		},
		lost: instance => agreed?.lost(instance),
		async guard() {
			const {guardWords, readGuard} = await import('./guard-status.ts');
			return guardWords(state === undefined ? undefined : await readGuard(state), name, now());
		},
	};
}
