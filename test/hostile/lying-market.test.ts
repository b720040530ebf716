/** A host whose market lies for a day: it goes on, keeps to its own folder, and does what is true afterwards. */
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Work} from '../../source/contract/nouns/host-work.ts';
import {openHostAgent} from '../../source/host/agent/agent.ts';
import {chooseInside} from '../../source/host/sandbox/choose-inside.ts';
import {openSandboxes} from '../../source/host/sandbox/sandboxes.ts';
import {noteRest} from '../helpers/host/at-rest.ts';
import {openFolder} from '../helpers/folder.ts';
import {createHandScheduler} from '../helpers/hand-scheduler.ts';
import {workOf} from '../helpers/host/host.ts';
import {noProcesses} from '../helpers/host/local-host.ts';
import {openDesk} from '../helpers/host/market-desk.ts';

const makeInside = await chooseInside('process');

/** An agent that runs plain processes, and a desk that it takes its work from. */
async function openHost(folder: string) {
	const desk = openDesk();
	const scheduler = createHandScheduler();
	const agent = await openHostAgent({
		calls: desk.calls,
		openRuntime: openSandboxes({folder, address: '127.0.0.1', graceMs: 100, makeInside}),
		scheduler,
		random: () => 0,
	});
	/** Lets seconds pass until something holds. */
	async function until(holds: () => boolean): Promise<void> {
		const holdsThen = async () => scheduler.pass(1).then(holds);
		await expect.poll(holdsThen).toBe(true);
	}
	return {...desk, scheduler, until, [Symbol.asyncDispose]: agent.close};
}

const foldersIn = (folder: string) => readdirSync(join(folder, 'instances'));

const MOST = Number.MAX_SAFE_INTEGER;
const ids = [0, 1, 2, 1e15, MOST];
const numbers = fc.constantFrom(-MOST, -1, 0, 1, 2, 65_535, MOST);
const texts = fc.oneof(
	fc.string(),
	fc.constantFrom('..', '../../x', '/etc', '\0', 'x'.repeat(9000)),
);

/** Orders that the contract lets through. */
const lies = fc.record({
	instance_id: fc.constantFrom(...ids),
	machine_id: fc.constantFrom(0, 1, MOST),
	wanted: fc.constantFrom<Work['wanted']>('running', 'running', 'stopped', 'gone'),
	boot: numbers,
	container: numbers,
	image: texts,
	onstart: fc.constantFrom('', 'exit 3', 'sleep 1000'),
	env: fc.array(fc.tuple(texts, texts), {maxLength: 3}),
	user: texts,
	disk: fc.constantFrom(-1, 0, 16, 1e15),
	gpu_ids: fc.array(numbers, {maxLength: 3}),
	ssh_port: fc.constantFrom(1, 22, 65_535),
	public_keys: fc.array(texts, {maxLength: 3}),
	mounts: fc.array(
		fc.record({volume_id: fc.constantFrom(0, MOST), mount_path: texts, size: numbers}),
		{
			maxLength: 2,
		},
	),
});

test.skipIf(noProcesses !== undefined)(
	'a host whose market lies for a day goes on, and has nothing left of it afterwards',
	async () => {
		using place = openFolder();
		const rest = noteRest();
		const day = fc.asyncProperty(fc.array(lies, {minLength: 20, maxLength: 40}), async orders => {
			await using host = await openHost(place.path);
			for (const order of orders) {
				host.want(workOf(order));
				await host.scheduler.pass(60);
			}
			host.want(workOf({instance_id: 3, onstart: 'sleep 1000', gpu_ids: []}));
			await host.until(() => host.statuses(3).includes('running'));
			for (const id of [3, ...ids]) host.want(workOf({instance_id: id, wanted: 'gone'}));
			await host.until(() => foldersIn(place.path).length === 0);
		});
		await fc.assert(day, {numRuns: 3, endOnFailure: true});
		await rest.end();
	},
);

test.skipIf(noProcesses !== undefined).for(ids)(
	'instance %i is found again by the next agent, and goes where nobody wants it',
	async id => {
		using place = openFolder();
		{
			await using host = await openHost(place.path);
			host.want(workOf({instance_id: id, onstart: 'sleep 1000', gpu_ids: []}));
			await host.until(() => host.statuses(id).includes('running'));
		}
		await using next = await openHost(place.path);
		await next.until(() => foldersIn(place.path).length === 0);
		expect(foldersIn(place.path)).toEqual([]);
	},
);
