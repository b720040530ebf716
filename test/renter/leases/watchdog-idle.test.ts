import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {endlessLease, type BusyKind} from '../../../source/renter/words/lease.ts';
import {watchdogTerms} from '../../../source/renter/leases/watchdog.ts';
import {countsOf} from '../../helpers/host/hand-machine.ts';
import {noProcesses} from '../../helpers/host/local-host.ts';
import {NOW, openWatched, shells, type Watched} from '../../helpers/commands/watchdog.ts';

test.for(shells)(
	'an idle time ends it, and what is busy does not, in $shell',
	async ({command}) => {
		const lease = {idleSeconds: 150, action: 'stop'} as const;
		await using world = await openWatched({command, lease});
		const busy: ReadonlyArray<() => void> = [
			() => world.gpu('97'),
			() => world.gpu('No devices were found'),
			() => (world.gpu('0'), world.work(15)),
			() => world.set('proc/77/cmdline', 'sshd: root@pts/0\0'),
		];
		await world.passes(60);
		for (const begin of busy) {
			begin();
			await world.passes(60);
			await world.passes(60);
		}
		world.set('proc/77/cmdline', 'sleep\0');
		for (const _ of busy) {
			world.traffic(90_000_000);
			await world.passes(60);
		}
		expect(await world.current()).toBe('running');
		await world.idlesTo('stopped');
	},
);

test.for(shells.flatMap(one => countsOf.map(counts => ({...one, counts}))))(
	'what its own processes use keeps it, and what else the machine does lets it end, in $shell by $counts',
	async ({command, counts}) => {
		const lease = {idleSeconds: 150, action: 'stop'} as const;
		await using world = await openWatched({command, counts, lease});
		await world.passes(60);
		for (const work of [7, 60, 600]) {
			world.work(work);
			await world.passes(60);
			await world.passes(60);
		}
		expect(await world.current()).toBe('running');
		world.set('proc/loadavg', '96.00 96.00 96.00 97/900 1\n');
		world.set('sys/class/net/eth1/statistics/rx_bytes', '9000000000\n');
		world.work(5);
		await world.idlesTo('stopped');
	},
);

const ignoring: ReadonlyArray<readonly [BusyKind, (world: Watched) => void]> = [
	['cpu', world => world.work(600)],
	['disk', world => world.waits(true)],
	['network', world => world.traffic(90_000_000)],
	['ssh', world => world.set('proc/77/cmdline', 'sshd: root@pts/0\0')],
];

test.for(ignoring)('what is ignored is %s alone', async ([kind, begin]) => {
	const lease = {idleSeconds: 150, action: 'stop', ignores: [kind]} as const;
	await using world = await openWatched({lease});
	await world.passes(60);
	for (const [other, busy] of ignoring) {
		if (other === kind) continue;
		busy(world);
		await world.passes(60);
		world.waits(false);
		world.set('proc/77/cmdline', 'sleep\0');
		await world.passes(60);
	}
	expect(await world.current()).toBe('running');
	begin(world);
	await world.idlesTo('stopped');
});

test.skipIf(noProcesses !== undefined)(
	'a real process that computes keeps an instance without a control group, and its end lets it go',
	async () => {
		const lease = {idleSeconds: 3, action: 'stop'} as const;
		await using world = await openWatched({counts: 'processes', lease});
		const child = spawn('sh', ['-c', 'while :; do :; done']);
		const {pid = 0} = child;
		symlinkSync(`/proc/${pid}`, join(world.root, 'proc', String(pid)));
		const used = () => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[13]);
		for (let look = 0; look < 6; look++) {
			const before = used();
			await expect.poll(used).toBeGreaterThan(before + 20);
			await world.passes(1);
		}
		expect(await world.current()).toBe('running');
		child.kill('SIGKILL');
		await once(child, 'exit');
		for (let look = 0; look < 4; look++) await world.passes(1);
		world.tick(1);
		await world.becomes('stopped');
	},
);

test.for(shells)('a tick from before a change is no idle time, in $shell', async ({command}) => {
	await using world = await openWatched({command, lease: {idleSeconds: 7200}});
	await world.passes(60);
	await world.passes(60);
	const idle = {...endlessLease, idleSeconds: 50, action: 'stop'} as const;
	world.tick(60);
	world.tell(`${watchdogTerms({lease: idle, now: NOW})}\n`);
	await expect.poll(() => world.file('.rentty/s')).toMatch(/^e=0 /);
	expect(await world.current()).toBe('running');
	await world.idlesTo('stopped');
});

test('time that nobody looked is not idle time', async () => {
	await using world = await openWatched({lease: {idleSeconds: 100}});
	await world.passes(10);
	await world.passes(3600);
	await world.passes(50);
	expect(await world.current()).toBe('running');
});
