import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {LEAST, doctor} from '../../../source/commands/doctor/doctor.ts';
import {runCommand, type CommandSetup} from '../../../source/commands/run.ts';
import {LEAST_COLUMNS, LEAST_ROWS} from '../../../source/console/ui/chrome.ts';
import {jsonOf, worldOf} from '../../helpers/commands/commands.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openTestMarket} from '../../helpers/market/market.ts';

type Service = Parameters<typeof worldOf>[0];

/** What the doctor finds, by what it is about. */
async function examine(service: Service, folder: string, world: Partial<CommandSetup> = {}) {
	const stdout = new PassThrough();
	let out = '';
	stdout.on('data', (data: Buffer) => (out += data.toString()));
	const streams = {stdin: new PassThrough(), stdout, stderr: new PassThrough()};
	const whole = {...worldOf(service, {folder}), ...streams, ...world};
	const code = await runCommand(doctor, ['--json'], whole);
	const findings = jsonOf({code, out, err: ''});
	return {code, about: (what: string) => findings.find(({about}) => about === what)};
}

test('where all is well the doctor ends with 0 and asks for nothing to be done', async () => {
	await using market = await openTestMarket({offers: 3});
	using folder = openFolder();
	const {code, about} = await examine(market, folder.path);
	expect(code).toBe(0);
	expect(about('answer')).toMatchObject({verdict: 'ok'});
	expect(about('program')).toMatchObject({verdict: 'ok', advice: null});
	expect(about('clock')).toMatchObject({verdict: 'ok'});
	expect(about('ssh keys')?.['advice']).toContain('rentty keys add');
});

test('a key that is not accepted is said with what to do, and ends with 3', async () => {
	await using market = await openTestMarket({offers: 3});
	using folder = openFolder();
	const {code, about} = await examine({url: market.url, key: 'no-such-key'}, folder.path);
	expect(code).toBe(3);
	expect(about('answer')).toMatchObject({verdict: 'wrong'});
	expect(about('answer')?.['advice']).toContain('Give it another key');
});

test('a clock that is an hour off is wrong, and by how much', async () => {
	await using market = await openTestMarket({offers: 3});
	using folder = openFolder();
	const {code, about} = await examine(market, folder.path, {
		now: () => (market.clock.now() - 3600) * 1000,
	});
	expect(code).toBe(1);
	expect(about('clock')).toMatchObject({verdict: 'wrong'});
	expect(about('clock')?.['says']).toMatch(/^3(599|600|601) s behind that of the service$/);
});

test('a file of secrets that others can read is wrong, with the command that mends it', async () => {
	await using market = await openTestMarket({offers: 3});
	using folder = openFolder();
	mkdirSync(join(folder.path, 'rentty'), {mode: 0o700});
	const file = join(folder.path, 'rentty', 'profiles.json');
	writeFileSync(file, '{}', {mode: 0o644});
	const {code, about} = await examine(market, folder.path);
	expect(code).toBe(1);
	expect(about('secret')).toMatchObject({verdict: 'wrong', advice: `chmod 600 ${file}`});
});

test('the doctor wants a terminal as large as the console does', () => {
	expect(LEAST).toEqual({columns: LEAST_COLUMNS, rows: LEAST_ROWS});
});

test('what rentty keeps is listed with what it is for', async () => {
	await using market = await openTestMarket({offers: 3});
	using folder = openFolder();
	const none = join(folder.path, 'none');
	const data = join(folder.path, 'data');
	mkdirSync(join(data, 'host', 'market'), {recursive: true});
	const folders = {settings: none, data, cache: none, state: folder.path};
	const world = {...worldOf(market, {folder: folder.path}), folders};
	const stdout = new PassThrough();
	const streams = {stdin: new PassThrough(), stdout, stderr: new PassThrough()};
	const code = await runCommand(doctor, ['--files'], {...world, ...streams});
	expect(code).toBe(0);
	// What a host keeps is not the practice market, which is not there.
	expect(await text(stdout.end())).toMatch(
		/^\/\S+\/data\/host\twhat others rented .*\n\/\S+\tthe journal of .*\n$/,
	);
});
