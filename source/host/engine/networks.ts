/** The network that each container has by itself: no other container is on it. */
import {createHash} from 'node:crypto';
import {at, fieldsOf, listOf, textAt} from '../json.ts';
import {orNothing} from './container-calls.ts';
import {EngineError, type Engine} from './engine.ts';

type Labels = Readonly<Record<string, string>>;

/** Makes a network; one that is there stays as it is. */
export async function keepNetwork(engine: Engine, name: string, labels: Labels): Promise<void> {
	const found = await orNothing(engine.ask({method: 'GET', path: `/networks/${name}`}));
	if (textAt(found, 'Name') === name) return;
	if (!engine.isPodman) {
		const body = {Name: name, Driver: 'bridge', Labels: labels};
		await engine.ask({method: 'POST', path: '/networks/create', body});
		return;
	}
	const body = {
		name,
		driver: 'bridge',
		labels,
		network_interface: `rt${createHash('sha256').update(name).digest('hex').slice(0, 12)}`,
		// Who answers questions about names would do so on the machine.
		dns_enabled: false,
	};
	const make = async (options: Labels) => {
		const path = '/v4.0.0/libpod/networks/create';
		await engine.ask({method: 'POST', path, body: {...body, options}});
	};
	// What older versions do not know, walls inside do alone.
	await make({isolate: 'true'}).catch(async (error: unknown) => {
		if (!(error instanceof EngineError) || !error.message.includes('isolate')) throw error;
		await make({});
	});
}

export async function removeNetwork(engine: Engine, name: string): Promise<void> {
	await orNothing(engine.ask({method: 'DELETE', path: `/networks/${name}`}));
}

/** The labels of all networks that have one of them. */
export async function listNetworks(
	engine: Engine,
	label: string,
): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
	const query = {filters: JSON.stringify({label: [label]})};
	const found = await engine.ask({method: 'GET', path: '/networks', query});
	return listOf(found).map(one => fieldsOf(at(one, 'Labels')));
}
