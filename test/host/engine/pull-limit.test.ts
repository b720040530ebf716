import {expect, test} from 'vitest';
import {openEngine} from '../../../source/host/engine/engine.ts';
import {obtainImage} from '../../../source/host/engine/images.ts';
import {longestPull} from '../../../source/host/engine/pull-limit.ts';
import {openPulledImages} from '../../../source/host/engine/pulled-images.ts';
import {openFolder} from '../../helpers/folder.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {openPretender} from '../../helpers/services/pretender.ts';

const ignore = () => undefined;

/** A pull of an engine whose registry names a size, and then sends nothing more. */
async function beginPull(bytes: number | undefined) {
	const pretender = await openPretender((request, response) => {
		if (request.url?.startsWith('/images/create') !== true) {
			response.statusCode = 404;
			response.end('{"message":"no such image"}');
			return;
		}
		const layer = {id: 'a', status: 'Downloading', progressDetail: {current: 1, total: bytes}};
		response.write(`${JSON.stringify(bytes === undefined ? {} : layer)}\n`);
	});
	const folder = openFolder();
	const engine = await openEngine(pretender.path);
	const scheduler = createHandScheduler();
	const told: string[] = [];
	const leaving = new AbortController();
	const pulled = openPulledImages({
		engine,
		folder: folder.path,
		kept: [],
		log: ignore,
		now: () => 0,
		free: async () => 1,
	});
	const ended = obtainImage(engine, {
		image: '203.0.113.7:5000/slow:1',
		login: '',
		allowsLocal: true,
		folder: folder.path,
		pulled,
		onProgress: message => told.push(message),
		log: ignore,
		signal: leaving.signal,
		scheduler,
		random: () => 0,
	}).then(
		() => 'pulled',
		(error: unknown) => String(error),
	);
	await expect.poll(() => told.length).toBeGreaterThanOrEqual(bytes === undefined ? 1 : 2);
	return {
		ended,
		leaving,
		pass: scheduler.pass,
		planned: scheduler.planned,
		async [Symbol.asyncDispose]() {
			await engine.close();
			await pretender[Symbol.asyncDispose]();
			folder[Symbol.dispose]();
		},
	};
}

const tooSlow =
	'CannotStart: Image 203.0.113.7:5000/slow:1 cannot be pulled: its registry is too slow, and the GPUs that wait for it are given back';

test.each([
	['of unknown size', undefined, 3600],
	['of 2 GB', 2e9, 5600],
	['of a size that no line brings in a day', 1e18, 86_400],
])('a pull %s is given up by its size', async (_, bytes, seconds) => {
	expect(longestPull(bytes ?? 0)).toBe(seconds);
	await using pull = await beginPull(bytes);
	await pull.pass(seconds - 1);
	expect(pull.planned()).toBe(1);
	await pull.pass(1);
	expect(await pull.ended).toBe(tooSlow);
	expect(pull.planned()).toBe(0);
});

test('a pull that its instance ends is not called slow', async () => {
	await using pull = await beginPull(2e9);
	pull.leaving.abort();
	expect(await pull.ended).toMatch(/^AbortError/);
	expect(pull.planned()).toBe(0);
});
