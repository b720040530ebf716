import {existsSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import type {Work} from '../../../source/contract/nouns/host-work.ts';
import {listProcesses} from '../../../source/host/machine/processes.ts';
import {chooseInside, type InsideKind} from '../../../source/host/sandbox/choose-inside.ts';
import {localEntrances} from '../../../source/host/simulated/local-entrances.ts';
import {calmRates} from '../../../source/host/simulated/script.ts';
import {simulate} from '../../../source/host/simulated/simulated.ts';
import {openFolder} from '../../helpers/folder.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {workOf} from '../../helpers/host/host.ts';
import {noSandbox} from '../../helpers/host/local-host.ts';
import {waitFor} from '../../helpers/wait-for.ts';

/** Simulated instances that are entered on this machine. */
function openMachine(kind: InsideKind) {
	const folder = openFolder();
	const entrances = localEntrances({
		folder: folder.path,
		address: '127.0.0.1',
		chooseInside: async () => chooseInside(kind),
	});
	const scheduler = createHandScheduler();
	const statuses: unknown[] = [];
	const given = {speed: 8, scheduler, rates: calmRates, entrances};
	const runtime = simulate(given)(({status}) => void (status && statuses.push(status)));
	const lines = async () => {
		const log = await runtime.logs({id: 1, instance_id: 7, kind: 'logs', tail: 1e6});
		return log.split('\n').map(line => line.slice('2026-11-18T11:06:45.000Z '.length));
	};
	return {
		...runtime,
		folder: folder.path,
		lines,
		async starts(work: Partial<Work>) {
			statuses.length = 0;
			await runtime.start(workOf(work));
			await scheduler.pass(100);
			await waitFor(() => expect(statuses.at(-1)).toBe('running'));
		},
		async [Symbol.asyncDispose]() {
			await runtime.close();
			folder[Symbol.dispose]();
		},
	};
}

let marks = 0;
/** A command line that no other test has. */
const ownSleep = () => `sleep ${(marks += 1)}${process.pid}7`;

async function runs(line: string): Promise<boolean> {
	const mark = `MARK=${line}`;
	return (await listProcesses()).some(({environment}) => environment.includes(mark));
}

test.skipIf(noSandbox !== undefined)(
	'onstart runs at each start with the environment, its output is the log, and it ends with the instance',
	async () => {
		await using machine = openMachine('sandbox');
		const {lines} = machine;
		const sleep = ownSleep();
		const work = {
			env: [['MARK', sleep]] as Array<[string, string]>,
			onstart: `echo "$MARK in $CONTAINER_ID" >>~/seen; cat ~/seen; echo trouble >&2; pwd; ulimit -u 2>/dev/null || ulimit -p; (${sleep} &); exit 3`,
		};
		const said = (times: number) => [
			'Running onstart',
			...Array.from({length: times}, () => `${sleep} in 7`),
			'trouble',
			'/root',
			'4096',
		];
		await machine.starts(work);
		await waitFor(async () => expect(await lines()).toContain('onstart ended with 3'));
		expect(await lines()).toEqual(expect.arrayContaining(said(1)));
		expect(await lines()).not.toContain('onstart: done');
		expect(await runs(sleep)).toBe(true);
		await machine.stop(7);
		expect(await runs(sleep)).toBe(false);
		expect(await lines()).toContain('onstart ended with 3');
		await machine.starts({...work, boot: 2, api_key: null});
		await waitFor(async () =>
			expect((await lines()).filter(line => line === 'onstart ended with 3')).toHaveLength(2),
		);
		expect((await lines()).filter(line => line === `${sleep} in 7`)).toHaveLength(3);
		expect(await runs(sleep)).toBe(true);
		await machine.remove(7);
		expect(await runs(sleep)).toBe(false);
	},
);

test.skipIf(noSandbox !== undefined)('onstart ends with the program that runs it', async () => {
	await using machine = openMachine('sandbox');
	const sleep = ownSleep();
	await machine.starts({env: [['MARK', sleep]], onstart: `echo begun; ${sleep}`});
	await waitFor(async () => expect(await machine.lines()).toContain('begun'));
	expect(await runs(sleep)).toBe(true);
	await machine.close();
	expect(await runs(sleep)).toBe(false);
});

test.skipIf(noSandbox !== undefined)(
	'the log has a bounded part of what onstart writes, and onstart goes on',
	async () => {
		await using machine = openMachine('sandbox');
		const done = join(machine.folder, '7/home/done');
		const onstart =
			'head -c 3000000 /dev/zero | tr "\\0" x; echo; yes | head -n 2000000; echo >done';
		await machine.starts({onstart});
		await waitFor(() => expect(existsSync(done)).toBe(true));
		const lines = await machine.lines();
		expect(lines.at(-2)).toBe('The rest of what onstart writes is left out.');
		expect(lines.join('\n').length).toBeLessThan(400_000);
	},
);

test('without a sandbox onstart is not run, and the log says so', async () => {
	await using machine = openMachine('process');
	const file = join(machine.folder, 'seen');
	await machine.starts({onstart: `echo >${file}`});
	expect(await machine.lines()).toContain('onstart is not run: this machine has no sandbox');
	expect(await machine.lines()).not.toContain('Running onstart');
	await machine.close();
	expect(existsSync(file)).toBe(false);
});
