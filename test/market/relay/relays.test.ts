import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {relaysFor} from '../../../source/market/relay/rules.ts';
import {hearMachines, openTestMarketFile} from '../../helpers/market/instances.ts';

const nothing = {agents: 0, connections: 0, refused: 0, sent: 0, received: 0};

/** A market with offers, an operator, a renter, and relays without a program, which are called by hand. */
async function openWorld() {
	const patience = {silentAfter: 1e6, lostAfter: 2e6};
	const market = await openTestMarketFile({offers: 60, patience});
	await hearMachines(market.database);
	const client = (key: string) => openClient({url: market.url, key, paceScale: 0, repeats: 0});
	const {operator} = client(await market.createOperatorKey('operator'));
	const renter = client(market.key);

	/** Adds a relay of two places, and has it heard. */
	async function add(name: string, first: number) {
		const ports = {first_port: first, last_port: first + 15};
		const {id, api_key: key} = await operator.addRelay({name, host: `${name}.example`, ...ports});
		const {relays} = client(key);
		const ask = async (known?: string, waitSeconds = 0) =>
			relays.ports({known, waitSeconds, counts: nothing});
		await ask();
		return {id, key, relays, ask};
	}

	const free = await market.database
		.selectFrom('offers')
		.select(['id', 'machine_id'])
		.where('rentable', '=', 1)
		.orderBy('end_date', 'desc')
		.execute();
	const left = [...Map.groupBy(free, offer => offer.machine_id).values()];

	/** Rents something of a machine that has nothing of it yet. */
	async function rent() {
		const {new_contract: id} = await renter.instances.create(left.shift()?.[0]?.id ?? 0, {
			image: 'a',
			launch: {mode: 'ssh', sshDirect: false, jupyterDirect: false},
		});
		return renter.instances.show(id);
	}

	return {...market, client, operator, renter, add, rent};
}

test('a new instance gets ports of a relay beside the market, which hears of them at once', async () => {
	await using world = await openWorld();
	const near = await world.add('near', 42_000);
	const before = await near.ask();
	expect(before).toMatchObject({name: 'near', first_port: 42_000, last_port: 42_015, ports: []});
	const waiting = near.ask(before.version, 20);
	const instance = await world.rent();
	expect(instance).toMatchObject({ssh_host: 'near.example'});
	const {ports} = await waiting;
	const machine_id = instance?.machine_id;
	expect(ports).toMatchObject([
		{port: instance?.ssh_port, instance_id: instance?.id, machine_id, inside: [22, 22]},
	]);
	// What is stopped is led nowhere, and keeps its place; what is destroyed lets go of it.
	const id = instance?.id ?? 0;
	await world.renter.instances.halt(id);
	expect((await near.ask()).ports).toMatchObject([{port: instance?.ssh_port, inside: []}]);
	await world.renter.instances.remove(id);
	expect((await near.ask()).ports).toEqual([]);
});

test('a relay that is full, closed, removed or silent gets no new instances', async () => {
	await using world = await openWorld();
	const {operator} = world;
	const near = await world.add('near', 42_000);
	const rented = [await world.rent(), await world.rent()];
	expect(rented.map(one => one?.ssh_host)).toEqual(['near.example', 'near.example']);
	expect(new Set(rented.map(one => one?.ssh_port))).toEqual(new Set([42_000, 42_008]));
	const [first] = rented;
	const hostOfNext = async () => (await world.rent())?.ssh_host;
	expect(await hostOfNext()).not.toBe('near.example');
	const far = await world.add('far', 42_000);
	expect(await hostOfNext()).toBe('far.example');
	await operator.changeRelay(far.id, {is_open: false, new_key: false});
	expect(await hostOfNext()).not.toContain('far');
	await operator.changeRelay(far.id, {is_open: true, new_key: false});
	world.clock.pass(61);
	expect(await hostOfNext()).not.toContain('far');
	await far.ask();
	expect(await hostOfNext()).toBe('far.example');
	expect((await operator.relays()).relays).toMatchObject([
		{name: 'near', instances: 2, is_open: true},
		{name: 'far', instances: 2},
	]);
	// What it counts is shown.
	const counts = {agents: 4, connections: 2, refused: 1, sent: 5e9, received: 7e9};
	await near.relays.ports({known: undefined, waitSeconds: 0, counts});
	expect((await operator.relays()).relays[0]).toMatchObject(counts);
	// Instances keep their address, whatever becomes of the relay.
	await operator.removeRelay(near.id);
	await expect(near.ask()).rejects.toMatchObject({status: 401});
	expect(await world.renter.instances.show(first?.id ?? 0)).toMatchObject({
		ssh_host: 'near.example',
		ssh_port: first?.ssh_port,
	});
});

test('the key of a relay is for its calls alone, is kept hashed, and ends with a new one', async () => {
	await using world = await openWorld();
	const {key, id, ask} = await world.add('near', 42_000);
	const other = world.client(key);
	await expect(other.account.current()).rejects.toMatchObject({status: 401});
	await expect(other.hosts.heartbeat([])).rejects.toMatchObject({status: 401});
	await expect(other.operator.relays()).rejects.toMatchObject({status: 401});
	const {relays} = world.renter;
	const asked = {known: undefined, waitSeconds: 0, counts: nothing};
	await expect(relays.ports(asked)).rejects.toMatchObject({status: 401});
	const rows = await world.database.selectFrom('relays').selectAll().execute();
	expect(JSON.stringify(rows)).not.toContain(key);
	// A call that waits ends with it, too.
	const waiting = ask((await ask()).version, 20).catch((error: unknown) => error);
	const {api_key: newer = ''} = await world.operator.changeRelay(id, {new_key: true});
	expect(await waiting).toMatchObject({status: 401});
	await expect(ask()).rejects.toMatchObject({status: 401});
	expect(await world.client(newer).relays.ports(asked)).toMatchObject({name: 'near'});
});

test('two relays have no name, and no port of a host, in common', async () => {
	await using world = await openWorld();
	await world.add('near', 42_000);
	const ports = {first_port: 42_015, last_port: 42_030};
	const add = async (name: string, host: string) => world.operator.addRelay({name, host, ...ports});
	await expect(add('near', 'other.example')).rejects.toThrow('There is a relay near already.');
	await expect(add('far', 'near.example')).rejects.toThrow('Relay near has some of these ports.');
	expect(await add('far', 'far.example')).toMatchObject({success: true});
});

test('a machine keeps its relay when others come and go', () => {
	const all = [1, 2, 3, 4, 5].map(id => ({id, is_open: 1 as const, heard_at: 100}));
	const chosen = (relays: typeof all) =>
		Array.from({length: 100}, (_, machine) => relaysFor(machine, relays, 100)[0]?.id);
	const before = chosen(all);
	expect(new Set(before)).toEqual(new Set([1, 2, 3, 4, 5]));
	const after = chosen(all.filter(({id}) => id !== 3));
	expect(after.filter((id, index) => id !== before[index])).toHaveLength(
		before.filter(id => id === 3).length,
	);
});
