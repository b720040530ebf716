import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient, type Client} from '../../source/client/client.ts';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {openFolder} from '../helpers/folder.ts';
import {TEST_NOW} from '../helpers/market/market.ts';
import {openToldService} from '../helpers/services/told-service.ts';

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
	return {...service, key: 'key-of-this-test', clock: {now: () => TEST_NOW}, says};
}

type Service = Awaited<ReturnType<typeof openService>>;

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

/** Rents instance 7, of which neither list nor record knows. */
async function rentUnshown({url, key, says, clock}: Service, state: string): Promise<Client> {
	const now = () => clock.now() * 1000;
	const file = (name: string) => join(state, 'rentty', name);
	const files = {pendingRentsFile: file('wishes.json'), journalFile: file('journal.jsonl')};
	const client = openClient({url, key, now, ...files, paceScale: 0, repeats: 0});
	says.listed = [];
	says.shown = {status: 200, body: {success: true, new_contract: 7}};
	const outcome = await client.instances.rent(5, {image: 'ubuntu:24.04', disk: 16});
	expect(outcome).toMatchObject({outcome: 'created', id: 7});
	if (outcome.outcome === 'created') await client.pendingRents.markReported(outcome.pending);
	says.shown = gone;
	return client;
}

test('what was rented a moment ago may be charged where the service does not show it, unless it has ended', async () => {
	await using service = await openService();
	using folder = openFolder();
	const client = await rentUnshown(service, folder.path);
	const run = commandsOf(service, {folder: folder.path});
	for (const command of ['ps', 'ps']) {
		const {err} = await run(command);
		expect(err).toContain('does not show it so far: it may be charged, unless ended by now.');
		expect(err).not.toContain('Nothing is rented');
	}
	const ended = await run('destroy', '7', '--yes');
	expect(ended).toMatchObject({code: 6, out: ''});
	expect(ended.err).toContain('7 was rented a moment ago, and the service does not show it so far');
	await client.close();
});

test('what was rented and destroyed from here is gone where no record shows it', async () => {
	await using service = await openService();
	using folder = openFolder();
	const client = await rentUnshown(service, folder.path);
	service.says.shown = {status: 200, body: {success: true}};
	await client.instances.destroy(7);
	service.says.shown = gone;
	const run = commandsOf(service, {folder: folder.path});
	expect((await run('ps')).err).toContain('Nothing is rented, and nothing is charged');
	await client.close();
});

test('what was rented long ago is gone where no record shows it', async () => {
	await using service = await openService();
	using folder = openFolder();
	const client = await rentUnshown(service, folder.path);
	const file = join(folder.path, 'rentty', 'wishes.json');
	const kept = await readFile(file, 'utf8');
	await writeFile(file, kept.replace(/"created","at":\d+/, '"created","at":1000'));
	const run = commandsOf(service, {folder: folder.path});
	expect((await run('ps')).err).toContain('Nothing is rented, and nothing is charged');
	await client.close();
});

const alike = {gpu_name: 'RTX 4090', num_gpus: 1, dph_total: 0.4};

test.each([
	[
		'carries the mark of the rent',
		true,
		{},
		/The service made 8 of the same order, which costs \$0\.4000\/h more: rentty destroy 8 ends it\./,
	],
	[
		'is alike where no mark is shown',
		false,
		{},
		/8 may be of the same order, .* Unless somebody else rented, rentty destroy 8 ends it\./,
	],
	['has another label', false, {label: 'other'}, undefined],
	['was made earlier', false, {start_date: TEST_NOW - 600}, undefined],
	['is of another kind', false, {gpu_name: 'H100'}, undefined],
] as const)(
	'an instance that comes late and %s is named by each command',
	async (_, isMarked, other, words) => {
		await using service = await openService();
		using folder = openFolder();
		const client = await rentUnshown(service, folder.path);
		const [rent] = await client.pendingRents.all();
		const extra_env = isMarked ? [['RENTTY_WISH', rent?.token]] : [];
		const own = {...record, ...alike, label: '', start_date: TEST_NOW, extra_env};
		service.says.listed = [own, {...own, id: 8, ...other}];
		service.says.shown = {status: 200, body: {instances: own}};
		const run = commandsOf(service, {folder: folder.path});
		for (const line of [
			['ps'],
			['ps', '--json'],
			['stop', '7', '--yes', '--no-wait'],
			['sweep', '--yes'],
		]) {
			const [name = '', ...argv] = line;
			const {err} = await run(name, ...argv);
			if (words === undefined) expect(err).not.toContain('same order');
			else expect(err).toMatch(words);
		}
		await client.close();
	},
);

test('of what words ask for, fewer than there may be is not all', async () => {
	await using service = await openService();
	const dead = {...record, label: 'train', actual_status: 'exited', intended_status: 'running'};
	service.says.listed = [dead, {label: 'no id'}];
	service.says.shown = {status: 200, body: {success: true, instances: dead}};
	const run = commandsOf(service);
	for (const [name, words] of [
		['stop', 'label~train'],
		['stop', '7'],
		['sweep', ''],
	] as const) {
		const {code, err} = await run(name, ...(words === '' ? [] : [words]), '--yes', '--no-wait');
		expect([name, words, code]).toEqual([name, words, words === '7' ? 0 : 7]);
		expect(err).toContain('1 of 2 instances could not be read');
	}
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
