import {expect, test} from 'vitest';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import type {FleetMarket} from '../../../helpers/fleet/fleet.ts';
import {openRunning} from './open-running.ts';

const answers = {'203.0.113.24': 61, 'ssh5.example.net': 140};

test('an instance that runs opens with how it is entered, at 80x24', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {answers});
	await rentty.sees(/train-a [^]*(?:\bssh \d+:\d\d|SSH answers)/);
	rentty.type('\r');
	expect(await rentty.sees('answers in 140ms')).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  4 no end $0.24/h       * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		Instances > 1 train-a   * running 1h56   $0.229/h   $0.44 to $0.46 so far
		[Connect]  Ports   Logs   Usage   Run   Timeline   Spec   Ends   JSON   [ ] tabs
		--------------------------------------------------------------------------------
		 ssh -p 40112 root@203.0.113.24                         direct, answers in 61ms
		 ssh -p 20544 root@ssh5.example.net                     proxy, answers in 140ms

		 s  enter it here: rentty steps aside, and comes back when you leave
		 y  copy the direct command; again for the other
		 f  forward ports   6006 8080
		 t  transfer        scp -P 40112 -r -- ./data root@203.0.113.24:/workspace/
		 a  more: a name for ssh, scp and editors, "rentty-train-a"

		 GPU 94%   #   memory 21.9 GB   CPU 38%   RAM 41.0 / 256.0 GB
		 disk 9.6 / 16.0 GB   rental ends 2026-11-21, in 3d





		--------------------------------------------------------------------------------

		s ssh  y copy  l logs  ] next tab  S stop  x destroy  r rent  ? help  a actions"
	`);
});

/** A page of the instance that runs, so many steps of ] away from the first. */
async function openPage(market: FleetMarket, steps: number) {
	const rentty = await openRunning(market, {answers});
	await rentty.sees(/train-a [^]*(?:\bssh \d+:\d\d|SSH answers)/);
	rentty.type('\r');
	await rentty.sees('[Connect]');
	rentty.type(']'.repeat(steps));
	return rentty;
}

test('its ports are shown with what is usually behind them', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openPage(market, 1);
	expect(await rentty.sees('[Ports]')).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  4 no end $0.24/h       * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		Instances > 1 train-a   * running 1h56   $0.229/h   $0.44 to $0.46 so far
		 Connect  [Ports]  Logs   Usage   Run   Timeline   Spec   Ends   JSON   [ ] tabs
		--------------------------------------------------------------------------------
		 container      public                     usually
		 22/tcp         203.0.113.24:40112         ssh
		 6006/tcp       203.0.113.24:40119         tensorboard
		 8080/tcp       203.0.113.24:40118         http

		 y copies the address of a page, again for the next one. f forwards ports.










		--------------------------------------------------------------------------------

		s ssh  y copy  l logs  ] next tab  S stop  x destroy  r rent  ? help  a actions"
	`);
	rentty.type('y');
	await rentty.sees('http://203.0.113.24:40119');
	rentty.type('y');
	await rentty.sees('http://203.0.113.24:40118');
});

test('its use is shown with the last looks at it', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openPage(market, 3);
	expect(await rentty.sees('not heard over SSH')).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  4 no end $0.24/h       * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		Instances > 1 train-a   * running 1h56   $0.229/h   $0.44 to $0.46 so far
		 Connect   Ports   Logs  [Usage]  Run   Timeline   Spec   Ends   JSON   [ ] tabs
		-- util % ---------------------------------- now 94 of 100  1h, 1 column 1 min -
		      100|                                              a
		         |
		        0|
		-- mem GB ----------------------------------------------------- now 21.9 of 24 -
		         |                                              a
		         |
		        0|
		-- heat C ---------------------------------------------------- now 71 limit 83 -
		      100|                                              a
		        0|
		-- power W ------------------------------------------------------ not measured -
		     1000|
		        0|
		         ++--------------+---------+---------+---------+--------+
		        11:54          12:10     12:20     12:30     12:40  12:49
		------------------------------------------------- each GPU: not heard over SSH -
		cpu 38%  ram 41/256G  disk 10/16G

		< read  , longer  . shorter  Tab util mem heat power  x destroy  ? help"
	`);
});

test('its boot is shown step by step', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openPage(market, 5);
	expect(await rentty.sees('[Timeline]')).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  4 no end $0.24/h       * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		Instances > 1 train-a   * running 1h56   $0.229/h   $0.44 to $0.46 so far
		 Connect   Ports   Logs   Usage   Run  [Timeline]  Spec   Ends   JSON   [ ] tabs
		--------------------------------------------------------------------------------
		TIMELINE  1 train-a  running

		  10:41:07  accepted
		      -     provisioning
		      -     loading
		  10:45:07  running         1h56
		  12:41:07  ssh answers     0:00









		--------------------------------------------------------------------------------

		s ssh  y copy  l logs  ] next tab  S stop  x destroy  r rent  ? help  a actions"
	`);
});

test('what it is and costs is shown', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openPage(market, 6);
	expect(await rentty.sees('[Spec]')).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  4 no end $0.24/h       * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		Instances > 1 train-a   * running 1h56   $0.229/h   $0.44 to $0.46 so far
		 Connect   Ports   Logs   Usage   Run   Timeline  [Spec]  Ends   JSON   [ ] tabs
		--------------------------------------------------------------------------------
		 GPUs            1x RTX A5000
		 machine / host  10006 / 50665
		 where           Bulgaria, BG
		 image           ubuntu:24.04
		 launch          ssh ssh_direc ssh_proxy
		 template        -
		 disk            16 GB
		 rented          on demand
		 costs           $0.229/h
		 disk if stopped $0.0044/h
		 so far          $0.44 to $0.46, without traffic
		 rental ends     2026-11-21, in 3d
		 ends by itself  no end



		--------------------------------------------------------------------------------

		s ssh  y copy  l logs  ] next tab  S stop  x destroy  r rent  ? help  a actions"
	`);
});

test('all that the service sent of it is shown, and one more step leads round', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openPage(market, 8);
	await rentty.sees(/\[JSON\].*"machine_id": \d+/s);
	rentty.type('\u001B[6~');
	rentty.type('\u001B[6~');
	await rentty.sees('"geolocation": ');
	rentty.type(']');
	await rentty.sees('[Connect]');
});

test('at 140x40 all of it is there at once', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {answers, columns: 140, rows: 40});
	await rentty.sees(/train-a [^]*(?:\bssh \d+:\d\d|SSH answers)/);
	rentty.type('\r');
	expect(await rentty.sees(/lasts .*answers in 140ms.*LOGS/s)).toMatchInlineSnapshot(`
		" rentty   practice market . no money  . $0.24/h max 0.62  4 no end $0.24/h . today $0.50 . $99.46 lasts 6-17d   * 1  ~ 1  o 1  x 1  12:41:07
		 0 Overview    1 Offers   [2 Instances 1!]   3 Templates    4 Keys    5 Activity    6 Profiles
		Instances > 1 train-a   * running 1h56   $0.229/h   $0.44 to $0.46 so far
		[All]  Connect   Ports   Logs   Usage   Run   Timeline   Spec   Ends   JSON                                                         [ ] tabs
		----------------------------------------------------------------------------------------+---------------------------------------------------
		CONNECT  s enters it, y copies; a names it "rentty-train-a"                             | USAGE
		 ssh -p 40112 root@203.0.113.24                                direct, answers in 61ms  |  GPU             94%   #
		 ssh -p 20544 root@ssh5.example.net                            proxy, answers in 140ms  |  GPU memory      21.9 GB
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
		TIMELINE                                                                                |  ends by itself  no end
		  10:41:07  accepted                                                                    |
		      -     provisioning                                                                | SPEC
		      -     loading                                                                     |  GPUs            1x RTX A5000
		  10:45:07  running         1h56                                                        |  machine / host  10006 / 50665
		  12:41:07  ssh answers     0:00                                                        |  where           Bulgaria, BG
		                                                                                        |  image           ubuntu:24.04
		                                                                                        |  launch          ssh ssh_direc ssh_proxy
		                                                                                        |  template        -
		                                                                                        |  disk            16 GB
		                                                                                        |  rented          on demand

		LOGS
		 Asking its host.




		--------------------------------------------------------------------------------------------------------------------------------------------

		s ssh  y copy  l logs  ] next tab  S stop  x destroy  r rent  ? help  a actions  q quit"
	`);
});

test('what does not run opens with its timeline where there is no room for all', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {columns: 140, rows: 40});
	rentty.type('kk');
	await rentty.sees('1 of 4');
	rentty.type('\r');
	await rentty.sees('It cannot be entered: it does not run.');
	rentty.resize(80, 24);
	expect(await rentty.sees('[Timeline]')).toMatch(/<- stuck.*\+=+#+\|/s);
});
