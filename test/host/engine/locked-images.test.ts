/** Images that were pulled with a login, which nobody else has without one. */
import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openEngine} from '../../../source/host/engine/engine.ts';
import {obtainImage} from '../../../source/host/engine/images.ts';
import {openPulledImages} from '../../../source/host/engine/pulled-images.ts';
import {openFolder} from '../../helpers/folder.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {openPretender} from '../../helpers/services/pretender.ts';

const ignore = () => undefined;

/** An engine that has all images, and a registry that lets in whoever logs in. */
async function openRegistry() {
	const pretender = await openPretender((request, response) => {
		const isPull = request.url?.startsWith('/images/create') === true;
		const isLetIn = !isPull || request.headers['x-registry-auth'] !== undefined;
		response.end(JSON.stringify(isLetIn ? {RepoDigests: ['it']} : {error: 'unauthorized'}));
	});
	const folder = openFolder();
	const engine = await openEngine(pretender.path);
	const pulled = openPulledImages({
		engine,
		folder: folder.path,
		kept: [],
		log: ignore,
		now: () => 0,
		free: async () => 1,
	});
	return {
		folder: folder.path,
		/** Obtains an image, and returns its name or the reason why not. */
		obtain: async (name: string, login = '') =>
			obtainImage(engine, {
				image: `203.0.113.7:5000/${name}:1`,
				login,
				allowsLocal: true,
				folder: folder.path,
				pulled,
				onProgress: ignore,
				log: ignore,
				signal: new AbortController().signal,
				scheduler: createHandScheduler(),
				random: () => 0,
			}).then(image => image.name, String),
		async [Symbol.asyncDispose]() {
			await engine.close();
			await pretender[Symbol.asyncDispose]();
			folder[Symbol.dispose]();
		},
	};
}

test('images that are pulled with logins at once are all had by nobody without', async () => {
	await using registry = await openRegistry();
	const names = ['one', 'two', 'three', 'four'];
	await Promise.all(names.map(async name => registry.obtain(name, '-u me -p secret')));
	for (const name of names) expect(await registry.obtain(name)).toContain('asks for a login');
	expect(await registry.obtain('open')).toBe('203.0.113.7:5000/open:1');
});

test('nobody has an image while the list of those with a login cannot be read', async () => {
	await using registry = await openRegistry();
	const list = join(registry.folder, 'locked-images.json');
	mkdirSync(list);
	const why = 'Error: the machine cannot read which images need a login';
	expect(await registry.obtain('one')).toBe(why);
	expect(await registry.obtain('one', '-u me -p secret')).toBe(why);
	rmSync(list, {recursive: true});
	expect(await registry.obtain('one', '-u me -p secret')).toBe('203.0.113.7:5000/one:1');
	expect(await registry.obtain('one')).toContain('asks for a login');
});
