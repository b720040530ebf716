/** What must hold after a sequence of steps: what a client knows is what a market has. */
import {expect} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import type {JournalEntry} from '../../../source/client/journal/journal.ts';
import {readInstanceSettings} from '../../../source/market/lifecycle/instance-rules.ts';
import type {InstanceRow} from '../../../source/market/database/instance-tables.ts';

type Truth = {
	/** Every instance that was made, destroyed or not, the oldest first. */
	readonly made: readonly InstanceRow[];
	/** Those of which it was said that they are gone. */
	readonly gone: ReadonlySet<number>;
};

export async function checkRentals(client: Client, {made, gone}: Truth): Promise<void> {
	const pendingRents = await client.pendingRents.all();
	const tokens = new Map(
		pendingRents.flatMap(({token, state}) => (state.kind === 'created' ? [[state.id, token]] : [])),
	);
	// Every instance is known by a pending rent of its own. What is destroyed has forgotten its mark.
	expect([...tokens.keys()].toSorted(byNumber)).toEqual(made.map(({id}) => id));
	expect(new Set(tokens.values()).size).toBe(made.length);
	for (const row of made) expect([undefined, tokens.get(row.id)]).toContain(markIn(row));
	// A run that was ended before it could tell of an instance leaves that to the next one.
	const open = await client.pendingRents.open();
	expect(open.filter(({state}) => state.kind !== 'created')).toEqual([]);

	const alive = made.filter(row => row.destroyed_at === null).map(({id}) => id);
	expect((await client.instances.list()).instances.map(({id}) => id)).toEqual(alive);
	expect(alive.filter(id => gone.has(id))).toEqual([]);

	checkJournal(await client.journal.read(), made);
}

function markIn({settings}: InstanceRow): string | undefined {
	return readInstanceSettings(settings).env.find(([name]) => name === 'RENTTY_WISH')?.[1];
}

function byNumber(one: number, other: number): number {
	return one - other;
}

function checkJournal(journal: readonly JournalEntry[], made: readonly InstanceRow[]): void {
	const rentals = journal.filter(({change}) => change.action === 'instances.create');
	const rented = rentals.flatMap(({answers}) => [
		...new Set(answers.flatMap(({instance}) => instance ?? [])),
	]);
	expect(rented.toSorted(byNumber)).toEqual(made.map(({id}) => id));
	for (const row of made) {
		const mine = journal.filter(({change}) => change.target === row.id);
		const ends = mine.filter(({change}) => change.action === 'instances.destroy');
		if (row.destroyed_at !== null) expect(ends).not.toEqual([]);
		if (ends.some(entry => says(entry, 'gone'))) expect(row.destroyed_at).not.toBeNull();
		const rental = rentals.find(({answers}) => answers.some(({instance}) => instance === row.id));
		expect(labelsIn(rental, mine)).toContain(row.label ?? '');
	}
}

function says({answers}: JournalEntry, wanted: string): boolean {
	return answers.some(({outcome}) => outcome === wanted);
}

/** The labels that an instance may have: the last that was set, and those that were never answered. */
function labelsIn(
	rental: JournalEntry | undefined,
	changes: readonly JournalEntry[],
): readonly string[] {
	const unanswered: string[] = [];
	let last = rental?.change.label ?? '';
	for (const entry of changes.toReversed()) {
		const {label} = entry.change;
		if (label === undefined) continue;
		if (says(entry, 'done')) last = label;
		else if (says(entry, 'lost')) unanswered.push(label);
	}
	return [last, ...unanswered];
}
