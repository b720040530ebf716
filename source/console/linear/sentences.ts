/** What is read aloud: whole sentences, no signs that would be spelled out. */
import type {Job} from '../../contract/offer-cost.ts';
import {costOf} from '../../contract/offer-cost.ts';
import type {Offer} from '../../contract/offers.ts';
import type {FleetRow, FleetState} from '../fleet/fleet-state.ts';
import {fleetWords} from '../fleet/fleet-words.ts';
import {ratePerHour} from '../screens/instances/prices.ts';
import {ageOf, gpusOf, labelOf, stateOf} from '../screens/instances/words.ts';
import {printable} from '../terminal/output/text-width.ts';

export const helpLines: readonly string[] = [
	'Commands, one a line:',
	'offers, and words of a search such as: offers 4090 under 0.50. Lists the ten cheapest.',
	'instances. Lists what you rent, trouble first.',
	'rent, and the number of an offer. Asks one question after the other; nothing is rented before the last answer.',
	'stop, and the number or label of an instance. destroy, the same. Both ask first.',
	'help. quit.',
	'Changes of your instances are said by themselves, one line each.',
];

export function nameOf({instance}: Pick<FleetRow, 'instance'>): string {
	const label = labelOf(instance);
	return label === '' ? `instance ${instance.id}` : label;
}

/** The state in words, without its sign. */
function stateWords(row: FleetRow): string {
	return stateOf(row).replace(/^\S+ /, '');
}

export function instanceSentence(row: FleetRow): string {
	const {id} = row.instance;
	const parts = [
		`${nameOf(row)}, number ${id}`,
		gpusOf(row.instance),
		`${stateWords(row)} for ${ageOf(row)}`,
		ratePerHour(row.rate),
	];
	return `${parts.join(', ')}.`;
}

export function fleetSentence(state: FleetState): string {
	if (state.rows.length === 0) return 'You rent nothing.';
	const {burn, trouble} = fleetWords(state);
	return `${state.rows.length} instances, ${burn}${trouble === '' ? '' : `, ${trouble}`}.`;
}

export function offerSentence(offer: Offer, job: Job): string {
	const {allIn} = costOf(offer, job);
	const price = allIn === undefined ? 'price unknown' : `$${allIn.toFixed(4)} an hour all in`;
	const gpus = `${offer.num_gpus ?? '?'}x ${printable(offer.gpu_name ?? 'unknown GPU')}`;
	const place = printable(offer.geolocation ?? 'place unknown');
	return `${offer.id}: ${gpus}, ${price}, ${place}.`;
}

/** One sentence for each instance whose state is another one than before. */
export function changeSentences(before: FleetState, after: FleetState): readonly string[] {
	if (before.checkedAt === undefined) return [];
	const known = new Map(before.rows.map(row => [row.instance.id, row]));
	const changed = after.rows.flatMap(row => {
		const old = known.get(row.instance.id);
		known.delete(row.instance.id);
		return old?.condition === row.condition ? [] : [`${nameOf(row)} is ${stateWords(row)}.`];
	});
	const gone = [...known.values()].filter(({condition}) => condition !== 'gone');
	return [...changed, ...gone.map(row => `${nameOf(row)} is gone.`)];
}
