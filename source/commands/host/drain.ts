/** `rentty host drain`: a machine takes no more rents, and waits for its renters or notifies them. */
import {setTimeout as sleep} from 'node:timers/promises';
import type {Client} from '../../client/client.ts';
import type {Machine} from '../../contract/nouns/machines.ts';

type Draining = {
	readonly client: Client;
	readonly machine: Machine;
	/** Maintenance that its renters are notified of; undefined for no notification. */
	readonly window:
		| {readonly start: number; readonly hours: number; readonly reason: string | undefined}
		| undefined;
	/** Waits until nothing is rented of it. */
	readonly waits: boolean;
	readonly say: (text: string) => void;
	/** @default 10_000 */
	readonly everyMs?: number;
};

const EVERY_MS = 10_000;

export async function drainMachine(draining: Draining): Promise<void> {
	const {client, machine, window, waits, say, everyMs = EVERY_MS} = draining;
	const {id} = machine;
	await client.machines.unlist(id);
	say(`Machine ${id} takes no more rents. rentty host price lists it again.`);
	if (window !== undefined) {
		await client.machines.announceMaintenance(id, window);
		say(`Its renters are notified that it ends ${new Date(window.start * 1000).toISOString()}.`);
	}
	let before: number | undefined;
	for (;;) {
		const left = (await client.machines.show(id))?.current_rentals_resident ?? 0;
		if (left !== before) say(rentalsLeft(left));
		if (left === 0 || !waits) return;
		before = left;
		await sleep(everyMs);
	}
}

function rentalsLeft(count: number): string {
	if (count === 0) return 'Nothing is rented of it: it can be turned off.';
	return count === 1 ? 'One rental goes on.' : `${count} rentals go on.`;
}
