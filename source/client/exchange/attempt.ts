/** Error message of a failed call: what was attempted, and what the failure means for money. */
import {isReading, type Endpoint} from '../../contract/grammar/endpoint.ts';
import {contract} from '../../contract/index.ts';

const {instances, volumes} = contract;

/** Endpoints that start a charge. */
const begins: ReadonlySet<Endpoint> = new Set<Endpoint>([
	instances.create,
	instances.createMany,
	instances.launch,
	volumes.create,
	volumes.copy,
]);

/** Endpoints that end a charge: until they succeed, it goes on. */
const ends: ReadonlySet<Endpoint> = new Set<Endpoint>([
	instances.destroy,
	instances.destroyMany,
	instances.change,
	instances.changeMany,
	volumes.delete,
]);

/** The call's summary as it follows "Could not …". */
export function attemptOf({summary}: Pick<Endpoint, 'summary'>): string {
	const [call = ''] = summary.split(/[:;]/, 1);
	return call.charAt(0).toLowerCase() + call.slice(1);
}

/** Consequence of a failed call for money; undefined for a refused read, which costs nothing. */
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
