import {readFileSync} from 'node:fs';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {customBindings, keyProblems} from '../../../source/console/app/chosen-keys.ts';
import {fillIn} from '../../../source/console/app/custom-commands.tsx';
import {
	defaultSettings,
	type CustomCommand,
} from '../../../source/renter/settings/default-settings.ts';
import {createSettingsStore, settingsWithIds} from '../../helpers/settings-store.ts';
import type {OutsideCommand} from '../../../source/console/services/outside-program.ts';
import {openTestConsole} from '../../helpers/console/console.ts';
import {openTestMarket} from '../../helpers/market/market.ts';

const ping: CustomCommand = {
	name: 'ping its host',
	key: 'F5',
	screen: 'offers',
	command: ['ping', '-c3', 'host-{host_id}', '{id}'],
	runs: 'aside',
	asks: true,
};

test('fields become what the row says, each in its own argument', () => {
	expect(fillIn(ping, {id: 7, host_id: 'a b; rm -rf /'})).toEqual({
		program: 'ping',
		args: ['-c3', 'host-a b; rm -rf /', '7'],
	});
});

test.each([
	[['ping', '{nothing}'], 'this row has no {nothing}'],
	[['ping', '{toString}'], 'this row has no {toString}'],
	[['ping', '{option}'], '{option} begins with a dash and would be taken for an option'],
	[['ping', '{control}'], '{control} holds control characters'],
	[['{id}'], 'the program itself cannot have fields'],
])('%j is refused: %s', (command, problem) => {
	const row = {id: 7, option: '-rf', control: 'a\u001B[2J'};
	expect(fillIn({command}, row)).toEqual({problem});
});

test('whatever a field holds, there are as many arguments as were written, or it is refused', () => {
	expect.hasAssertions();
	fc.assert(
		fc.property(fc.string(), text => {
			const filled = fillIn({command: ['x', '{a}', 'b{a}']}, {a: text});
			if ('args' in filled) expect(filled.args).toEqual([text, `b${text}`]);
		}),
	);
});

test('a key that something else has is refused, and the command stays without it', () => {
	const counted = {...ping, key: 'j'};
	expect(keyProblems({...defaultSettings, commands: [counted]})).toBe(
		'commands: "j" for "ping its host" is already "down". It has no key; a lists it.',
	);
	expect(customBindings([counted], 'offers')[0]?.keys).toEqual([]);
	expect(customBindings([counted], 'instances')).toEqual([]);
});

test('it asks, runs in this terminal with what the row says, and is found by its name', async () => {
	await using market = await openTestMarket({offers: 3});
	const ran: OutsideCommand[] = [];
	let at = Date.now();
	await using rentty = openTestConsole({
		service: market,
		settings: createSettingsStore({...settingsWithIds().get(), commands: [ping]}),
		now: () => new Date(at),
		async run(command) {
			ran.push(command);
			return {kind: 'ended', code: 2};
		},
	});
	const id = /> +(\d{4,})/.exec(await rentty.sees('1 of '))?.[1] ?? '';
	rentty.type(':');
	await rentty.sees('command');
	rentty.type('ping');
	await rentty.sees('> ping its host');
	rentty.type('\u001B');
	await rentty.sees('1 of ');
	rentty.type('\u001B[15~');
	await rentty.sees(`ping -c3 host-`);
	// What is typed before the question could be read is dropped.
	at += 2000;
	rentty.type('y');
	await rentty.sees('ping its host: ended with 2.');
	expect(ran[0]?.args.at(-1)).toBe(id);
	// What it wrote stays until Enter is pressed, however it ended.
	expect(ran[0]?.isRead?.({kind: 'ended', code: 0})).toBe(true);
});

test('one that runs behind leaves the screen as it is, and how it ended is said', async () => {
	await using market = await openTestMarket({offers: 3});
	const fails: CustomCommand = {
		name: 'note it',
		key: 'F5',
		screen: 'offers',
		command: [process.execPath, '-e', 'process.exit(Number(process.argv[1]) > 0 ? 3 : 4)', '{id}'],
		runs: 'background',
		asks: false,
	};
	await using rentty = openTestConsole({
		service: market,
		settings: createSettingsStore({...defaultSettings, commands: [fails]}),
	});
	await rentty.sees('1 of ');
	rentty.type('\u001B[15~');
	expect(await rentty.sees('note it: ended with 3.')).toContain('1 of ');
});

test('the key that docs/settings.md shows for a command is accepted', () => {
	const docs = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
	const key = /"name": "ping its host",\s+"key": "([^"]+)"/.exec(docs)?.[1];
	expect(key).toBeDefined();
	const commands = [{...ping, key}];
	expect(keyProblems({...defaultSettings, commands})).toBeUndefined();
});
