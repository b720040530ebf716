import {messageOf} from '../../contract/rules/thrown.ts';
import type {Client} from '../../client/client.ts';
import type {Halt, Removal, Removed} from '../../client/rentals/removal.ts';
import type {Fleet} from '../fleet/fleet.ts';
import type {FleetRow} from '../fleet/fleet-state.ts';
import {changeInPolls, readChanges} from './changed-meanwhile.ts';
import {evidenceFor, isTrouble} from '../instance/condition.ts';
import {sentence} from '../text/format.ts';
import {printable} from '../text/text-width.ts';

export type InstanceAction = 'stop' | 'start' | 'destroy' | 'reboot' | 'recycle';

export type ActionEnding =
	/** The outcome was observed, or needs no wait. */
	| {readonly kind: 'done'}
	| {readonly kind: 'gone'}
	/** The instance waits for its GPUs, and starts when they are free. */
	| {readonly kind: 'queued'}
	/** The service accepted the action, but its effect was not observed yet. */
	| {readonly kind: 'pending'}
	/** The instance is not listed, but nothing proves that it is gone. */
	| {readonly kind: 'unlisted'; readonly isAccepted: boolean}
	/** The service refused, and nothing was done. */
	| {readonly kind: 'refused'; readonly error: unknown}
	/** The outcome cannot be observed at present. */
	| {readonly kind: 'unknown'; readonly error: unknown};

export type ActionOutcome = {
	readonly id: number;
	readonly ending: ActionEnding;
	/** The remaining cost, in dollars an hour. */
	readonly perHour: number | undefined;
};

export function actionEndingOf(result: Removal | Halt): ActionEnding {
	switch (result.outcome) {
		case 'gone':
			return {kind: 'gone'};
		case 'stopped':
			return {kind: 'done'};
		case 'still listed':
		case 'still running':
			return result.isAccepted
				? {kind: 'pending'}
				: {kind: 'refused', error: new Error('nobody answered, and nothing has happened')};
		case 'unlisted':
			return {kind: 'unlisted', isAccepted: result.isAccepted};
		case 'refused':
			return {kind: 'refused', error: result.error};
		case 'unknown':
			return {kind: 'unknown', error: result.error};
	}
}

/** The outcome of a failed call that nothing has confirmed. */
export function endingAfter(error: unknown): ActionEnding {
	const mayHaveActed =
		error instanceof Error && 'mayHaveActed' in error && error.mayHaveActed === true;
	return {kind: mayHaveActed ? 'unknown' : 'refused', error};
}

export function hasActionFailed({ending: {kind}}: ActionOutcome): boolean {
	return kind !== 'done' && kind !== 'gone' && kind !== 'queued';
}

/** Reason of a failure without the attempt, for sentences that name the attempt themselves. */
export function reasonOf(error: unknown): string {
	const message = messageOf(error);
	return sentence(printable(message).replace(/^Could not [^:]*: /, ''));
}

/** Reason of a failure without its consequence for money, for sentences that name that themselves. */
export function whyOf(error: unknown): string {
	return error instanceof Error && 'why' in error && typeof error.why === 'string'
		? sentence(printable(error.why))
		: reasonOf(error);
}

export function troubleEvidence(row: FleetRow): string | undefined {
	return isTrouble(row.condition) ? evidenceFor(row) : undefined;
}

/** An instance to destroy, in the form that the client and its journal take. */
export function removalOf(row: FleetRow): Removed {
	return {id: row.instance.id, evidence: troubleEvidence(row)};
}

type Acting = {
	readonly client: () => Promise<Client>;
	readonly fleet: Fleet;
	readonly onOutcome?: (outcome: ActionOutcome) => void;
};

/** Acts on all rows; the outcomes are in the order of the rows. */
export async function actOnAll(
	action: InstanceAction,
	rows: readonly FleetRow[],
	acting: Acting,
): Promise<readonly ActionOutcome[]> {
	const {client, fleet, onOutcome} = acting;
	if (action === 'destroy') return destroyAll(rows, acting);
	const changes = action === 'stop' ? await changesIn(client, rows) : new Map<number, string>();
	const outcomes = await several(rows, async row => {
		const {id} = row.instance;
		const change = changes.get(id);
		const ending = change === undefined ? await act(client, action, id) : refused(change);
		const outcome = outcomeOf(row, ending);
		onOutcome?.(outcome);
		return outcome;
	});
	// The fleet knows already that the instance is gone.
	await fleet.refresh().catch(() => undefined);
	return outcomes;
}

/**
 * Most concurrent instances: calls are rate-limited anyway, and one list serves all polls. With
 * more, the last ones would exceed their time limit.
 */
const AT_ONCE = 5;

/** Works on all items, a few at a time. The results are in the order of the items. */
async function several<Item, Result>(
	items: readonly Item[],
	work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
	const results = new Map<Item, Result>();
	const waiting = items.values();
	async function takeTurns(): Promise<void> {
		for (const item of waiting) results.set(item, await work(item));
	}
	await Promise.all(Array.from({length: AT_ONCE}, takeTurns));
	return items.flatMap(item => results.get(item) ?? []);
}

function outcomeOf({instance: {id}, rate}: FleetRow, ending: ActionEnding): ActionOutcome {
	return {id, ending, perHour: rate.atMost};
}

/**
 * Destroys instances with as few calls as the service allows, and shows the progress: accepted is
 * not gone.
 */
async function destroyAll(
	rows: readonly FleetRow[],
	{client, fleet, onOutcome}: Acting,
): Promise<readonly ActionOutcome[]> {
	const seen = changesInPolls(fleet, rows);
	const agreed = rows.filter(({instance: {id}}) => !seen.has(id));
	const takeBacks = new Map(agreed.map(({instance: {id}}) => [id, fleet.noteDestroyed(id)]));
	const started = startRemoval(client, agreed);
	return Promise.all(
		rows.map(async row => {
			const {id} = row.instance;
			const takeBack = takeBacks.get(id);
			// The user agreed to something else, so they are asked again.
			if (takeBack === undefined) return outcomeOf(row, refused(seen.get(id) ?? ''));
			const ending = await tried(async () => {
				const {changes, removal} = await started;
				const change = changes.get(id);
				return change === undefined ? actionEndingOf(await removal(id)) : refused(change);
			});
			if (ending.kind === 'gone') fleet.noteGone(id);
			else if (ending.kind !== 'pending' && ending.kind !== 'unlisted') takeBack();
			const outcome = outcomeOf(row, ending);
			onOutcome?.(outcome);
			return outcome;
		}),
	);
}

function changesInPolls({state}: Fleet, rows: readonly FleetRow[]): ReadonlyMap<number, string> {
	const present = new Map(state.get().rows.map(row => [row.instance.id, row]));
	return new Map(
		rows.flatMap(row => {
			const {id} = row.instance;
			const change = changeInPolls(row, present.get(id) ?? row);
			return change === undefined ? [] : [[id, change] as const];
		}),
	);
}

/** Destroys the instances that are still as agreed. */
async function startRemoval(client: () => Promise<Client>, rows: readonly FleetRow[]) {
	const opened = await client();
	const changes = await readChanges(opened, rows);
	const agreed = rows.filter(({instance: {id}}) => !changes.has(id));
	return {changes, removal: opened.instances.removeAll(agreed.map(removalOf))};
}

/** Changes since the review; none without a client, because nothing is sent then. */
async function changesIn(
	client: () => Promise<Client>,
	rows: readonly FleetRow[],
): Promise<ReadonlyMap<number, string>> {
	try {
		return await readChanges(await client(), rows);
	} catch {
		return new Map();
	}
}

function refused(why: string): ActionEnding {
	return {kind: 'refused', error: new Error(why)};
}

async function act(
	client: () => Promise<Client>,
	action: Exclude<InstanceAction, 'destroy'>,
	id: number,
): Promise<ActionEnding> {
	return tried(async () => {
		const {instances} = await client();
		if (action === 'stop') return actionEndingOf(await instances.halt(id));
		if (action === 'start') {
			const {isQueued} = await instances.start(id);
			return {kind: isQueued ? 'queued' : 'done'};
		}
		await instances[action](id);
		return {kind: 'done'};
	});
}

async function tried(attempt: () => Promise<ActionEnding>): Promise<ActionEnding> {
	try {
		return await attempt();
	} catch (error) {
		return endingAfter(error);
	}
}
