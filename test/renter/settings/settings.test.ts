import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {lineOfPath} from '../../../source/renter/files/json-lines.ts';
import {readSettings} from '../../../source/renter/settings/settings.ts';
import {withChanges, writeSettings} from '../../../source/renter/settings/settings-file.ts';

test('a file that says nothing gives the defaults', () => {
	expect(readSettings('s.json', '{}')).toEqual({settings: defaultSettings, problem: undefined});
});

test('what the file says is used, and what it leaves out is as usual', () => {
	const text = '{"diskGb": 120, "limits": {"bootMinutes": 4}, "spend": {"fleetMaxPerHour": 12}}';
	const {settings, problem} = readSettings('s.json', text);
	expect(problem).toBeUndefined();
	expect(settings).toEqual({
		...defaultSettings,
		diskGb: 120,
		limits: {...defaultSettings.limits, bootMinutes: 4},
		spend: {...defaultSettings.spend, fleetMaxPerHour: 12},
	});
});

test.each([
	['{\n\t"diskGb": 40,\n}', 's.json line 3: expected JSON, like {"diskGb": 40}'],
	['', 's.json line 1: expected JSON, like {"diskGb": 40}'],
	['[]', 's.json line 1: expected an object, like {"diskGb": 40}'],
	['{\n\t"colour": "never",\n\t"diskGb": "big"\n}', 's.json line 3: "diskGb": expected a number'],
	['{"diskGb": 3}', 's.json line 1: "diskGb": expected a number of GB, at least 8'],
	['{\n"colour": "pink"}', 's.json line 2: "colour": expected "auto" or "never"'],
	['{"ssh": "telnet"}', 's.json line 1: "ssh": expected "stepAside", "tmuxWindow" or "print"'],
	[
		'{"searches": [\n{"name": "bootMinutes", "words": ""}],\n"limits": {"idleMinutes": 1,\n"bootMinutes": -1}}',
		's.json line 4: "limits.bootMinutes": expected a number of minutes, at least 0',
	],
	[
		'{"searches": [\n{"name": "a", "words": "4090"},\n{"words": "4090"}\n]}',
		's.json line 3: "searches.1.name": expected a string',
	],
	['{"fallback":\n{"tries": 1.5}}', 's.json line 2: "fallback.tries": expected a whole number'],
	['{"watches": {}}', 's.json line 1: "watches": expected a list'],
])(
	'a file that cannot be followed is one sentence with line and expectation: %j',
	(text, problem) => {
		expect(readSettings('s.json', text)).toEqual({settings: undefined, problem});
	},
);

test.each([
	['{\n\n"disk": 40, "hours": 2}', 's.json line 3: "disk"'],
	['{"hours": 2, "limits": {\n"bootTime": 3}}', 's.json line 2: "limits.bootTime"'],
])('a name that is no setting is said, and the others are used: %j', (text, start) => {
	const {settings, problem} = readSettings('s.json', text);
	expect(problem).toBe(`${start} is not a setting; it is left as it is.`);
	expect(settings?.hours).toBe(2);
});

test('a change keeps what is not known and leaves out what is as usual', () => {
	const file = {aura: 1, diskGb: 80, limits: {bootMinutes: 4, mood: 'good'}, hours: 5};
	const changed = withChanges(file, {
		diskGb: 40,
		notify: {bell: true, osc9: true},
		limits: {...defaultSettings.limits, idleMinutes: 9},
		searches: [{name: 'cheap', words: '4090'}],
	});
	expect(changed).toEqual({
		aura: 1,
		hours: 5,
		notify: {osc9: true},
		limits: {mood: 'good', idleMinutes: 9},
		searches: [{name: 'cheap', words: '4090'}],
	});
});

test('whatever is set is read again as it was set, from a file that holds only what differs', () => {
	const amount = fc.integer({min: 8, max: 500});
	const settings = fc.record({
		diskGb: fc.oneof(fc.constant(defaultSettings.diskGb), amount),
		hours: amount,
		searches: fc.array(fc.record({name: fc.string({minLength: 1}), words: fc.string()})),
		limits: amount.map(bootMinutes => ({...defaultSettings.limits, bootMinutes})),
		templateHash: fc.option(fc.string({minLength: 1})),
	});
	fc.assert(
		fc.property(settings, patch => {
			const text = writeSettings(withChanges({}, patch));
			expect(readSettings('s.json', text)).toEqual({
				settings: {...defaultSettings, ...patch},
				problem: undefined,
			});
			expect(text.includes('diskGb')).toBe(patch.diskGb !== defaultSettings.diskGb);
		}),
	);
});

test('the line of every value of a file is found', () => {
	const text = '{\n"a": [\n1,\n{"b": "}]",\n"c": 2}],\n"d":\n{}\n}';
	expect(lineOfPath(text, ['a'])).toBe(2);
	expect(lineOfPath(text, ['a', 0])).toBe(3);
	expect(lineOfPath(text, ['a', 1, 'c'])).toBe(5);
	expect(lineOfPath(text, ['d'])).toBe(6);
	expect(lineOfPath(text, ['d', 'missing'])).toBe(6);
	expect(lineOfPath(text, ['missing'])).toBe(1);
});
