import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../helpers/commands.ts';
import {openFolder} from '../helpers/folder.ts';
import {TEST_NOW} from '../helpers/market.ts';
import {openToldService} from '../helpers/told-service.ts';

type Answer = {readonly status: number; readonly body: unknown};

const record = {id: 7, label: 'train', actual_status: 'running', start_date: TEST_NOW - 3600};
const gone = {status: 404, body: {success: false, error: 'no_such_instance', msg: 'It is gone.'}};

/** A service whose list, and whose record of instance 7, say what a test wants. */
async function openService() {
	const says = {listed: [record] as readonly unknown[] | undefined, shown: gone as Answer};
	const service = await openToldService(({url = ''}, response) => {
		const {listed: instances, shown} = says;
		const isList = url.startsWith('/api/v1/instances/') && instances !== undefined;
		const total_instances = instances?.length;
		const whole = {success: true, total_instances, next_token: null, instances};
		const {status, body} = isList ? {status: 200, body: whole} : shown;
		response.setHeader('date', new Date(TEST_NOW * 1000).toUTCString());
		response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body));
	});
	return {...service, key: 'k', clock: {now: () => TEST_NOW}, says};
}

test('what the run before listed is there for as long as its record says so', async () => {
	await using service = await openService();
	using folder = openFolder();
	const run = commandsOf(service, {folder: folder.path});
	await run('ps');
	service.says.listed = [];
	service.says.shown = {status: 200, body: {instances: record}};
	expect(jsonOf(await run('ps', '--json'))).toMatchObject([{id: 7, label: 'train'}]);
	expect((await run('ps')).out).toContain('7\ttrain\trunning');
});

test('of what the run before listed nothing is concluded where its record cannot be read', async () => {
	await using service = await openService();
	using folder = openFolder();
	const run = commandsOf(service, {folder: folder.path});
	await run('ps');
	service.says.listed = [];
	service.says.shown = {status: 503, body: {}};
	for (const _ of [1, 2]) {
		const {err} = await run('ps');
		expect(err).toContain('The list leaves out 7, and no record could be read');
		expect(err).not.toContain('Nothing is rented');
	}
	service.says.shown = gone;
	expect((await run('ps')).err).toContain('Nothing is rented, and nothing is charged');
});

test('nothing is rented where a list and the record of what was there agree', async () => {
	await using service = await openService();
	using folder = openFolder();
	const run = commandsOf(service, {folder: folder.path});
	await run('ps');
	service.says.listed = [];
	expect((await run('ps')).err).toContain('Nothing is rented, and nothing is charged');
});

test('a list that answers 404, of whatever, does not say that nothing is rented, or gone', async () => {
	for (const error of ['no_such_instance', 'not_found']) {
		await using service = await openService();
		using folder = openFolder();
		const run = commandsOf(service, {folder: folder.path});
		await run('ps');
		service.says.listed = undefined;
		service.says.shown = {status: 404, body: {success: false, error, msg: 'It is not here.'}};
		for (const words of [['ps'], ['ps', '7'], ['sweep', '--yes'], ['stop', '7', '--yes']]) {
			const [command = '', ...others] = words;
			const {code, out, err} = await run(command, ...others);
			expect([command, code]).toEqual([command, 1]);
			expect(out + err).not.toMatch(/is rented|gone/i);
			expect(err).toContain('404');
		}
	}
});
