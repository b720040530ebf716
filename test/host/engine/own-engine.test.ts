/** The engine that an agent takes: the one that has what its folder keeps. */
import {mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {chooseEngine} from '../../../source/host/engine/own-engine.ts';
import {newRecord, writeRecord} from '../../../source/host/instance/record.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openPretender} from '../../helpers/services/pretender.ts';

type Has = 'containers' | 'volumes' | 'networks' | 'nothing';

/** An engine with an ID that has something of any folder. It says nothing of what breaks. */
async function openEngineWith(id: string, has: Has, breaks = false) {
	return openPretender((request, response) => {
		const {pathname} = new URL(request.url ?? '', 'http://engine');
		if (pathname === '/info') return void response.end(JSON.stringify({ID: id}));
		response.statusCode = breaks ? 500 : 200;
		const one = [{Name: 'one', Labels: {}}];
		const own = pathname.startsWith(`/${has}`) ? one : [];
		response.end(JSON.stringify(pathname === '/volumes' ? {Volumes: own} : own));
	});
}

/** An agent's folder, with an instance that has run if it is said to. */
async function openKept(hasBegun: boolean) {
	const folder = openFolder();
	const own = join(folder.path, 'instances', '7');
	mkdirSync(own, {recursive: true});
	const record = {...newRecord(), boot: 1, container: 1, hostKey: hasBegun ? 'a key' : ''};
	await writeRecord(join(own, 'instance.json'), record);
	mkdirSync(join(own, 'pipes'));
	return folder;
}

type Named = {readonly path: string};

/** The environment of a machine with two engines, the second of which is found last. */
function environmentOf(folder: Named, first: Named, second: Named) {
	const own = join(folder.path, 'run');
	mkdirSync(join(own, 'podman'), {recursive: true});
	symlinkSync(first.path, join(own, 'docker.sock'));
	symlinkSync(second.path, join(own, 'podman', 'podman.sock'));
	return {XDG_RUNTIME_DIR: own};
}

const alone = ({path}: Named) => ({DOCKER_HOST: `unix://${path}`});

/** ID of the engine that is taken, or the reason why none is. */
async function takenIn({path}: Named, environment: Readonly<Record<string, string>>) {
	const {engine, strangers} = await chooseEngine(path, environment);
	if (engine === undefined) return `none of ${strangers.length}`;
	const about = await engine.ask({method: 'GET', path: '/info'});
	await engine.close();
	return about;
}

test.each(['containers', 'volumes', 'networks'] as const)(
	'the engine that has %s of a folder is taken, whichever is found first',
	async has => {
		using folder = openFolder();
		await using first = await openEngineWith('first', 'nothing');
		await using second = await openEngineWith('second', has);
		expect(await takenIn(folder, environmentOf(folder, first, second))).toEqual({ID: 'second'});
	},
);

test('an engine without what a folder keeps is not taken, also where it is the only one', async () => {
	using kept = await openKept(true);
	await using other = await openEngineWith('other', 'nothing');
	expect(await takenIn(kept, alone(other))).toBe('none of 1');
	// It was set up anew, or its disk is not mounted.
	await using own = await openEngineWith('own', 'containers');
	expect(await takenIn(kept, alone(own))).toEqual({ID: 'own'});
	await using empty = await openEngineWith('own', 'nothing');
	expect(await takenIn(kept, alone(empty))).toBe('none of 1');
});

test('an instance that never had a container keeps no engine from being taken, but for another one', async () => {
	using kept = await openKept(false);
	await using own = await openEngineWith('own', 'nothing');
	await using other = await openEngineWith('other', 'nothing');
	expect(await takenIn(kept, alone(own))).toEqual({ID: 'own'});
	expect(await takenIn(kept, alone(own))).toEqual({ID: 'own'});
	expect(await takenIn(kept, alone(other))).toBe('none of 1');
	expect(await takenIn(kept, environmentOf(kept, other, own))).toEqual({ID: 'own'});
});

test('an engine that does not say what it has counts as no empty one, and keeps from no other', async () => {
	using kept = await openKept(false);
	await using broken = await openEngineWith('broken', 'nothing', true);
	await expect(takenIn(kept, alone(broken))).rejects.toThrow('[]');
	await using own = await openEngineWith('own', 'volumes');
	expect(await takenIn(kept, environmentOf(kept, broken, own))).toEqual({ID: 'own'});
});
