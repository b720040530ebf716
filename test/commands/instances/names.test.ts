import {expect, test} from 'vitest';
import {commands} from '../../../source/commands/index.ts';
import {exitCodes} from '../../../source/commands/base/failure.ts';
import {commandsOf} from '../../helpers/commands/commands.ts';
import {openFolder} from '../../helpers/folder.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openToldService} from '../../helpers/services/told-service.ts';

const made = {
	actual_status: 'running',
	intended_status: 'running',
	cur_state: 'running',
	start_date: TEST_NOW - 3600,
};
/** One without a label, and one whose label is the number of none. */
const fleet = [
	{...made, id: 7, label: null},
	{...made, id: 8, label: '1599'},
	{...made, id: 9, label: 'train'},
];

type Made = typeof made & {readonly id: number; readonly label: string | null};

const lost = {success: false, error: 'no_such_instance', msg: 'It is gone.'};

/** A service of some instances, whose list can fail, and what it was asked to change. */
async function openService() {
	const state = {records: new Map<number, Made>(fleet.map(one => [one.id, one])), listStatus: 200};
	const writes: string[] = [];
	const list = () => {
		const instances = [...state.records.values()];
		return {success: true, total_instances: instances.length, next_token: null, instances};
	};
	function read(id: number): readonly [status: number, body: unknown] {
		if (Number.isNaN(id)) return [state.listStatus, list()];
		const instances = state.records.get(id);
		return instances === undefined ? [404, lost] : [200, {instances}];
	}
	const service = await openToldService(({url = '', method = ''}, response) => {
		const id = Number(/\/instances\/(\d+)\/$/.exec(url)?.[1]);
		if (method !== 'GET') writes.push(`${method} ${url}`);
		if (method === 'DELETE') state.records.delete(id);
		const [status, body] = method === 'GET' ? read(id) : [200, {success: true}];
		response.setHeader('date', new Date(TEST_NOW * 1000).toUTCString());
		response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body));
	});
	return {...service, key: 'k', clock: {now: () => TEST_NOW}, state, writes};
}

/** How each command that takes names of instances is given one; a new command has to be here. */
const calls: Readonly<{[command: string]: (name: string) => readonly string[]}> = {
	ps: name => [name],
	ssh: name => [name, '--', 'true'],
	exec: name => [name, '--', 'true'],
	cp: name => [`${name}:/etc/hostname`, '.'],
	logs: name => [name],
	run: name => [name],
	start: name => [name, '--yes'],
	stop: name => [name, '--yes'],
	destroy: name => [name, '--yes'],
	lease: name => [name, '--for', '1h'],
	prepay: name => [name, '5', '--yes'],
	doctor: name => [name],
};

test('each command that takes names of instances is tried with odd ones', () => {
	const named = commands.filter(({names}) => names === 'instances').map(({name}) => name);
	expect(Object.keys(calls).toSorted()).toEqual(named.toSorted());
});

/** Commands that take no empty name for one that was left out. */
const withNames = Object.entries(calls).filter(([name]) => name !== 'cp');

test.for(
	withNames.flatMap(([command, words]) => ['', ' ', ','].map(name => ({command, name, words}))),
)('$command takes no empty name "$name", and changes nothing', async ({command, name, words}) => {
	await using service = await openService();
	const {code, err} = await commandsOf(service)(command, ...words(name));
	expect([code, err]).toEqual([exitCodes.usage, expect.stringMatching(/empty|needs/)]);
	expect(service.writes).toEqual([]);
});

test.for(Object.entries(calls))(
	'%s takes digits for an id and nothing else',
	async ([command, words]) => {
		await using service = await openService();
		const {code, err} = await commandsOf(service)(command, ...words('1599'));
		expect(code).toBe(exitCodes.notFound);
		expect(err).toContain('There is no instance 1599: rentty ps lists all.');
		expect(err).toContain('The label 1599 is meant by label=1599.');
		expect(service.writes).toEqual([]);
	},
);

test('a label of digits is meant by label=, and an instance without a label by its id', async () => {
	await using service = await openService();
	const run = commandsOf(service);
	expect((await run('destroy', 'label=1599', '--yes')).code).toBe(exitCodes.fine);
	expect(service.writes.at(-1)).toMatch(/^DELETE .*\/8\/$/);
	expect((await run('destroy', '7', '--yes')).code).toBe(exitCodes.fine);
	expect(service.writes.at(-1)).toMatch(/^DELETE .*\/7\/$/);
});

test('one empty name among others changes nothing', async () => {
	await using service = await openService();
	expect((await commandsOf(service)('destroy', '9', '', '--yes')).code).toBe(exitCodes.usage);
	expect(service.writes).toEqual([]);
});

test('an instance is destroyed by its id where no list can be read', async () => {
	await using service = await openService();
	service.state.listStatus = 500;
	using folder = openFolder();
	const ran = await commandsOf(service, {folder: folder.path})(
		'destroy',
		'9',
		'--yes',
		'--wait',
		'1',
	);
	expect(service.writes).toEqual([expect.stringMatching(/^DELETE .*\/9\/$/)]);
	// Its record is gone, but no list agrees.
	expect(ran.code).toBe(exitCodes.timedOut);
	const {code, err} = await commandsOf(service)('destroy', 'train', '--yes');
	expect([code, err]).toEqual([exitCodes.failed, expect.stringContaining('500')]);
	expect(service.writes).toHaveLength(1);
});

const changes: ReadonlyArray<readonly [what: string, change: Partial<Made>, says: string]> = [
	['an id that is another instance now', {start_date: TEST_NOW - 5}, 'was started anew meanwhile'],
	['another label', {label: 'prod'}, 'label was train, and is prod now'],
];

test.for(changes.flatMap(change => ['destroy', 'stop'].map(command => ({command, change}))))(
	'$command does not end what changed while its question stood: $change.0',
	async ({command, change: [, change, says]}) => {
		await using service = await openService();
		const one: Made = {...made, id: 9, label: 'train', ...change};
		const answers = command === 'stop' ? 'y\n' : 'destroy\n';
		const run = commandsOf(service, {
			answers,
			onSaid: () => service.state.records.set(9, one),
		});
		const {code, out} = await run(command, '9');
		expect([code, out]).toEqual([exitCodes.failed, expect.stringContaining(says)]);
		expect(service.writes).toEqual([]);
	},
);

test('exec takes all before -- for names, and nothing else for the command', async () => {
	await using service = await openService();
	const run = commandsOf(service);
	const {out, err} = await run('exec', '7', 'train', '--', 'true');
	expect(`${out}${err}`).toMatch(/^7 +not run/m);
	expect(`${out}${err}`).toMatch(/^9 train +not run/m);
	for (const words of [
		['7', 'train'],
		['7', 'true', '--'],
		['--', 'true'],
	]) {
		expect(await run('exec', ...words)).toMatchObject({
			code: exitCodes.usage,
			err: 'rentty: rentty exec needs names of instances, and behind -- a command.\n',
		});
	}
});

test('a command for one instance is offered labels that are near, and no states', async () => {
	await using service = await openService();
	const run = commandsOf(service);
	expect((await run('ssh', 'stoped')).err).toBe(
		'rentty: There is no instance stoped: rentty ps lists all.\n',
	);
	expect((await run('ssh', 'trian')).err).toContain('Did you mean train?');
	expect((await run('stop', 'stoped', '--yes')).err).toContain('Did you mean stopped?');
});
