/** Destroys an instance that never came to run, and rents the next in its place, where its renter armed that. */
import type {Client} from '../../../client/client.ts';
import {sentence} from '../../../renter/format.ts';
import type {Services} from '../../services.tsx';
import {evidenceFor} from '../../../renter/fleet/sweepable.ts';
import type {RentFacts} from '../../../renter/orders/rent-facts.ts';
import {bootOf} from '../../../renter/orders/if-stuck.ts';
import {tellKey} from '../../../renter/instance-keys.ts';
import {rentReplacement} from '../../../renter/orders/replacement.ts';
import {urlOf} from '../../../renter/profiles/target.ts';
import type {Preview} from '../../../renter/orders/preview.ts';
import {failureOf} from './rent-message.ts';

export type Armed = {
	readonly services: Pick<
		Services,
		'client' | 'desk' | 'fleet' | 'settings' | 'renting' | 'terminal'
	>;
	/** Form's choices: what to do, how often, and up to which price. */
	readonly values: Preview['values'];
	/** The offer that was rented, and those that were tried before it. */
	readonly facts: RentFacts;
};

/** Watches a boot until it is over, or its renter takes that back. Nothing is done unwatched: it lasts as long as the program. */
export function armBoot(armed: Armed, id: number): void {
	const {services, values} = armed;
	const {fleet} = services;
	if ((values['stuck'] ?? 'ask') === 'ask' || values['target'] === 'stopped') return;
	let wasListed = false;
	const stop = fleet.state.subscribe(look);
	const forget = services.renting.armed.note(id, stop);
	look();

	function look(): void {
		const row = fleet.state.get().rows.find(({instance}) => instance.id === id);
		const boot = bootOf(row, wasListed);
		wasListed ||= row !== undefined;
		if (boot === 'under way') return;
		stop();
		forget();
		if (boot === 'failed') void giveUp(armed, id);
	}
}

async function giveUp(armed: Armed, id: number): Promise<void> {
	const {services, values} = armed;
	const tell = (state: string, text: string) =>
		services.terminal.notify.tell({
			kind: 'replaced',
			about: `instance ${id}`,
			state,
			text,
			instance: id,
		});
	tell('given up', `Instance ${id} never came to run: it is being destroyed, as you armed it.`);
	try {
		const client = await services.client();
		const row = services.fleet.state.get().rows.find(({instance}) => instance.id === id);
		const evidence = row && evidenceFor(row);
		const {outcome} = await client.instances.remove(id, {evidence});
		await services.fleet.refresh().catch(() => undefined);
		if (outcome !== 'gone') {
			const what = `Instance ${id} never came to run, and is not known to be gone: it may be charged.`;
			tell('not gone', `${what} Nothing else was rented. 2 shows it; x destroys it.`);
		} else if (values['stuck'] === 'destroy+next') {
			tell('replaced', `Instance ${id} is gone. ${await rentNext(client, armed)}`);
		} else {
			tell(
				'gone',
				`Instance ${id} never came to run, and is gone. Nothing more is charged for it.`,
			);
		}
	} catch (error) {
		const why = sentence(failureOf(error).message);
		tell('failed', `In the place of instance ${id}: ${why} 2 shows what there is.`);
	}
}

/** Rents the next equal offer, once, and arms it; answers what came of it. */
async function rentNext(client: Client, armed: Armed): Promise<string> {
	const {services, values, facts} = armed;
	const {fleet, settings, renting} = services;
	const showKey = async (id: number, key: string) => tellKey(services, id, key);
	const placed = await rentReplacement(
		{client, url: urlOf(services.desk.target), fleet, settings, orders: renting.orders, showKey},
		{values, facts},
	);
	if (placed.id !== undefined) armBoot({...armed, facts: placed.facts}, placed.id);
	return placed.says;
}
