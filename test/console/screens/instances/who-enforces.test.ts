import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import {endlessLease} from '../../../../source/renter/words/lease.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import {TEST_NOW} from '../../../helpers/market/market.ts';
import {openRunning} from './open-running.ts';

const lease = {...endlessLease, endsAt: TEST_NOW + 6 * 3600, idleSeconds: 1800};
const label = `train-a [lease1 e${lease.endsAt} i1800 td b300/600 rrsync%20-a%20out%20me%3A]`;

/** A market whose running instance has a lease in its label. */
async function openLeased() {
	const market = await openFleetMarket();
	await market.database.updateTable('instances').set({label}).where('id', '=', 1).execute();
	return market;
}

test('who enforces a lease is on its page, with what each cannot do, at 80x24', async () => {
	await using market = await openLeased();
	await using rentty = await openRunning(market);
	await rentty.sees('train-a');
	rentty.type('\r');
	await rentty.sees('[Connect]');
	for (const page of ['Ports', 'Logs', 'Usage', 'Run', 'Timeline', 'Spec', 'Ends']) {
		rentty.type(']');
		await rentty.sees(`[${page}]`);
	}
	expect(await rentty.sees('market ')).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  4 no end $0.24/h       * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		Instances > 1 train-a   * running 1h56   $0.229/h   $0.44 to $0.46 so far
		 Connect   Ports   Logs   Usage   Run   Timeline   Spec  [Ends]  JSON   [ ] tabs
		--------------------------------------------------------------------------------
		 rental ends     2026-11-21, in 3d
		 ends by itself  for 6h idle 30m then destroy
		 before that     rsync -a out me:
		                 5m at most; if it fails, the end waits 10m, once

		 watchdog  not confirmed, the instance was rented without one
		           once it has stopped the instance, it cannot destroy it
		 guard     not confirmed, none is known on this machine
		           it ends nothing while its machine is off
		 market    not confirmed, it has none
		           it measures no idleness and saves no results: it ends it 20m later

		 As of 12:41:07. L changes it, + puts a deadline off by an hour, K keeps it.



		--------------------------------------------------------------------------------

		s ssh  y copy  l logs  ] next tab  S stop  x destroy  r rent  ? help  a actions"
	`);
});

test('a lease that nobody confirmed to keep has a question mark in the list, in colour', async () => {
	await using market = await openLeased();
	await using rentty = await openRunning(market);
	const list = await rentty.sees(/train-a .* 6h00\+ \? .*\n/);
	expect(list).toContain('4 no end');
	// oxlint-disable-next-line no-control-regex -- the sequence that sets yellow
	expect(rentty.written()).toMatch(/\u001B\[[\d;]*[39]3m6h00\+ \?/);
});

test('at 140x40 it is said beside all else', async () => {
	await using market = await openLeased();
	await using rentty = await openRunning(market, {columns: 140, rows: 40});
	await rentty.sees('train-a');
	rentty.type('\r');
	expect(await rentty.sees(/\$99\.46 lasts[^]*watchdog {2}not[^]*LOGS/)).toMatchInlineSnapshot(`
		" rentty   practice market . no money  . $0.24/h max 0.62  4 no end $0.24/h . today $0.50 . $99.46 lasts 6-17d   * 1  ~ 1  o 1  x 1  12:41:07
		 0 Overview    1 Offers   [2 Instances 1!]   3 Templates    4 Keys    5 Activity    6 Profiles
		Instances > 1 train-a   * running 1h56   $0.229/h   $0.44 to $0.46 so far
		[All]  Connect   Ports   Logs   Usage   Run   Timeline   Spec   Ends   JSON                                                         [ ] tabs
		----------------------------------------------------------------------------------------+---------------------------------------------------
		CONNECT  s enters it, y copies; a names it "rentty-train-a"                             | USAGE
		 ssh -p 40112 root@203.0.113.24                                direct, does not answer  |  GPU             94%   #
		 ssh -p 20544 root@ssh5.example.net                             proxy, does not answer  |  GPU memory      21.9 GB
		                                                                                        |  GPU heat        71 C
		PORTS  f forwards them                                                                  |  CPU             38%
		 container      public                     usually                                      |  RAM             41.0 / 256.0 GB
		 22/tcp         203.0.113.24:40112         ssh                                          |  disk            9.6 / 16.0 GB
		 6006/tcp       203.0.113.24:40119         tensorboard                                  |  bars            GPU at each poll, up to 100%
		 8080/tcp       203.0.113.24:40118         http                                         |
		                                                                                        | COST
		TRANSFER  t copies such a command, nothing is run                                       |  costs           $0.229/h
		 up    scp -P 40112 -r -- ./data root@203.0.113.24:/workspace/                          |  disk if stopped $0.0044/h
		 down  rsync -a --partial --info=progress2 -e 'ssh -p 40112' -- root@203.0.113.24:/wor~ |  so far          $0.44 to $0.46, without traffic
		                                                                                        |  rental ends     2026-11-21, in 3d
		ENDS  for 6h idle 30m then destroy                                                      |  ends by itself  for 6h idle 30m then destroy
		 watchdog  not confirmed, the instance was rented without one                           |  before that     rsync -a out me:
		 guard     not confirmed, none is known on this machine                                 |                  5m at most; if it fails, the end~
		 market    not confirmed, it has none                                                   |
		                                                                                        | SPEC
		TIMELINE                                                                                |  GPUs            1x RTX A5000
		  10:41:07  accepted                                                                    |  machine / host  10006 / 50665
		      -     provisioning                                                                |  where           Bulgaria, BG
		      -     loading                                                                     |  image           ubuntu:24.04
		  10:45:07  running         1h56                                                        |  launch          ssh ssh_direc ssh_proxy
		      -     ssh answers                                                                 |  template        -
		                                                                                        |  disk            16 GB
		                                                                                        |  rented          on demand

		LOGS
		 Asking its host.


		--------------------------------------------------------------------------------------------------------------------------------------------

		s ssh  y copy  l logs  ] next tab  S stop  x destroy  r rent  ? help  a actions  q quit"
	`);
});

test('a lease that is late is in red, with how long, in the list and on the page', async () => {
	await using market = await openFleetMarket();
	const late = `train-a [lease1 e${TEST_NOW - 720} td]`;
	const {database} = market;
	await database.updateTable('instances').set({label: late}).where('id', '=', 1).execute();
	await using rentty = await openRunning(market, {columns: 140, rows: 40});
	await rentty.sees(/train-a .*late 1[234]m/);
	// oxlint-disable-next-line no-control-regex -- the sequence that sets red
	expect(rentty.written()).toMatch(/\u001B\[[\d;]*[39]1mlate 1[234]m/);
	rentty.type('\r');
	await rentty.sees(/ENDS {2}late 1[234]m then destroy/);
	// oxlint-disable-next-line no-control-regex -- the sequence that sets red
	expect(rentty.written()).toMatch(/\u001B\[[\d;]*[39]1m *late 1[234]m then destroy/);
});

test.each([
	['with its lease', openLeased, {columns: 80, rows: 24}],
	['without one', openFleetMarket, {columns: 80, rows: 24}],
	['with its lease', openLeased, {columns: 140, rows: 40}],
	['without one', openFleetMarket, {columns: 140, rows: 40}],
] as const)('a job that stops an instance %s is named on its page', async (_, open, size) => {
	await using market = await open();
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const job = await client.scheduledJobs.create({
		instance_id: 1,
		api_endpoint: '/api/v0/instances/1/',
		request_method: 'PUT',
		request_body: {state: 'stopped'},
		frequency: 'DAILY',
		hour_of_the_day: 22,
		start_time: TEST_NOW,
		end_time: TEST_NOW + 7 * 86_400,
	});
	await client.close();
	await using rentty = await openRunning(market, size);
	await rentty.sees('train-a');
	rentty.type('\r');
	await rentty.sees(size.columns === 80 ? '[Connect]' : '[All]');
	if (size.columns === 80) rentty.type(']]]]]]]');
	const shown = await rentty.sees(`may act, ${job} stops it each day at 22:`);
	if (size.columns === 80)
		expect(shown).toContain(`it goes by no lease: rentty jobs remove ${job}`);
});
