import {expect, test} from 'vitest';
import {recordedNames} from '../helpers/services/recorded-services.ts';
import {lyingNames} from '../helpers/services/lying-services.ts';
import {type Actions, named, openLyingConsole} from '../helpers/console/lying-screens.ts';

const END = '\u001B[F';
const failed = 'Could not|was asked for|^Not now';

/** A key that is shown once is copied, and left; elsewhere these keys change nothing. */
const backToKeys = [
	['y', /Copied|Not now/],
	['\r', /API KEY IN USE/],
] as const;

const keysAndVolumes: Actions = {
	'make an API key': {
		way: [
			['4', /\[4 Keys\]/],
			['n', /> an API key/],
			['\r', /Keys > new API key/],
		],
		answer: `\rmonitor\t${END}\r`,
		done: new RegExp(`API KEY monitor|${failed}`, 'm'),
	},
	'reset an API key': {
		way: [
			...backToKeys,
			['gj', /API KEY IN USE/],
			...named('reset the API key', /RESET API KEY|^Not now/m),
		],
		done: new RegExp(`shown this once|${failed}`, 'm'),
	},
	'delete a key': {
		way: [
			...backToKeys,
			['G', /\[4 Keys\]/],
			['x', new RegExp(`DELETE (?:API|SSH) KEY|${failed}`, 'm')],
		],
		done: new RegExp(`is deleted|${failed}`, 'm'),
	},
	'make a volume': {
		way: [
			['$', /SPENDING/],
			['\r', /^VOLUMES|There are no volumes/m],
			['n', /GB> 50/],
			['\r', /ROOM FOR 50 GB/],
			['jjjj\r', /CREATE VOLUME/],
		],
		done: new RegExp(`charged from now on|${failed}`, 'm'),
	},
	'clone a volume': {
		way: [
			['g', /1 of \d|no volumes/],
			['Y', new RegExp(`GB> |${failed}`, 'm')],
			['\r', new RegExp(`ROOM FOR|${failed}`, 'm')],
			['jjjj\r', new RegExp(`CLONE VOLUME|${failed}`, 'm')],
		],
		done: new RegExp(`is being made|${failed}`, 'm'),
	},
	'delete a volume': {
		way: [
			['g', / 1 of \d/],
			['x', new RegExp(`DELETE VOLUME|${failed}`, 'm')],
		],
		done: new RegExp(`Volume \\d+ is deleted|${failed}`, 'm'),
	},
};

/** The list of templates as it is when what was done before has reached it. */
const listed = (name: string, image: string): RegExp =>
	isRecorded(name) ? / 1 of \d/ : new RegExp(`^> mine +${image} `, 'm');

const isRecorded = (name: string) => recordedNames.some(recorded => recorded === name);

const actionsAt = (name: string): Actions => ({
	'make a template': {
		way: [
			['3', /\[3 Templates\]/],
			['n', /Templates > new/],
		],
		answer: `\rmine\r\t\rc/d\r${END}k\r`,
		done: new RegExp(`Saved\\. Its hash|${failed}`, 'm'),
	},
	'edit a template': {
		way: [
			['g', listed(name, 'c/d:latest')],
			['e', new RegExp(`in place of|${failed}`, 'm')],
		],
		answer: `\t\t\r.1\r${END}kk\r`,
		done: new RegExp(`Saved\\. Its hash|Not saved|${failed}`, 'm'),
	},
	...keysAndVolumes,
	'delete a template': {
		way: [
			// What could not be edited is still open there.
			[
				name === 'answers-with-another-id' ? '3qg' : '3g',
				listed(name, name === 'doubles' ? 'c/d:latest.1' : 'c/d:latest'),
			],
			['x', new RegExp(`DELETE TEMPLATE|${failed}`, 'm')],
		],
		done: new RegExp(`is deleted|${failed}`, 'm'),
	},
});

/** Actions that nothing is written for, by name of a service. */
const silentAt: Readonly<Record<string, readonly string[]>> = {
	'answers-with-another-id': ['edit a template'],
	// The first has no hash, and the last key is deleted already.
	odd: ['edit a template', 'delete a key', 'delete a template'],
	'one-odd-field': ['edit a template', 'delete a key', 'delete a template'],
};

test.for(lyingNames)(
	'nothing that the screens of the account write to the service %s names an id that its question did not show',
	async name => {
		await using rentty = await openLyingConsole(name);
		expect(await rentty.perform(actionsAt(name))).toEqual(silentAt[name] ?? []);
	},
);
