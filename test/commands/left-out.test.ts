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
	const says = {listed: [record] as readonly unknown[], shown: gone as Answer};
	const service = await openToldService(({url = ''}, response) => {
		const {listed: instances, shown} = says;
		const isList = url.startsWith('/api/v1/instances/');
		const whole = {success: true, total_instances: instances.length, next_token: null, instances};
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
