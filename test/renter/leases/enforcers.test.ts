import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {ApiError, MarketError} from '../../../source/client/exchange/errors.ts';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import {openClient} from '../../../source/client/client.ts';
import {
	enforcerText,
	leaseOf,
	leaseOrderOf,
	serviceWait,
} from '../../../source/renter/leases/held.ts';
import {enforcersOf} from '../../../source/renter/leases/enforcers.ts';
import {endlessLease, leaseKey, type Lease} from '../../../source/renter/words/lease.ts';
import {leaseFrom, readTerms} from '../../../source/renter/leases/lease-terms.ts';
import {openLeadership} from '../../../source/renter/leases/guard-status.ts';
import {sendLease} from '../../../source/renter/leases/send-lease.ts';
import {watchdogScript} from '../../../source/renter/leases/watchdog.ts';
import {openFolder} from '../../helpers/folder.ts';
import {contractOf, openRentable} from '../../helpers/market/rentable.ts';

const HOUR_MS = 3_600_000;

/** An instance without a watchdog, and the file of a guard that has run for two hours. */
async function openWorld() {
	const market = await openRentable();
	const id = contractOf((await market.rent({image: 'x', label: 'train'})).body);
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const folder = openFolder();
	const now = Date.now();
	const self = {host: 'ws1', pid: 1};
	const leadership = openLeadership({
		file: join(folder.path, 'guard.json'),
		steady: () => 0,
		self,
	});
	let inside: string | undefined;
	let beforeTelling: (() => Promise<void>) | undefined;
	const {instances} = client;
	const scheduledJobs = {...client.scheduledJobs};
	const setLease: typeof instances.setLease = async (...words) => {
		await beforeTelling?.();
		return instances.setLease(...words);
	};
	const asking = {
		client: {...client, instances: {...instances, setLease}, scheduledJobs},
		folders: {state: folder.path},
		name: 'lab',
		now: () => now,
		inside: async () => inside,
		signal: new AbortController().signal,
	};
	const show = async () => (await client.instances.show(id)) ?? {id};
	return {
		client,
		show,
		/** Something that happens after a label is written, and before the market is told. */
		beforeTelling: (happens: () => Promise<void>) => (beforeTelling = happens),
		send: async (text: string, known?: Instance) => {
			const lease =
				text === 'none' ? undefined : leaseFrom(readTerms(text), client.clock.now() / 1000);
			return sendLease(asking, known ?? (await show()), () => lease);
		},
		/** What the guard says of the profile. */
		guard: async (status: object) =>
			leadership.lead({since: now - 2 * HOUR_MS, profiles: {lab: {heardAt: now, ...status}}}),
		keys: async () => {
			const {lease} = leaseOf(await show());
			return {leases: lease === undefined ? {} : {[id]: leaseKey(lease)}};
		},
		says: async (who: string) => {
			const found = (await enforcersOf(asking, await show())).find(one => one.who === who);
			return [found?.isConfirmed, found?.says];
		},
		/** What the service answers of scheduled jobs. */
		schedules: (list: typeof scheduledJobs.list) => void (scheduledJobs.list = list),
		/** What is heard from inside. */
		hears: (text: string | undefined) => void (inside = text),
		ask: async (instance: Instance) => enforcersOf(asking, instance),
		ago: (seconds: number) => ({heardAt: now - seconds * 1000}),
		async [Symbol.asyncDispose]() {
			await client.close();
			await market[Symbol.asyncDispose]();
			folder[Symbol.dispose]();
		},
	};
}

test('a watchdog that knows the rest of a lease has confirmed it, also where it waits for work', async () => {
	await using world = await openWorld();
	await world.send('for 6h');
	const {leases} = await world.keys();
	const [key] = Object.values(leases);
	const shown = await world.show();
	const inLabel = shown.label?.replace(/\[lease1/, '[when1 done] [lease1') ?? '';
	const onstart = watchdogScript(watchdogFor(leaseOf(shown).lease));
	world.hears(`key=${key}\nreached=5\n`);
	const [dog] = await world.ask({...shown, label: inLabel, onstart});
	expect(dog).toMatchObject({who: 'watchdog', isConfirmed: true});
	expect(dog?.cannot).toContain('it does not see when it is done');
});

const watchdogFor = (lease: Lease = endlessLease) => ({
	lease,
	url: 'https://rentty.test',
	now: 0,
});

test('a guard has confirmed a lease when it has read that very one, and not before', async () => {
	await using world = await openWorld();
	await world.send('for 6h');
	expect(await world.says('guard')).toEqual([false, 'none is known on this machine']);
	await world.guard({leases: {}});
	const heard = 'heard 0 s ago, on ws1 for 2h';
	expect(await world.says('guard')).toEqual([false, `it has not read the lease yet, ${heard}`]);
	await world.guard(await world.keys());
	expect(await world.says('guard')).toEqual([true, heard]);
	const instance = await world.show();
	await world.guard({...(await world.keys()), unmeasured: [instance.id]});
	const unmeasured = `it has not measured yet whether it idles, ${heard}`;
	expect(await world.says('guard')).toEqual([false, unmeasured]);
	await world.guard({...(await world.keys()), unmeasured: [instance.id + 1]});
	expect(await world.says('guard')).toEqual([true, heard]);
	await world.send('for 7h');
	expect(await world.says('guard')).toEqual([false, `it knows another lease, ${heard}`]);
	await world.guard({...(await world.keys()), problem: 'the list of instances is not whole'});
	expect(await world.says('guard')).toEqual([
		false,
		`the list of instances is not whole, ${heard}`,
	]);
	await world.guard({...(await world.keys()), ...world.ago(300)});
	expect(await world.says('guard')).toEqual([false, 'heard 300 s ago, on ws1 for 2h']);
});

type World = Awaited<ReturnType<typeof openWorld>>;

/** What is said of the watchdog of an instance that was rented with one. */
async function watchdogOf(world: World, said: (key: string) => string | undefined) {
	const seconds = world.client.clock.now() / 1000;
	const ordered = leaseFrom(readTerms('for 6h'), seconds);
	const onstart = watchdogScript({lease: ordered, url: 'http://127.0.0.1:9', now: seconds}) ?? '';
	const instance = {...(await world.show()), onstart, actual_status: 'running'};
	world.hears(said(leaseKey(leaseOf(instance).lease ?? ordered)));
	const [found] = await world.ask(instance);
	return [found?.isConfirmed, found?.says];
}

test.each([
	['reached=12', [true, 'it reached the service 12 s ago']],
	['reached=360', [true, 'it reached the service 360 s ago']],
	['reached=361', [false, 'it last reached the service 6m ago']],
	['reached=90000', [false, 'it last reached the service 1d ago']],
	['reached=-5', [false, 'it has not reached the service']],
	['', [false, 'it has not reached the service']],
	['no client', [false, 'no HTTPS client']],
	['reached=12\nno client', [true, 'it reached the service 12 s ago']],
] as const)('a watchdog that knows its lease and says %j is heard as %j', async (said, heard) => {
	await using world = await openWorld();
	await world.send('for 6h');
	expect(await watchdogOf(world, key => `key=${key}\n${said}\n`)).toEqual(heard);
	const other = [false, 'it knows another lease'];
	expect(await watchdogOf(world, () => `key=12345678\n${said}\n`)).toEqual(other);
	expect(await watchdogOf(world, () => undefined)).toEqual([false, 'nothing heard from inside']);
});

test('a lease that was removed is shown as held until each enforcer has let go of it', async () => {
	await using world = await openWorld();
	await world.send('for 6h');
	await world.guard(await world.keys());
	const {enforcers} = await world.send('none');
	expect(enforcers.map(({who, isConfirmed, says}) => [who, isConfirmed, says])).toEqual([
		['guard', false, 'it still has the lease'],
		['market', true, 'it ends nothing'],
	]);
	expect(await world.says('guard')).toEqual([false, 'it still has the lease']);
	await world.guard(await world.keys());
	expect(await world.says('guard')).toEqual([undefined, undefined]);
});

const stops = {request_method: 'PUT', request_body: {state: 'stopped'}};
const daily = {frequency: 'DAILY', hour_of_the_day: 22, min_of_the_hour: 5};
const stopsDaily = [
	'job       may act, 4 stops it each day at 22:05 UTC; it goes by no lease: rentty jobs remove 4',
];

test.each([
	['stops it', {}, stopsDaily],
	['is over', {end_time: 1000}, []],
	['starts it', {request_body: {state: 'running'}}, []],
	['reboots it', {api_endpoint: '/api/v0/instances/reboot/1/', request_body: {}}, []],
	['is of another', {instance_id: 99, api_endpoint: '/api/v0/instances/99/'}, []],
	['names it in its path alone', {instance_id: undefined}, stopsDaily],
	[
		'destroys it',
		{request_method: 'DELETE', request_body: {}},
		[stopsDaily[0]?.replace('stops', 'destroys')],
	],
] as const)('a scheduled job that %s may act, or is not named', async (_, given, lines) => {
	await using world = await openWorld();
	const {id} = await world.show();
	const path = {instance_id: id, api_endpoint: `/api/v0/instances/${id}/`};
	const job = {id: 4, ...path, ...stops, ...daily, ...given};
	world.schedules(async () => ({jobs: [job], unreadable: noneUnreadable}));
	const named = async () => {
		const all = await world.ask(await world.show());
		return all.filter(({who}) => who === 'job').map(enforcerText);
	};
	expect(await named()).toEqual(lines);
	const sent = await world.send('for 6h');
	expect(sent.enforcers.filter(({who}) => who === 'job')).toHaveLength(lines.length);
	expect(await named()).toEqual(lines);
});

test('where it is not known what is scheduled, that is named, and nothing where the service has none', async () => {
	await using world = await openWorld();
	const says = async () => (await world.says('job'))[1];
	world.schedules(async () => {
		throw new MarketError('list scheduled jobs', 'the connection broke');
	});
	expect(await says()).toBe('what is scheduled is not known: the connection broke');
	world.schedules(async () => ({jobs: [], unreadable: {...noneUnreadable, count: 2}}));
	expect(await says()).toBe('2 of the scheduled jobs cannot be read');
	world.schedules(async () => {
		const said = {code: undefined, serverSays: undefined};
		throw new ApiError('list scheduled jobs', {status: 404, hasNoCall: true, ...said});
	});
	expect(await says()).toBe(undefined);
});

test('of two who change a lease at once one counts, and everybody is told of that one', async () => {
	await using world = await openWorld();
	let isFirst = true;
	world.beforeTelling(async () => {
		if (!isFirst) return;
		isFirst = false;
		await world.send('for 3h then stop');
	});
	const {isOwn} = await world.send('for 1h keep');
	expect(isOwn).toBe(false);
	const instance = await world.show();
	const {lease} = leaseOf({...instance, lease: null});
	expect(lease).toMatchObject({action: 'stop', isKept: false});
	expect(instance.lease).toMatchObject({ends_at: lease?.endsAt, action: 'stop', keep: false});
});

test('a lease that is changed keeps the name that the instance was given meanwhile', async () => {
	await using world = await openWorld();
	const stale = await world.show();
	await world.client.instances.label(stale.id, 'another');
	await world.send('idle 30m', stale);
	expect((await world.show()).label).toBe('another [lease1 i1800 td]');
});

test.each([
	['for 6h', undefined],
	['idle 30m before sync', undefined],
	['until $5 before sync', undefined],
	['for 6h before sync', '20m'],
	['for 6h until $5 then stop before sync', '20m'],
	['for 6h before 1m/1h sync', '1h2m'],
] as const)('of %j the service puts the deadline off by %s, and it is said', async (text, wait) => {
	const lease = leaseFrom(readTerms(text), 1_795_000_000);
	expect(serviceWait(lease)).toBe(wait);
	const order = leaseOrderOf(lease);
	expect((order?.ends_at ?? undefined) !== undefined && order?.grace_seconds !== 0).toBe(
		wait !== undefined,
	);
	await using world = await openWorld();
	await world.send(text);
	const market = (await world.ask(await world.show())).find(({who}) => who === 'market');
	const words = wait === undefined ? '' : `: it ends it ${wait} later`;
	if (market !== undefined) {
		expect(market.cannot).toBe(`it measures no idleness and saves no results${words}`);
	}
	expect(market === undefined).toBe(order === undefined);
});
