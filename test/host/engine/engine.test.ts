import {expect, test} from 'vitest';
import {waitForContainerEnd} from '../../../source/host/engine/container-calls.ts';
import {openEngine, findEngines, socketPaths} from '../../../source/host/engine/engine.ts';
import {openPretender} from '../../helpers/services/pretender.ts';

const question = {method: 'GET', path: '/x'} as const;

test.each([
	['{"message":"no such container: x"}', 'no such container: x'],
	['{"cause":"gone","response":404}', 'gone'],
	['not JSON\u001b[31m at\nall', 'not JSON [31m at all'],
	['', 'it does not say why'],
])('a refusal is told in its own words, on one line: %j', async (body, words) => {
	await using pretender = await openPretender((_, response) => {
		response.statusCode = 404;
		response.end(body);
	});
	const engine = await openEngine(pretender.path);
	await expect(engine.ask(question)).rejects.toMatchObject({message: words, status: 404});
	await expect(engine.converse(question)).rejects.toMatchObject({message: words, status: 404});
	await engine.close();
});

test('an answer that is cut off or silent is no answer, and is not waited for in vain', async () => {
	await using pretender = await openPretender((request, response) => {
		if (request.url === '/silent') return;
		response.writeHead(200, {'content-length': 100});
		response.write('{"half":');
		response.destroy();
	});
	const engine = await openEngine(pretender.path);
	await expect(engine.ask(question)).rejects.toBeInstanceOf(Error);
	const silent = {...question, path: '/silent', patienceMs: 50};
	await expect(engine.ask(silent)).rejects.toMatchObject({status: undefined});
	await expect(engine.converse(silent)).rejects.toMatchObject({status: undefined});
	await engine.close();
});

test('an engine that forgets to tell of an end is asked again after a while', async () => {
	const asked: Array<string | undefined> = [];
	await using pretender = await openPretender(({url}) => void asked.push(url));
	const engine = await openEngine(pretender.path);
	await waitForContainerEnd(engine, 'one', new AbortController().signal, 50);
	expect(asked).toEqual(['/containers/one/wait']);
	await expect(waitForContainerEnd(engine, 'one', AbortSignal.abort(), 50)).rejects.toThrow(
		'abort',
	);
	await engine.close();
});

test('values come a line each, however they are cut, and rubbish among them is nothing', async () => {
	await using pretender = await openPretender((_, response) => {
		response.write('{"a":1}\n{"a"');
		response.write(':2}\r\n\nrubbish\n{"a":');
		response.end('3}');
	});
	const engine = await openEngine(pretender.path);
	const values: unknown[] = [];
	await engine.values(question, value => values.push(value));
	expect(values).toEqual([{a: 1}, {a: 2}, undefined, {a: 3}]);
	await engine.close();
});

test('a line without end is not kept', async () => {
	await using pretender = await openPretender((_, response) => {
		response.write('x'.repeat(3_000_000));
	});
	const engine = await openEngine(pretender.path);
	await expect(engine.values(question, () => undefined)).rejects.toThrow('speaks nonsense');
	await engine.close();
});

test('an answer that is sent along ends where there is no more room for it', async () => {
	let arrived = 0;
	await using pretender = await openPretender((request, response) => {
		if (request.method === 'GET') return void response.end(Buffer.alloc(5_000_000));
		request.on('data', (part: Buffer) => (arrived += part.length));
		request.on('end', () => response.end('{"done":true}'));
	});
	const engine = await openEngine(pretender.path);
	const to = {method: 'POST', path: '/y'} as const;
	const values: unknown[] = [];
	const along = async (mostBytes: number) =>
		engine.pipe({...question, mostBytes}, to, value => values.push(value));
	await along(5_000_000);
	expect([arrived, values]).toEqual([5_000_000, [{done: true}]]);
	await expect(along(1_000_000)).rejects.toThrow('larger than there is room for');
	expect(arrived).toBeLessThanOrEqual(6_000_000);
	await engine.close();
});

test('an engine is looked for where it is named, and nowhere else then', async () => {
	const own = {XDG_RUNTIME_DIR: '/run/user/1000'};
	expect(socketPaths(own, 1000)).toEqual([
		'/var/run/docker.sock',
		'/run/user/1000/docker.sock',
		'/run/user/1000/podman/podman.sock',
	]);
	expect(socketPaths({}, 0)).toContain('/run/podman/podman.sock');
	expect(socketPaths({...own, DOCKER_HOST: 'unix:///x.sock'}, 0)).toEqual(['/x.sock']);
	expect(socketPaths({DOCKER_HOST: 'tcp://10.0.0.1:2375'}, 0)).toEqual([]);
});

test('an engine that answers is found, and a socket that nobody has is passed over', async () => {
	await using pretender = await openPretender((_, response) => void response.end());
	const [found, ...others] = await findEngines({DOCKER_HOST: `unix://${pretender.path}`});
	expect(found?.name).toBe('Docker 28.2.2');
	expect(others).toEqual([]);
	await found?.close();
	expect(await findEngines({DOCKER_HOST: 'unix:///nowhere.sock'})).toEqual([]);
});
