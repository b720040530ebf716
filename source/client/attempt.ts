/** What the message of a failed call says: what was attempted, and what it means for money. */
import {isReading, type Endpoint} from '../contract/endpoint.ts';
import {contract} from '../contract/index.ts';

const {instances, volumes} = contract;

/** What is charged for from then on. */
const begins: ReadonlySet<Endpoint> = new Set<Endpoint>([
	instances.create,
	instances.createMany,
	instances.launch,
	volumes.create,
]);

/** What goes on being charged for until it is done. */
const ends: ReadonlySet<Endpoint> = new Set<Endpoint>([
	instances.destroy,
	instances.destroyMany,
	instances.change,
	instances.changeMany,
	volumes.delete,
]);

/** What a call tries to do, for "Could not …". */
export function attemptOf({summary}: Pick<Endpoint, 'summary'>): string {
	const [deed = ''] = summary.split(/[:;]/, 1);
	return deed.charAt(0).toLowerCase() + deed.slice(1);
}

/** What a call that failed means for money; undefined where a question was refused, which costs nothing. */
export function moneyOf(endpoint: Endpoint, mayHaveActed: boolean): string | undefined {
	if (isReading(endpoint)) {
		return mayHaveActed ? 'What runs goes on, and is charged' : undefined;
	}
	if (begins.has(endpoint)) {
		return mayHaveActed
			? 'It may have been created all the same, and be charged: look before trying again'
			: 'Nothing was created, and nothing is charged';
	}
	if (ends.has(endpoint)) {
		return mayHaveActed
			? 'It may have been done all the same; where it was not, it is charged as before'
			: 'Nothing was changed: it is charged as before';
	}
	return mayHaveActed
		? 'It may have been done all the same: look before trying again'
		: 'Nothing was changed';
}
