import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {openTestConsole} from '../helpers/console/console.ts';
import {openRecordedService, recordedNames} from '../helpers/services/recorded-services.ts';

/** Signs of a value that was taken for something else. */
const nonsense = /\bNaN\b|undefined|\[object|Infinity|Invalid time|null\b.*\$|e\+\d|-\$/;

/** What is said, without what is repeated of records that cannot be read. */
function spoken(text: string): string {
	const lines = text.split('\n').filter(line => !/could not be read|They are number/.test(line));
	return lines.join('\n').replaceAll(/x{20,}/g, '');
}

const readings: ReadonlyArray<readonly string[]> = [
	['offers', 'any'],
	['offers', 'any', '--limit', '2'],
	['templates'],
	['keys'],
	['ps'],
	['ps', '7'],
	['ssh', '4711001', '--print'],
	['logs', '4711001'],
	['doctor'],
	['stop', '4711001'],
	['start', '4711001'],
	['destroy', '4711001'],
	['sweep', '--every', '0.01'],
	['rent', 'any', '--image', 'ubuntu:24.04'],
];

test.for(recordedNames)(
	'every command reads the service %s, and says nothing that is nonsense',
	async name => {
		for (const isTerminal of [true, false]) {
			await using service = await openRecordedService(name);
			const run = commandsOf(service, {isTerminal});
			for (const [command = '', ...words] of readings) {
				const {out, err, code} = await run(command, ...words);
				expect([command, code]).toEqual([command, expect.toBeOneOf([0, 1, 2, 3, 4, 6, 7])]);
				expect(spoken(out + err)).not.toMatch(nonsense);
				const json = await run(command, ...words, '--json');
				expect(json.out + json.err).not.toMatch(/Invalid time|TypeError|RangeError/);
				if (command !== 'logs') jsonOf(json);
			}
			const changes = service.asked.filter(call => /^(?:DELETE|PUT)/.test(call));
			expect(changes.filter(call => !call.includes('request_logs'))).toEqual([]);
		}
	},
);

test.for(recordedNames)(
	'every screen draws the service %s, and nothing that is nonsense',
	async name => {
		for (const size of [
			{columns: 80, rows: 24},
			{columns: 140, rows: 40},
		]) {
			await using service = await openRecordedService(name);
			await using rentty = openTestConsole({service, ...size});
			const shows = async (keys: string, seen: RegExp) => {
				rentty.type(keys);
				const shown = await rentty.sees(seen);
				expect(shown).not.toMatch(nonsense);
			};
			await shows('1', /1 of \d/);
			await shows('\r', /Offers > /);
			await shows('2', /1 of \d+|of \d+/);
			await shows('\r', /Instances > \d/);
			for (let page = 0; page < 8; page++) await shows(']', /Instances > \d/);
			await shows('3', /Templates/);
			await shows('\r', /Templates/);
			await shows('4', /\[4 Keys\]/);
			await shows('5', /\[5 Activity\]/);
			await shows('6', /\[6 Profiles\]/);
		}
	},
);

test('a fresh instance with ten days left is loading for two minutes, and no sweep sends anything', async () => {
	await using service = await openRecordedService('documented');
	const run = commandsOf(service);
	const ps = await run('ps', '7', '--json');
	expect(jsonOf(ps)).toMatchObject([{id: 7, condition: 'loading', age_seconds: 120}]);
	const sweep = await run('sweep', '--yes', '--every', '0.01');
	expect(sweep.code).toBe(0);
	expect(sweep.err).not.toContain('stuck 10d');
	expect(service.asked.filter(call => call.startsWith('DELETE'))).toEqual([]);
});

test('the documented record was made 378 seconds before what its end and the time left say together', async () => {
	await using service = await openRecordedService('documented');
	const [record] = jsonOf(await commandsOf(service)('ps', '4711001', '--json'));
	const ends = Date.parse(String(record?.['ends'])) / 1000;
	const made = Date.parse(String(record?.['made'])) / 1000;
	expect(ends - 864_000).toBe(made + 378);
});

test('all sixty instances of a service whose v0 is gone are listed, each page once', async () => {
	await using service = await openRecordedService('paged');
	const ran = await commandsOf(service)('ps', '--json');
	expect([jsonOf(ran).length, ran.err]).toEqual([60, '']);
	expect(service.asked).toEqual(Array.from({length: 3}, () => 'GET /api/v1/instances/'));
});

test('of a v0 that answers a part nothing is concluded, and an instance behind it is found by its record', async () => {
	await using service = await openRecordedService('silent');
	const run = commandsOf(service);
	expect(jsonOf(await run('ps', '--json'))).toHaveLength(25);
	expect(jsonOf(await run('ps', '4711060', '--json'))).toMatchObject([{label: 'job-60'}]);
	const gone = await run('destroy', '4711060', '--yes', '--json');
	expect(jsonOf(gone)).toMatchObject([{id: 4_711_060, outcome: 'gone'}]);
	expect(service.asked).toContain('DELETE /api/v0/instances/4711060/');
});

test('records that cannot be read are counted, and all others are listed', async () => {
	await using service = await openRecordedService('odd');
	const run = commandsOf(service);
	for (const command of ['ps', 'offers', 'templates']) {
		const {err, out} = await run(command, ...(command === 'offers' ? ['any'] : []), '--json');
		expect(err).toMatch(/\d+ of 40 .*could not be read/);
		expect(out).not.toBe('');
	}
});

test('of records with one odd field none is left out, and they can be stopped and destroyed', async () => {
	await using service = await openRecordedService('one-odd-field');
	const run = commandsOf(service);
	const listed = await run('ps', '--json');
	const ids = jsonOf(listed).map(({id}) => String(id));
	expect(ids.length).toBeGreaterThan(200);
	expect(listed.err).not.toContain('could not be read');
	const templates = await run('templates', '--limit', '1000', '--json');
	expect([jsonOf(templates).length, templates.err]).toEqual([42, '']);
	const some = ids.filter((_, index) => index % 40 === 0);
	expect((await run('stop', ...some, '--yes')).code).toBe(0);
	expect(service.asked.filter(call => call.startsWith('PUT'))).toHaveLength(some.length);
	const destroyed = jsonOf(await run('destroy', ...some, '--yes', '--json'));
	expect(destroyed.filter(({outcome}) => outcome === 'gone')).toHaveLength(some.length);
});

test('the first of sixty instances is on the screen with how many there are', async () => {
	await using service = await openRecordedService('paged');
	await using rentty = openTestConsole({service});
	rentty.type('2');
	await rentty.sees('60 instances');
	await rentty.sees('1 of 60');
});
