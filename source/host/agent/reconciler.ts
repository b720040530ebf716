/** Brings every instance to its wanted state, step by step, even if that changes meanwhile. */
import {sentenceOf} from '../../contract/rules/thrown.ts';
import type {Work} from '../../contract/nouns/host-work.ts';
import {retryDelay, type RetryTools} from '../base/retry.ts';
import {isOther} from '../base/serials.ts';
import type {BootState, Runtime, SendReport} from '../base/runtime.ts';
import {pause} from '../base/scheduler.ts';

export type Reconciler = {
	/** Takes over instances of an earlier agent. */
	readonly adopt: (held: ReadonlyMap<number, BootState>) => void;
	readonly want: (work: Work) => void;
	readonly drop: (instanceId: number) => void;
	readonly keepOnly: (instanceIds: ReadonlySet<number>) => void;
};

type Action = Step | 'refresh';
type Doer = Pick<Runtime, Action>;

type Entry = {
	work: Work;
	/** The runtime's state of the instance. */
	held: BootState | undefined;
	known: Work | undefined;
	isBusy: boolean;
};

export function createReconciler(
	runtime: Doer,
	report: SendReport,
	patience: RetryTools,
): Reconciler {
	const entries = new Map<number, Entry>();

	/** Takes steps until the instance is in its wanted state. */
	async function settle(entry: Entry): Promise<void> {
		if (entry.isBusy) return;
		entry.isBusy = true;
		let failures = 0;
		const {scheduler, random, signal} = patience;
		while (!signal.aborted) {
			const {work, held} = entry;
			const action = nextAction(entry);
			if (action === undefined) break;
			try {
				await act(runtime, action, work, held);
				entry.known = work;
				entry.held = afterStep(action, work, held);
				failures = 0;
			} catch (error) {
				failures += 1;
				complain(action, work, sentenceOf(error));
				await pause(scheduler, retryDelay(failures, random()), signal);
			}
		}
		entry.isBusy = false;
		if (entry.held === undefined && entry.work.wanted === 'gone') {
			entries.delete(entry.work.instance_id);
		}
	}

	function complain(action: Action, {instance_id, boot}: Work, why: string): void {
		patience.log(`Could not ${action} instance ${instance_id}: ${why}. Trying again.`);
		if (action !== 'start') return;
		report({
			instance_id,
			boot,
			status: 'loading',
			status_msg: `The host could not start it, and tries again: ${why}`,
		});
	}

	function want(work: Work): void {
		const {instance_id: id} = work;
		const entry = entries.get(id) ?? {work, held: undefined, known: undefined, isBusy: false};
		entries.set(id, entry);
		// The market sends the API key only once, and a new container needs it again.
		const apiKey = isOther(entry.work.serial, work.serial) ? undefined : entry.work.api_key;
		entry.work = {...work, api_key: work.api_key ?? apiKey};
		void settle(entry);
	}

	function drop(instanceId: number): void {
		const known = entries.get(instanceId);
		if (known !== undefined) want({...known.work, wanted: 'gone'});
	}

	return {
		adopt(held) {
			for (const [id, has] of held) {
				const {boot, container, serial} = has;
				const work: Work = {
					instance_id: id,
					machine_id: 0,
					wanted: 'gone',
					boot,
					container,
					serial,
				};
				entries.set(id, {work, held: has, known: undefined, isBusy: false});
			}
		},
		want,
		drop,
		keepOnly(instanceIds) {
			for (const id of entries.keys()) if (!instanceIds.has(id)) drop(id);
		},
	};
}

function nextAction({work, held, known}: Entry): Action | undefined {
	const isNews = held !== undefined && known !== work;
	return nextStep(work, held) ?? (isNews ? 'refresh' : undefined);
}

async function act(
	runtime: Doer,
	action: Action,
	work: Work,
	held: BootState | undefined,
): Promise<void> {
	const keepsKey = work.wanted !== 'gone' && !isOther(held?.serial, work.serial);
	if (action === 'remove') return runtime.remove(work.instance_id, keepsKey);
	return action === 'stop' ? runtime.stop(work.instance_id) : runtime[action](work);
}

type Step = 'start' | 'stop' | 'remove';

export type WantedRun = Pick<Work, 'wanted' | 'boot' | 'container' | 'serial'>;

/** The next step from the present state to the wanted one; undefined if they agree. */
export function nextStep(
	{wanted, boot, container, serial}: WantedRun,
	held: BootState | undefined,
): Step | undefined {
	if (held === undefined) return wanted === 'running' ? 'start' : undefined;
	// A container to be recreated is removed at once, even if it is stopped.
	if (wanted === 'gone' || held.container !== container) return 'remove';
	// Another renter's, of a market that was restored and has issued the id again.
	if (isOther(held.serial, serial)) return 'remove';
	if (wanted === 'stopped') return held.isStarted ? 'stop' : undefined;
	if (!held.isStarted) return 'start';
	return held.boot === boot ? undefined : 'stop';
}

export function afterStep(
	step: Action,
	{wanted, boot, container, serial}: WantedRun,
	held: BootState | undefined,
): BootState | undefined {
	if (step === 'start') return {boot, container, serial: serial ?? held?.serial, isStarted: true};
	if (held === undefined || (step === 'remove' && wanted === 'gone')) return undefined;
	// An instance of an earlier version takes the first serial that it is told.
	if (step === 'refresh') return {...held, serial: serial ?? held.serial};
	// Recreating a container keeps the API key.
	if (step === 'remove') return {...held, container, serial, isStarted: false};
	return {...held, isStarted: false};
}
