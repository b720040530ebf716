/** One sequence of steps, done by clients of one service through its faults. */
import {join} from 'node:path';
import {expect} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {MarketError} from '../../../source/client/exchange/errors.ts';
import type {InstanceRow} from '../../../source/market/database/instance-tables.ts';
import type {Fault} from '../services/faults.ts';
import {faultBy, type Step} from './random-rentals.ts';
import {checkRentals} from './rental-checks.ts';
import {plainOrder, type SafeRental} from './safe-rental.ts';

const LIST = {method: 'GET', path: /^\/api\/v[01]\/instances\//};
const CHANGE = /^\/api\/v0\/(asks|instances)\//;

type Run = {
	readonly world: SafeRental;
	readonly open: () => Client;
	/** What was made in this run, destroyed or not. */
	readonly rows: () => Promise<InstanceRow[]>;
	/** What is carried out when all else is done. */
	readonly late: Array<() => Promise<unknown>>;
	/** Those of which it was said that they are gone. */
	readonly gone: Set<number>;
	client: Client;
	/** Ends what the present client does. */
	ended: AbortController;
};

/** Does the steps, and compares what is known at each and afterwards with the market's own tables. */
export async function playRentals(
	world: SafeRental,
	offers: readonly number[],
	steps: readonly Step[],
): Promise<void> {
	const run = await openRun(world);
	for (const step of steps) {
		prepare(run, step);
		await play(run, step, offers[step.which % offers.length] ?? 0);
		world.proxy.calm();
		if (run.ended.signal.aborted) await restart(run);
	}
	for (const carryOut of run.late) await carryOut();
	await restart(run);
	await run.client.pendingRents.review((await run.client.instances.list()).instances);
	await checkRentals(run.client, {made: await run.rows(), gone: run.gone});
	await run.client.close();
}

async function openRun(world: SafeRental): Promise<Run> {
	const before = await allRows(world);
	await destroyAll(world, before);
	const since = before.at(-1)?.id ?? 0;
	const journalFile = join(world.folder, `run-${since}-${world.time.pauses.length}.jsonl`);
	const pendingRentsFile = `${journalFile}.wishes`;
	const open = () => world.openAnother({journalFile, pendingRentsFile});
	return {
		world,
		open,
		rows: async () => (await allRows(world)).filter(({id}) => id > since),
		late: [],
		gone: new Set(),
		client: open(),
		ended: new AbortController(),
	};
}

/** The last that were made: no run makes more than these. */
async function allRows({database}: SafeRental): Promise<InstanceRow[]> {
	const found = database.selectFrom('instances').selectAll().orderBy('id', 'desc').limit(50);
	return (await found.execute()).toReversed();
}

async function destroyAll(world: SafeRental, rows: readonly InstanceRow[]): Promise<void> {
	const ids = rows.filter(row => row.destroyed_at === null).map(({id}) => id);
	const body = JSON.stringify({instance_ids: ids});
	if (ids.length > 0) await world.call('/api/v0/instances/', {method: 'DELETE', body});
}

/** The program is started once more, and settles what it finds. */
async function restart(run: Run): Promise<void> {
	await run.client.close();
	run.ended = new AbortController();
	run.client = run.open();
	const {pendingRents} = run.client;
	for (const pending of await pendingRents.open()) await pendingRents.settle(pending);
}

/** Lays out what will go wrong. */
function prepare(run: Run, step: Step): void {
	const {does, repeats, lookFault, badLooks} = step;
	const {proxy} = run.world;
	const method = does === 'destroy' ? 'DELETE' : 'PUT';
	if (does !== 'restart') proxy.next({method, path: CHANGE}, faultOf(run, step), repeats);
	// Before a rental there is a list; what follows it are looks.
	if (does === 'rent') proxy.next(LIST, faultBy('none'));
	proxy.next(LIST, faultBy(lookFault), badLooks);
}

function faultOf(run: Run, {fault}: Step): Fault {
	if (fault === 'late') {
		return ({forward, response}) => {
			response.destroy();
			run.late.push(forward);
		};
	}
	if (fault !== 'crash') return faultBy(fault);
	return async ({forward, response}) => {
		await forward();
		run.ended.abort(new Error('the program ended'));
		response.destroy();
	};
}

async function play(run: Run, step: Step, offer: number): Promise<void> {
	switch (step.does) {
		case 'rent':
			return rent(run, offer, step.label);
		case 'rent twice':
			await Promise.all([rent(run, offer, step.label), rent(run, offer, step.label)]);
			return;
		case 'restart':
			return restart(run);
		case 'destroy':
		case 'stop':
		case 'start':
		case 'label':
			return act(run, step);
	}
}

async function rent({client, ended, rows}: Run, offer: number, label: string): Promise<void> {
	const options = {signal: ended.signal};
	await unlessFailed(ended, async () => {
		const rented = await client.instances.rent(offer, {...plainOrder, label}, options);
		if (rented.outcome !== 'created') return;
		expect((await rows()).map(({id}) => id)).toContain(rented.id);
	});
}

/** What is refused or not answered is an error that says so: what holds then is compared at the end. */
async function unlessFailed(ended: AbortController, does: () => Promise<void>): Promise<void> {
	try {
		await does();
	} catch (error) {
		if (!ended.signal.aborted && !(error instanceof MarketError)) throw error;
	}
}

async function act(run: Run, step: Step): Promise<void> {
	const pendingRents = await run.client.pendingRents.all();
	const ids = pendingRents.flatMap(({state}) => (state.kind === 'created' ? [state.id] : []));
	const id = ids[step.which % ids.length];
	if (id === undefined) return;
	const find = async () => (await run.rows()).find(made => made.id === id);
	const before = await find();
	await unlessFailed(run.ended, async () => {
		const said = await actions[step.does]?.(run, id, step.label);
		const row = await find();
		if (said === undefined || row === undefined) return;
		// A second order to destroy it may be refused: it is this order that changed nothing.
		const wasGone = before !== undefined && before.destroyed_at !== null;
		expect([...truthsOf(row), ...(wasGone ? ['refused'] : [])]).toContain(said);
	});
}

type Action = (run: Run, id: number, label: string) => Promise<string | undefined>;

/** What is done to an instance, and what is said of it then. */
const actions: Readonly<Partial<Record<Step['does'], Action>>> = {
	async destroy({client, ended, gone}, id) {
		const {outcome} = await client.instances.remove(id, {signal: ended.signal});
		if (outcome === 'gone') gone.add(id);
		return outcome === 'unknown' ? undefined : outcome;
	},
	async stop({client, ended}, id) {
		const {outcome} = await client.instances.halt(id, {signal: ended.signal});
		return outcome === 'unknown' || outcome === 'refused' ? undefined : outcome;
	},
	async start({client, ended}, id) {
		const {isQueued} = await client.instances.start(id, {signal: ended.signal});
		return isQueued ? 'stopped' : 'still running';
	},
	async label({client, ended}, id, label) {
		await client.instances.label(id, label, {signal: ended.signal});
		return `label ${label}`;
	},
};

/** All that may rightly be said of an instance. */
function truthsOf({destroyed_at, current, label}: InstanceRow): readonly string[] {
	// A client that never saw it cannot tell that it is gone, and says no more than that.
	if (destroyed_at !== null) return ['gone', 'unlisted'];
	const state = current === 'running' ? 'still running' : 'stopped';
	return ['still listed', 'refused', state, `label ${label ?? ''}`];
}
