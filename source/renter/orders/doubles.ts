/** Instances that a service has made beside the one that was ordered. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {pricePerHour} from '../text/format.ts';

/** What there is twice, what it costs, and what ends it; undefined where there is nothing. */
export function doublesText(doubles: readonly Instance[] = []): string | undefined {
	if (doubles.length === 0) return undefined;
	const ids = doubles.map(({id}) => id);
	const prices = doubles.map(({dph_total: price}) => price ?? Number.NaN);
	const sum = prices.reduce((all, price) => all + price, 0);
	const costs = Number.isNaN(sum) ? 'is charged as well' : `costs ${pricePerHour(sum)} more`;
	return `The service made ${ids.join(' and ')} of the same order, which ${costs}: rentty destroy ${ids.join(' ')} ends it.`;
}
