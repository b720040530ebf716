/** Agents as a console knows them: their calls, and their rents that wait for a person. */
import type {AlertStore} from '../alerts/kept-alerts.ts';
import type {Polling} from '../state/polling.ts';
import {createStore, type Readable} from '../state/store.ts';
import type {Alert, Notify} from '../words/alert.ts';
import type {Approval, ApprovalAnswer} from './approvals.ts';
import type {AgentCall} from './call-log.ts';

export type AgentBook = {
	/** Rents that wait for a person, the oldest first. */
	readonly waiting: Readable<readonly Approval[]>;
	/** Calls of agents, the latest first. */
	readonly calls: () => Promise<readonly AgentCall[]>;
	/** False if the rent was answered elsewhere, or no longer waits. */
	readonly answer: (id: string, answer: ApprovalAnswer) => Promise<boolean>;
	readonly close: () => void;
};

type Following = {
	/** Folder of agents' records; undefined if nothing is stored. */
	readonly state: string | undefined;
	readonly polling: Pick<Polling, 'start'>;
	readonly notify: Pick<Notify, 'alert'>;
	readonly alerts: Pick<AlertStore, 'get' | 'acknowledge'>;
	/** Milliseconds since 1970. */
	readonly now: () => number;
};

const EVERY_MS = 3000;
/** Delay of the first poll, after the first screen. */
const FIRST_MS = 500;

/** Follows the files that servers of agents write, whichever profile they rent with. */
export function openAgentBook({state, polling, notify, alerts, now}: Following): AgentBook {
	const waiting = createStore<readonly Approval[]>([]);
	if (state === undefined) {
		return {waiting, calls: async () => [], answer: async () => false, close: () => undefined};
	}

	// Loaded on demand: the first frame waits for no schema.
	const open = async () => (await import('./approvals.ts')).openApprovals(state);

	async function poll(): Promise<void> {
		const approvals = await open();
		const found = approvals.isUsed() ? approvals.waiting(now() / 1000) : [];
		const before = waiting.get();
		const isSame =
			found.length === before.length && found.every(({id}, at) => id === before[at]?.id);
		if (!isSame) waiting.set(found);
		for (const alert of found.map(alertOf)) notify.alert(alert, alert.title);
		const ids = new Set(found.map(one => alertOf(one).id));
		const shown = alerts.get().filter(({kind, isNew}) => kind === 'agent-asks' && isNew);
		alerts.acknowledge(shown.map(({id}) => id).filter(id => !ids.has(id)));
	}

	const startedAt = now();
	const poller = polling.start({
		ask: poll,
		dueAt: lastAt => (Number.isFinite(lastAt) ? lastAt + EVERY_MS : startedAt + FIRST_MS),
	});
	return {
		waiting,
		calls: async () => (await import('./call-log.ts')).readCalls(state),
		async answer(id, answer) {
			const isAnswered = await (await open()).answer(id, answer, now() / 1000);
			await poller.now();
			return isAnswered;
		},
		close: poller.close,
	};
}

function alertOf({id, agent, at, words}: Approval): Alert {
	const [, offer = '', price = ''] = words;
	return {
		id: `agent-asks ${id}`,
		kind: 'agent-asks',
		at: new Date(at * 1000).toISOString(),
		title: `${agent} wants to rent, and waits for you: 5 shows it`,
		text: `${offer}; ${price}. Unanswered within five minutes is no.`,
		profile: undefined,
		instance: undefined,
	};
}
