import {gunzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import type {HostTask} from '../../../source/contract/nouns/host-work.ts';
import {at, listOf, parseJson, textAt} from '../../../source/contract/grammar/json.ts';
import {patient, prepareContainers} from '../../helpers/host/container-host.ts';

const {engine, isSkipped, shown, openHost} = await prepareContainers();
const registry = `127.0.0.1:${engine?.registry.port}`;
const login = {username: 'me', password: 'secret'};

function taskOf(image: string, task: Partial<HostTask> = {}): HostTask {
	return {id: 1, instance_id: 7, kind: 'snapshot', image, pause: true, ...task};
}

function blob(digest: string | undefined): Buffer {
	return engine?.registry.pushed.get(digest ?? '') ?? Buffer.alloc(0);
}

describe.skipIf(isSkipped)(`snapshots of containers${shown}`, patient, () => {
	test('the disk is pushed with the settings of its image, and with no secret of its renter', async () => {
		await using host = await openHost({pushRegistries: [registry]});
		const env: Array<[string, string]> = [['TOKEN', 'a-secret-of-the-renter']];
		const onstart = 'echo written > /made-by-onstart; echo another-secret > /dev/null';
		const image = `${registry}/name:1`;
		await host.runtime.start(host.work({image, env, onstart, api_key: 'its-own-key'}));
		await host.until('running');
		const name = `${registry}/locked/mine:7-1`;
		const end = await host.runtime.snapshot?.(taskOf(name, {needs_login: true, login}));
		expect(end).toBe(`Snapshot pushed: ${name}`);
		expect(host.told.at(-1)).toMatchObject({status_msg: end});
		const manifest = parseJson(blob('/v2/locked/mine/manifests/7-1').toString());
		const config = blob(textAt(manifest, 'config', 'digest')).toString();
		expect(config).not.toMatch(/secret|its-own-key|rentty/);
		expect(at(parseJson(config), 'config')).toMatchObject({Env: ['PATH=/bin']});
		const layers = listOf(at(manifest, 'layers')).map(layer => blob(textAt(layer, 'digest')));
		expect(layers.map(layer => gunzipSync(layer).toString('latin1')).join('')).toContain(
			'made-by-onstart',
		);
		expect(JSON.stringify(host.told) + host.log.join()).not.toContain(login.password);
		const left = await host.engine.ask({method: 'GET', path: '/images/json'});
		expect(JSON.stringify(left)).not.toContain('locked/mine');
		expect((await host.ssh('cat /made-by-onstart')).out).toBe('written\n');
	});

	test('without its login, or to another registry, nothing is pushed, and the reason is told', async () => {
		await using host = await openHost({pushRegistries: [registry]});
		await host.runtime.start(host.work());
		await host.until('running');
		const name = `${registry}/locked/other:7-1`;
		const take = async (task: HostTask) => host.runtime.snapshot?.(task);
		expect(await take(taskOf(name, {needs_login: true}))).toBe(
			'Snapshot failed: the login of its registry was sent once, and is lost: ask for it again.',
		);
		const before = host.told.length;
		expect(await take(taskOf(name))).toBe(
			'Snapshot failed: its registry asks for a login, or for another one (unauthorized).',
		);
		const said = host.told.slice(before).map(({status_msg: message}) => message);
		expect(said).not.toContain('Snapshot: reading the disk');
		expect(await take(taskOf('registry.example.org/me/mine:7-1'))).toBe(
			'Snapshot failed: this machine does not push to registry.example.org.',
		);
		expect([...(engine?.registry.pushed.keys() ?? [])].join()).not.toContain('other');
	});
});

describe.skipIf(isSkipped)(`snapshots by hostile markets and renters${shown}`, patient, () => {
	test('a snapshot takes away and replaces no other image, whatever a market calls it', async () => {
		await using host = await openHost({pushRegistries: [registry]});
		await host.runtime.start(host.work());
		await host.until('running');
		const foreign = [`${registry}/of-the/provider:1`, `${registry}/of-the/renter:8-1`];
		for (const name of foreign) {
			const [repo = '', tag = ''] = name.split(/:(?=[^:]*$)/);
			const path = '/images/localhost/rentty-test:latest/tag';
			await host.engine.ask({method: 'POST', path, query: {repo, tag}});
		}
		const images = async () =>
			JSON.stringify(await host.engine.ask({method: 'GET', path: '/images/json'}));
		for (const name of [
			...foreign,
			`${registry}/of-the/provider`,
			`${registry}/x:7-1@sha256:${'a'.repeat(64)}`,
		]) {
			const end = await host.runtime.snapshot?.(taskOf(name));
			expect(end).toMatch(/^Snapshot failed: ".*" is not the name of a snapshot of instance 7\.$/);
		}
		for (const name of foreign) expect(await images()).toContain(name);
	});

	test('snapshots that are asked for at once, and a destroyed instance, leave no image and nothing paused', async () => {
		await using host = await openHost({pushRegistries: [registry]});
		await host.runtime.start(host.work());
		await host.until('running');
		const task = taskOf(`${registry}/mine:7-2`);
		const all = await Promise.all(
			Array.from({length: 20}, async (_, id) => host.runtime.snapshot?.({...task, id})),
		);
		const again = 'Snapshot failed: another one of the instance is being made.';
		expect(all.filter(end => end === again)).toHaveLength(19);
		expect((await host.ssh('echo still')).out).toBe('still\n');
		const ends = host.runtime.snapshot?.({...task, id: 30});
		await host.runtime.remove(7);
		expect(await ends).toMatch(/^Snapshot /);
		expect(
			JSON.stringify(await host.engine.ask({method: 'GET', path: '/images/json'})),
		).not.toContain('/mine');
		expect(
			await host.engine.ask({method: 'GET', path: '/containers/json', query: {all: 'true'}}),
		).toEqual([]);
	});
});
