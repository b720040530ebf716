import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Command} from '../../../../source/console/aside.ts';
import {openTestConsole} from '../../../helpers/console.ts';
import {openFleetMarket} from '../../../helpers/fleet.ts';
import type {FleetMarket} from '../../../helpers/fleet.ts';

const folder = mkdtempSync(join(tmpdir(), 'rentty-connect-'));

/** The detail of the instance that runs, whose ways in answer as told. */
async function openRunning(market: FleetMarket, answers: Readonly<Record<string, number>>) {
	await market.database
		.updateTable('instances')
		.set({
			access: JSON.stringify({
				ssh_host: 'ssh5.example.net',
				ssh_port: 20_544,
				public_ipaddr: '203.0.113.24',
				machine_dir_ssh_port: 40_112,
				ports: {'22/tcp': [{HostIp: '0.0.0.0', HostPort: '40112'}]},
			}),
		})
		.where('id', '=', market.running.id)
		.execute();
	const commands: Command[] = [];
	const rentty = openTestConsole({
		service: market,
		ssh: {
			home: folder,
			folder,
			knownHosts: join(folder, 'known_hosts'),
			probe: async ({host}) => answers[host],
		},
		async run(command) {
			commands.push(command);
			return {kind: 'ended', code: 0};
		},
	});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('jj');
	await rentty.sees('3 of 4');
	return {...rentty, commands, [Symbol.asyncDispose]: () => rentty[Symbol.asyncDispose]()};
}

test('the ways into an instance are listed with how long each took to answer', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {'203.0.113.24': 61, 'ssh5.example.net': 140});
	await rentty.sees(/train-a .* ok/);
	rentty.type('\r');
	expect(await rentty.sees('answers in 140ms')).toContain('ssh -p 40112 root@203.0.113.24');
});

test('y copies the way that answers, and pressed again the other one', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {'ssh5.example.net': 140});
	await rentty.sees(/train-a .* ok/);
	rentty.type('y');
	await rentty.sees('ssh -p 20544 root@ssh5.example.net');
	rentty.type('y');
	await rentty.sees('ssh -p 40112 root@203.0.113.24');
});

test('an instance that no way into answers is not said to be fine', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {});
	await rentty.sees(/train-a .* no /);
});

test('ports are forwarded by a command that is shown before it is run or copied', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {'203.0.113.24': 61});
	await rentty.sees(/train-a .* ok/);
	rentty.type('f');
	await rentty.sees('ports> 8080_');
	for (const letter of ' 99999') rentty.type(letter);
	await rentty.sees('Ports are numbers from 1 to 65535');
	rentty.type('\u0015');
	for (const letter of '16006:6006') rentty.type(letter);
	await rentty.sees('-L 16006:localhost:6006');
	rentty.type('\r');
	await rentty.sees('copy the command');
	rentty.type('j');
	await rentty.sees('> copy the command');
	rentty.type('\r');
	await rentty.sees('ssh -p 40112 root@203.0.113.24 -L 16006:localhost:6006');
	expect(rentty.commands).toEqual([]);
});

test('what does not run is not entered, and the key says why', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {});
	rentty.type('kk');
	await rentty.sees('1 of 4');
	rentty.type('s');
	await rentty.sees('it does not run');
	rentty.type('m');
	await rentty.sees('You will be told of the next change of 2 train-c.');
	rentty.type('m');
	await rentty.sees('You will not be told');
	rmSync(folder, {recursive: true, force: true});
});
