import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {createMeasuring} from '../../../source/renter/connect/measuring.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {applyList} from '../../../source/renter/fleet/apply-polls.ts';
import {unseenFleet} from '../../../source/renter/fleet/fleet-state.ts';
import {createStore} from '../../../source/renter/state/store.ts';
import {listOf} from '../../helpers/fleet/looks.ts';

const {limits} = defaultSettings;

const running = (id: number, port = 40_112, status = 'running'): Instance => ({
	id,
	actual_status: status,
	public_ipaddr: '203.0.113.24',
	machine_dir_ssh_port: port,
	ssh_host: 'ssh5.example.net',
	ssh_port: 20_544,
});

/** Ports that answer when a test says so. */
function openMeasured() {
	const state = createStore(unseenFleet);
	const opened: string[] = [];
	const told: Array<ReadonlyMap<number, boolean>> = [];
	const answers: Array<(ms: number | undefined) => void> = [];
	let now = 0;
	const measuring = createMeasuring({
		fleet: {state, noteSsh: news => told.push(news)},
		async probe({host, port}) {
			opened.push(`${host}:${port}`);
			return new Promise(resolve => answers.push(resolve));
		},
		timers: {now: () => now},
	});
	return {
		...measuring,
		opened,
		told,
		/** A look at all instances, some seconds after the last one. */
		look(seconds: number, ...instances: readonly Instance[]) {
			now += seconds * 1000;
			state.set(applyList(state.get(), listOf(instances), {now, localNow: now, limits}));
		},
		/** All that were opened so far answer alike. */
		async answer(ms: number | undefined) {
			for (const resolve of answers.splice(0)) resolve(ms);
			await setImmediate();
		},
	};
}

test('each way into what runs is opened once, and again only when it is another or starts anew', async () => {
	const ports = openMeasured();
	ports.look(0, running(7), running(8, 40_113, 'loading'));
	expect(ports.opened).toEqual(['203.0.113.24:40112', 'ssh5.example.net:20544']);
	await ports.answer(61);
	expect(ports.measured.get().get(7)).toMatchObject([
		{kind: 'direct', ms: 61},
		{kind: 'proxy', ms: 61},
	]);
	for (let looks = 0; looks < 20; looks++) ports.look(10, running(7));
	expect(ports.opened).toHaveLength(2);
	ports.look(10, running(7, 40_200));
	expect(ports.opened.slice(2)).toContain('203.0.113.24:40200');
	await ports.answer(61);
	ports.look(10, running(7, 40_200, 'loading'));
	ports.look(10, running(7, 40_200));
	expect(ports.opened).toHaveLength(6);
});

test('what was silent is tried again after half a minute, and then ever more seldom', async () => {
	const ports = openMeasured();
	const tries = async (seconds: number) => {
		const before = ports.opened.length;
		for (let passed = 0; passed < seconds; passed += 10) {
			ports.look(10, running(7));
			await ports.answer(undefined);
		}
		return (ports.opened.length - before) / 2;
	};
	ports.look(0, running(7));
	await ports.answer(undefined);
	expect(ports.told).toEqual([new Map([[7, false]])]);
	expect(await tries(20)).toBe(0);
	expect(await tries(10)).toBe(1);
	expect(await tries(50)).toBe(0);
	expect(await tries(10)).toBe(1);
	await tries(3600);
	expect(await tries(3600)).toBe(6);
});

test('what is open on the screen is tried once a minute, and nothing else that answered', async () => {
	const ports = openMeasured();
	ports.look(0, running(7), running(8, 40_113));
	await ports.answer(5);
	ports.follow(7);
	ports.look(50, running(7), running(8, 40_113));
	expect(ports.opened).toHaveLength(4);
	ports.look(10, running(7), running(8, 40_113));
	expect(ports.opened.slice(4)).toEqual(['203.0.113.24:40112', 'ssh5.example.net:20544']);
});

test('of a thousand instances eight are tried at a time, and the fleet hears of them together', async () => {
	const ports = openMeasured();
	const many = Array.from({length: 1000}, (_, id) => running(id, 1024 + id));
	ports.look(0, ...many);
	expect(ports.opened).toHaveLength(16);
	while (ports.measured.get().size < 1000) await ports.answer(3);
	expect(new Set(ports.opened.filter(place => place.startsWith('203.'))).size).toBe(1000);
	expect(ports.told.length).toBeLessThanOrEqual(40);
	expect(new Set(ports.told.flatMap(news => [...news.keys()])).size).toBe(1000);
});

test('what a service names as no host is never opened', () => {
	const ports = openMeasured();
	const evil = {public_ipaddr: '-oProxyCommand=id', ssh_host: '$(id)', machine_dir_ssh_port: 0};
	ports.look(
		0,
		{...running(7), ...evil},
		{...running(8), ...evil, ssh_host: 'a.example', ssh_port: 70_000},
	);
	expect(ports.opened).toEqual([]);
});
