import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import {openRunning} from './open-running.ts';

test('the ways into an instance are listed with how long each took to answer', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {
		answers: {'203.0.113.24': 61, 'ssh5.example.net': 140},
	});
	await rentty.sees(/train-a [^]*(?:\bssh \d+:\d\d|SSH answers)/);
	rentty.type('\r');
	expect(await rentty.sees('answers in 140ms')).toContain('ssh -p 40112 root@203.0.113.24');
});

test('y copies the way that answers, and pressed again the other one', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {answers: {'ssh5.example.net': 140}});
	await rentty.sees(/train-a [^]*(?:\bssh \d+:\d\d|SSH answers)/);
	rentty.type('y');
	await rentty.sees('ssh -p 20544 root@ssh5.example.net');
	rentty.type('y');
	await rentty.sees('ssh -p 40112 root@203.0.113.24');
});

test('two ways that lead to one place are one', async () => {
	await using market = await openFleetMarket();
	const access = {ssh_host: '203.0.113.24', ssh_port: 40_112};
	await using rentty = await openRunning(market, {access, answers: {'203.0.113.24': 61}});
	await rentty.sees(/train-a [^]*(?:\bssh \d+:\d\d|SSH answers)/);
	rentty.type('\r');
	expect(await rentty.sees('answers in 61ms')).not.toContain('proxy');
});

test('an instance that no way into answers is not said to be fine', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market);
	await rentty.sees(/train-a [^]*no SSH answer yet/);
});

test('ports are forwarded by a command that is shown before it is run or copied', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {answers: {'203.0.113.24': 61}});
	await rentty.sees(/train-a [^]*(?:\bssh \d+:\d\d|SSH answers)/);
	rentty.type('f');
	await rentty.sees('ports> 6006 8080_');
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
	await using rentty = await openRunning(market);
	rentty.type('kk');
	await rentty.sees('1 of 4');
	rentty.type('s');
	await rentty.sees('it does not run');
	rentty.type('m');
	await rentty.sees('You will be told of the next change of 2 train-c.');
	rentty.type('m');
	await rentty.sees('You will not be told');
});

test('files are copied by a command that is made of the answers and run by nobody', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {answers: {'203.0.113.24': 61}});
	await rentty.sees(/train-a [^]*(?:\bssh \d+:\d\d|SSH answers)/);
	rentty.type('t');
	await rentty.sees('here> ./data_');
	rentty.type(" of me; it's");
	await rentty.sees("here> ./data of me; it's_");
	rentty.type('\r');
	await rentty.sees('there> /workspace/_');
	rentty.type('\r');
	await rentty.sees('> up with scp');
	rentty.type('j');
	rentty.type('j');
	await rentty.sees('> up with rsync');
	rentty.type('\r');
	const shown = await rentty.sees('rsync -a --partial');
	expect(shown).toContain(String.raw`-- './data of me; it'\''s'`);
	expect(rentty.commands).toEqual([]);
});

test('no host that a service sends becomes an option, and nothing is run for it', async () => {
	await using market = await openFleetMarket();
	const access = {
		public_ipaddr: '-oProxyCommand=id',
		ssh_host: 'a.example; id',
		machine_dir_ssh_port: 0,
		ports: {'22/tcp': [{HostIp: '', HostPort: '22 -oProxyCommand=id'}]},
	};
	await using rentty = await openRunning(market, {access});
	for (const key of ['s', 'y', 'f', 't']) {
		rentty.type(key);
		await rentty.sees('no usable SSH port is named');
		rentty.type('j');
		await rentty.sees('4 of 4');
		rentty.type('k');
		await rentty.sees('3 of 4');
	}
	expect(rentty.commands).toEqual([]);
});

test('ssh is run with its arguments one by one, the host behind all options', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {hasKey: true, answers: {'203.0.113.24': 61}});
	await rentty.sees(/train-a [^]*(?:\bssh \d+:\d\d|SSH answers)/);
	rentty.type('s');
	await rentty.sees('Back from 1 train-a.');
	const [command] = rentty.commands;
	expect(command?.program).toBe('ssh');
	expect(command?.args.slice(-6)).toEqual(['-p', '40112', '-l', 'root', '--', '203.0.113.24']);
	expect(command?.args).toContain('StrictHostKeyChecking=accept-new');
	expect(command?.args).toContain(`UserKnownHostsFile=${rentty.home}/known_hosts`);
});

test('ssh that did not come through is told apart from a shell that ended badly', async () => {
	await using market = await openFleetMarket();
	await using lost = await openRunning(market, {hasKey: true, ended: {kind: 'ended', code: 255}});
	lost.type('s');
	await lost.sees(/SSH to 1 train-a ended with 255: not let in, or cut off. It is charged./);
});

test('with the setting for tmux, ssh gets a window there and the list stays', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {
		hasKey: true,
		environment: {LANG: 'C', TMUX: '/tmp/tmux-1/default,1,0'},
		settings: createSettingsStore({...defaultSettings, ssh: 'tmuxWindow'}),
	});
	rentty.type('s');
	await rentty.sees('SSH is in a window of tmux.');
	const [command] = rentty.commands;
	expect(command?.program).toBe('tmux');
	expect(command?.args.slice(0, 6)).toEqual(['new-window', '-n', '1 train-a', '--', 'env', '--']);
	expect(command?.args.at(-1)).toBe('203.0.113.24');
});

test('with the setting for printing, s only shows the command', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {
		settings: createSettingsStore({...defaultSettings, ssh: 'print'}),
	});
	rentty.type('s');
	await rentty.sees('Copied through the terminal');
	await rentty.sees('ssh -p 40112 root@203.0.113.24');
	expect(rentty.commands).toEqual([]);
});

test('with forwards it is entered by the command that was shown', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {
		hasKey: true,
		answers: {'203.0.113.24': 61},
	});
	await rentty.sees(/train-a [^]*(?:\bssh \d+:\d\d|SSH answers)/);
	rentty.type('f');
	await rentty.sees(/-L 6006:localhost:6006 -L\s+8080:localhost:8080/);
	rentty.type('\r');
	await rentty.sees('> enter it with these forwards');
	rentty.type('\r');
	await rentty.sees('Back from 1 train-a.');
	const args = rentty.commands[0]?.args ?? [];
	const forwards = args.filter((_, at) => args[at - 1] === '-L');
	expect(forwards).toEqual(['6006:localhost:6006', '8080:localhost:8080']);
	expect(args.at(-2)).toBe('--');
});
