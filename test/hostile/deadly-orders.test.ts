/** An order that the built agent dies of, as a fault that nobody knows yet would have it. */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {endLeftovers} from '../../source/host/sandbox/ending.ts';
import {makeUpGpus} from '../helpers/host/faulty-host.ts';
import {openFolder} from '../helpers/folder.ts';
import {startHost} from '../helpers/host/host-process.ts';
import {noDisks, noSandbox} from '../helpers/host/local-host.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';
import {endProcessesOf} from '../run/left-behind.ts';

/** A tool that kills whoever has it make a disk of 9 GB. */
const DEADLY = `#!/bin/sh
for last; do :; done
size=$(stat -c %s "$last")
[ "$size" -gt 9000000000 ] && [ "$size" -lt 10000000000 ] && kill -9 $PPID
exec /sbin/mkfs.ext4 "$@"
`;

/** True if a program of this machine sleeps for so many seconds. */
function isAsleep(seconds: number): boolean {
	return readdirSync('/proc').some(name => {
		try {
			return readFileSync(`/proc/${name}/cmdline`, 'utf8') === `sleep\0${seconds}\0`;
		} catch {
			// No process, or one that is gone.
			return false;
		}
	});
}

async function openWorld() {
	const folder = openFolder();
	const market = await startMarket(join(folder.path, 'market.db'), '--credit', '1000');
	const key = await market.key();
	const keyFile = join(folder.path, 'key');
	writeFileSync(keyFile, key);
	const hostFolder = join(folder.path, 'host');
	const programs = makeUpGpus(folder.path, 4);
	writeFileSync(join(programs, 'mkfs.ext4'), DEADLY, {mode: 0o755});
	const client = clientOf(market.url, key);
	const launch = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;
	const shown = async (id: number) => {
		const instance = await client.instances.show(id);
		return [instance?.actual_status, instance?.status_msg];
	};
	return {
		start: async () =>
			startHost({url: market.url, keyFile, folder: hostFolder, runtime: 'sandbox', programs}),
		async rent(disk: number, seconds = 1000): Promise<number> {
			const {offers} = await client.offers.search({limit: 100});
			const offer = offers.find(({num_gpus: gpus, rentable}) => gpus === 1 && rentable === true);
			const order = {image: 'ubuntu:24.04', launch, disk, args: ['sleep', String(seconds)]};
			return (await client.instances.create(offer?.id ?? 0, order)).new_contract;
		},
		status: async (id: number) => (await shown(id))[0],
		message: async (id: number) => (await shown(id))[1],
		async [Symbol.asyncDispose]() {
			await endLeftovers(hostFolder);
			endProcessesOf(folder.path);
			await client[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
			folder[Symbol.dispose]();
		},
	};
}

test.skipIf((noSandbox ?? noDisks) !== undefined)(
	'an order that ends the agent is tried last, and not a third time, and its renter is told',
	async () => {
		await using world = await openWorld();
		await using first = await world.start();
		const before = await world.rent(8);
		await expect.poll(async () => world.status(before)).toBe('running');
		const deadly = await world.rent(9);
		await first.ended;
		const seconds = 1_000_000 + process.pid;
		const after = await world.rent(8, seconds);

		await using second = await world.start();
		await second.ended;
		// The market may have heard of the start, or of the end of the agent alone: the machine knows.
		expect(isAsleep(seconds)).toBe(true);

		await using third = await world.start();
		await expect
			.poll(async () => world.message(deadly))
			.toBe(
				"Error: The host's program ended twice while it started this instance, and does not try it again. Nothing runs, and its disk costs until you destroy it: rent on another machine.",
			);
		expect(third.said()).toContain(`Instance ${deadly} failed: The host's program ended twice`);
		const next = await world.rent(8);
		await expect.poll(async () => world.status(next)).toBe('running');
		expect([await world.status(before), await world.status(after)]).toEqual(['running', 'running']);
	},
);
