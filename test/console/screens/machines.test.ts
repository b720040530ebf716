import {expect, test} from 'vitest';
import {openTestConsole} from '../../helpers/console/console.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {createGate, delayed} from '../../helpers/services/faults.ts';
import {rentRunning} from '../../helpers/market/instances.ts';
import {openProvided} from '../../helpers/market/provided.ts';
import {testPublication} from '../../helpers/host/hosts.ts';

function noon(): Date {
	return new Date(2026, 10, 21, 12, 41, 7);
}

/** The console of a provider with two machines, one of which is rented and one never heard. */
async function openProvider(size: {readonly columns: number; readonly rows: number}) {
	const market = await openProvided();
	await rentRunning(market.database, {ask_id: market.machine.asks[0]?.id ?? 0});
	await market.host.publish(testPublication({name: 'other'}));
	const proxy = await openFaultProxy(market.url);
	const service = {url: proxy.url, key: market.hostKey};
	let now = noon().getTime();
	const rentty = openTestConsole({service, now: () => new Date(now), ...size});
	await rentty.sees('7 Mach');
	return {
		...rentty,
		market,
		/** The way of the console to the market. */
		proxy,
		wait(ms: number) {
			now += ms;
		},
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

/** Tabs and the list, as far as it goes. */
async function listOf(rentty: Awaited<ReturnType<typeof openProvider>>): Promise<string> {
	rentty.type('7');
	await rentty.sees('RTX 4090');
	return (await rentty.shown()).split('\n').slice(1, 8).join('\n');
}

test('machines are shown at 80x24 with state, use and earnings', async () => {
	await using rentty = await openProvider({columns: 80, rows: 24});
	expect(await listOf(rentty)).toMatchInlineSnapshot(`
		"0 Ovr 1 Off 2 Inst 3 Tpl 4 Keys 5 Act 6 Prof [7 Mach]
		MACHINES                        $0.40/h now, $0.00 in the last day, 1 in trouble
		--------------------------------------------------------------------------------
		  ID     NAME         GPUS           USE      STATE          $/H  EARNS/H
		> 1      rig          2x RTX 4090    Dx       unverified   $0.40    $0.40
		  2      other        2x RTX 4090    xx       away         $0.40    $0.00
		"
	`);
});

test('machines are shown at 140x40 with all that is known of them', async () => {
	await using rentty = await openProvider({columns: 140, rows: 40});
	expect(await listOf(rentty)).toMatchInlineSnapshot(`
		" 0 Overview    1 Offers    2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles   [7 Machines]
		MACHINES                                                                                    $0.40/h now, $0.00 in the last day, 1 in trouble
		--------------------------------------------------------------------------------------------------------------------------------------------
		  ID     NAME         GPUS           USE      STATE          $/H  EARNS/H     DAY RENTALS REPORTS WHERE
		> 1      rig          2x RTX 4090    Dx       unverified   $0.40    $0.40   $0.00       1       0 Sweden, SE
		  2      other        2x RTX 4090    xx       away         $0.40    $0.00   $0.00       0       0 Sweden, SE
		"
	`);
});

test('what is rented of a machine is said at its foot', async () => {
	await using rentty = await openProvider({columns: 80, rows: 24});
	rentty.type('7');
	await rentty.sees(
		/ 1 rental until 20\d\d-\d\d-\d\d, 1 running; rentty host price changes its terms/,
	);
	rentty.type('j');
	await rentty.sees('never heard');
});

test('the job of idle GPUs is said at the foot, and its trouble too', async () => {
	await using rentty = await openProvider({columns: 80, rows: 24});
	const {machines, machine, host} = rentty.market;
	const job = {machine: machine.id, price_gpu: 0.15, image: 'lab/miner'};
	await machines.setDefaultJob({...job, price_inetu: 0, price_inetd: 0});
	rentty.type('7');
	await rentty.sees('1 running; own job on 0 of 2 GPUs: It is starting o~');
	const {work: all} = await host.takeWork({after: 0});
	const work = all.find(({image, wanted}) => image === 'lab/miner' && wanted === 'running');
	const failed = {instance_id: work?.instance_id ?? 0, boot: work?.boot ?? 0};
	await host.report([{...failed, status: 'failed', status_msg: 'no such image'}]);
	rentty.type('R');
	await rentty.sees('own job on 0 of 2 GPUs: no such image');
});

test('a machine is offered no longer after a question, and what is rented goes on', async () => {
	await using rentty = await openProvider({columns: 80, rows: 24});
	rentty.type('7');
	await rentty.sees('unverified');
	rentty.type('x');
	await rentty.sees('UNLIST MACHINE');
	expect(await rentty.market.offers()).not.toEqual([]);
	rentty.wait(2000);
	rentty.type('y');
	await rentty.sees('is offered no longer');
	await rentty.sees('unlisted');
	expect(await rentty.market.offers()).toEqual([]);
});

test('a machine is unlisted by one request, whose answer closes no other question', async () => {
	await using rentty = await openProvider({columns: 80, rows: 24});
	rentty.type('7');
	await rentty.sees('unverified');
	rentty.type('x');
	await rentty.sees('UNLIST MACHINE');
	rentty.wait(2000);
	const answer = createGate();
	rentty.proxy.next({method: 'DELETE'}, delayed(answer.opened));
	rentty.type('y');
	await expect.poll(() => rentty.proxy.requests.at(-1)?.method).toBe('DELETE');
	rentty.type('y');
	rentty.type('n');
	await expect.poll(rentty.shown).not.toContain('UNLIST MACHINE');
	rentty.type('j');
	await rentty.sees('> 2');
	rentty.type('x');
	await rentty.sees('UNLIST MACHINE');
	answer.open();
	await rentty.sees('is offered no longer');
	// The list is read again once the answer has had its effect.
	await expect.poll(() => rentty.proxy.requests.at(-1)?.method).toBe('GET');
	expect(await rentty.shown()).toContain('UNLIST MACHINE');
	expect(rentty.proxy.requests.filter(({method}) => method === 'DELETE')).toHaveLength(1);
});

test('who has no machines sees no tab for them, and is told how to offer one', async () => {
	await using market = await openProvided();
	await using rentty = openTestConsole({service: market, now: noon});
	await rentty.sees('6 Profiles');
	expect(await rentty.shown()).not.toContain('7 Mach');
	rentty.type('7');
	await rentty.sees('You provide no machines.');
	expect(await rentty.shown()).toContain('[7 Mach]');
});

test('a service that says no is quoted, and asked again on R', async () => {
	await using market = await openProvided();
	const {key} = await market.renter.apiKeys.create({
		name: 'reader',
		permissions: {api: {instance_read: {}, user_read: {}, misc: {}}},
	});
	await using rentty = openTestConsole({service: {url: market.url, key}, now: noon});
	await rentty.sees('6 Profiles');
	rentty.type('7');
	await rentty.sees('machine_read');
	await rentty.sees('R tries again');
});

test('machines that are asked for show as being asked for', async () => {
	await using rentty = openTestConsole({now: noon});
	await rentty.sees('6 Profiles');
	rentty.type('7');
	await rentty.sees('Asking for machines');
});
