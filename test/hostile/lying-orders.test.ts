/** A host before a market whose orders are wrong in each field that the contract has, by real answers. */
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fieldsOf} from '../../source/contract/grammar/json.ts';
import {openHostAgent} from '../../source/host/agent/agent.ts';
import {chooseInside} from '../../source/host/sandbox/choose-inside.ts';
import {openSandboxes} from '../../source/host/sandbox/sandboxes.ts';
import {noteRest} from '../helpers/host/at-rest.ts';
import {openFolder} from '../helpers/folder.ts';
import {createHandScheduler} from '../helpers/hand-scheduler.ts';
import {workOf} from '../helpers/host/host.ts';
import {
	HONEST,
	liesOfContract,
	openLyingDesk,
	undone,
	type Orders,
} from '../helpers/host/lying-orders.ts';
import {noProcesses} from '../helpers/host/local-host.ts';

const makeInside = await chooseInside('process');

const honest = workOf({
	instance_id: HONEST,
	onstart: 'echo kept > kept; sleep 1000',
	gpu_ids: [],
	mounts: [{volume_id: HONEST, mount_path: '/volume', size: 1}],
});
const volume = {volume_id: HONEST, machine_id: 1, wanted: 'kept', size: 1};

/** Volume whose order is right, beside others. */
const BESIDE = 2;

async function openHost(folder: string) {
	const desk = await openLyingDesk({work: [honest], volumes: [volume]});
	const lines: string[] = [];
	const scheduler = createHandScheduler();
	const agent = await openHostAgent({
		calls: desk.calls,
		openRuntime: openSandboxes({folder, address: '127.0.0.1', graceMs: 100, makeInside}),
		scheduler,
		random: () => 0,
		log: line => lines.push(line),
	});
	/** Passes time until orders were taken, or refused whole and asked for again. */
	const passing = (posing: (orders: Orders) => () => boolean) => async (orders: Orders) => {
		const isTaken = posing(orders);
		const passed = async () => scheduler.pass(1).then(isTaken);
		await expect.poll(passed, {timeout: 20_000, interval: 2}).toBe(true);
	};
	const [pose, lose] = [passing(orders => desk.pose(orders)), passing(orders => desk.lose(orders))];

	/** True for an order that was carried out although it is about nothing else. */
	function hasMade(order: unknown): boolean {
		const {instance_id: instance, volume_id: made, kind} = fieldsOf(order);
		if (made !== undefined) return made !== HONEST && namesIn('volumes').includes(made);
		return kind === undefined && instance !== HONEST && namesIn('instances').includes(instance);
	}

	const namesIn = (of: string): readonly unknown[] => readdirSync(join(folder, of)).map(Number);

	const others = (of: string) => namesIn(of).filter(id => id !== HONEST);

	const isClear = async () => {
		const work = others('instances').map(id => ({...workOf({wanted: 'gone'}), instance_id: id}));
		const volumes = others('volumes').map(id => ({...volume, volume_id: id, wanted: 'gone'}));
		if (work.length + volumes.length === 0) return true;
		await pose({work, volumes});
		await scheduler.pass(1);
		return false;
	};

	/** Passes time until only what is in order is left. */
	async function clear(): Promise<void> {
		await expect.poll(isClear, {timeout: 20_000, interval: 5}).toBe(true);
	}

	return {
		...desk,
		pose,
		lose,
		hasMade,
		agent,
		scheduler,
		lines,
		namesIn,
		clear,
		async [Symbol.asyncDispose]() {
			await agent.close();
			await desk[Symbol.asyncDispose]();
		},
	};
}

test.skipIf(noProcesses !== undefined)(
	'a host whose orders are wrong in any field goes on with what is in order, and says a sentence of each',
	{timeout: 240_000},
	async () => {
		using place = openFolder();
		const [folder, outside] = [join(place.path, 'host'), join(place.path, 'outside')];
		mkdirSync(outside);
		writeFileSync(join(outside, 'kept'), 'kept');
		const rest = noteRest();
		{
			await using host = await openHost(folder);
			const isRunning = async () => host.scheduler.pass(1).then(() => host.statuses.at(-1));
			await expect.poll(isRunning).toBe('running');
			const before = host.statuses.length;
			const talkative: string[] = [];
			const wrong: unknown[] = [];
			for (const {name, orders, unreadable} of liesOfContract(outside)) {
				const from = host.lines.length;
				const right = {...volume, volume_id: BESIDE};
				await host.pose({...orders, volumes: [...(orders['volumes'] ?? []), right]});
				await host.scheduler.pass(60);
				if (!host.namesIn('volumes').includes(BESIDE)) wrong.push(`${name}: nothing else is done`);
				wrong.push(...unreadable.filter(one => host.hasMade(one)));
				const count = Object.values(orders).flat().length;
				const lines = host.lines.slice(from);
				if (lines.length > count) talkative.push(name, ...lines.slice(0, 5));
				await host.pose(undone(orders));
				await host.clear();
			}
			expect(wrong).toEqual([]);
			expect(talkative).toEqual([]);
			for (const lost of [
				{...honest, boot: 'x'},
				{...honest, instance_id: 'x'},
			]) {
				await host.lose({work: [lost]});
				await host.scheduler.pass(60);
			}
			expect(host.namesIn('instances')).toEqual([HONEST]);
			expect(host.namesIn('volumes')).toContain(HONEST);
			expect(host.statuses.slice(before)).toEqual([]);
			const kept = join(folder, 'instances', String(HONEST), 'home/kept');
			expect(readFileSync(kept, 'utf8')).toBe('kept\n');
			expect(readdirSync(place.path).toSorted()).toEqual(['host', 'outside']);
			expect(readdirSync(outside)).toEqual(['kept']);
			await host.pose({
				work: [{...honest, wanted: 'gone'}],
				volumes: [{...volume, wanted: 'gone'}],
			});
			await expect
				.poll(async () => host.scheduler.pass(1).then(() => host.namesIn('instances')))
				.toEqual([]);
		}
		await rest.end();
	},
);
