/** Doubles: instances that a service made twice from one order, and their messages. */
import type {Client} from '../../client/client.ts';
import type {Doubles} from '../../client/rentals/pending-rent.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Fleet} from '../fleet/fleet.ts';
import {pricePerHour} from '../text/format.ts';
import type {Notify} from '../words/alert.ts';

/** Ids, price and ending command of double instances; undefined without any. */
export function doublesText({certain, perhaps}: Doubles): string | undefined {
	const parts = [
		...(certain.length === 0 ? [] : [certainText(certain)]),
		...(perhaps.length === 0 ? [] : [perhapsText(perhaps)]),
	];
	return parts.length === 0 ? undefined : parts.join(' ');
}

function certainText(doubles: readonly Instance[]): string {
	const ids = idsOf(doubles);
	return `The service made ${ids.join(' and ')} of the same order, which ${costsMore(doubles)}: ${endsThem(ids)}`;
}

function perhapsText(doubles: readonly Instance[]): string {
	const ids = idsOf(doubles);
	return `${ids.join(' and ')} may be of the same order, which ${costsMore(doubles)}: the service shows no marks, and made all within a minute with one label. Unless somebody else rented, ${endsThem(ids)}`;
}

function endsThem(ids: readonly number[]): string {
	return `rentty destroy ${ids.join(' ')} ends ${ids.length === 1 ? 'it' : 'them'}.`;
}

const idsOf = (instances: readonly Instance[]) => [...new Set(instances.map(({id}) => id))];

function costsMore(instances: readonly Instance[]): string {
	const prices = instances.map(({dph_total: price}) => price ?? Number.NaN);
	const sum = prices.reduce((all, price) => all + price, 0);
	return Number.isNaN(sum) ? 'is charged as well' : `costs ${pricePerHour(sum)} more`;
}

type Following = {
	readonly fleet: Pick<Fleet, 'state'>;
	readonly client: () => Promise<{
		readonly pendingRents: Pick<Client['pendingRents'], 'doubles'>;
	}>;
	readonly notify: Pick<Notify, 'send'>;
};

/** Reports doubles whenever a list has other instances than the previous one. */
export function followDoubles({fleet, client, notify}: Following): () => void {
	let known = '';

	async function check(): Promise<void> {
		const {rows, checkedAt} = fleet.state.get();
		const instances = rows
			.filter(({condition}) => condition !== 'gone')
			.map(({instance}) => instance);
		const ids = instances.map(({id}) => id).join(' ');
		if (checkedAt === undefined || ids === known) return;
		known = ids;
		const {pendingRents} = await client();
		const doubles = await pendingRents.doubles(instances);
		const text = doublesText(doubles);
		if (text === undefined) return;
		const instance = [...doubles.certain, ...doubles.perhaps][0]?.id;
		notify.send({kind: 'not-as-ordered', about: 'doubles', state: text, text, instance});
	}

	// An unreadable file is reported where rents are settled.
	return fleet.state.subscribe(() => void check().catch(() => undefined));
}
