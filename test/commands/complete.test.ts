import {expect, test} from 'vitest';
import {candidatesFor, instanceNames} from '../../source/commands/completions.ts';
import {commands} from '../../source/commands/index.ts';
import {commandsOf} from '../helpers/commands/commands.ts';
import {openRentable} from '../helpers/market/rentable.ts';

const textsFor = (...words: readonly string[]) => {
	const found = candidatesFor(words, commands);
	return found.kind === 'candidates' ? found.candidates.map(({text}) => text) : found;
};

test('the first word is a command', () => {
	expect(textsFor('st')).toEqual(['start', 'stop']);
	expect(textsFor('')).toContain('market');
	expect(textsFor('')).not.toContain('complete');
});

test('options, and the few words that an option takes, are completed', () => {
	expect(textsFor('ps', '--w')).toEqual(['--watch']);
	expect(textsFor('rent', '--launch', 'ssh_')).toEqual(['ssh_proxy', 'ssh_direct']);
	expect(textsFor('rent', '--template', '')).toEqual({kind: 'templates'});
	expect(textsFor('rent', '--image', '')).toEqual([]);
});

test('names are asked for where a command takes them, and not behind two dashes', () => {
	expect(textsFor('destroy', 'tr')).toEqual({kind: 'names', of: 'instances'});
	expect(textsFor('ssh', 'train', '--', 'ls', '')).toEqual([]);
	expect(textsFor('bogus', '')).toEqual([]);
});

test('an instance goes by its label and by its number', () => {
	expect(instanceNames([{id: 7, label: 'train', actual_status: 'running'}, {id: 8}])).toEqual([
		{text: 'train', about: '7 running'},
		{text: '7', about: 'train running'},
		{text: '8', about: 'provisioning'},
	]);
});

test('a shell is told of live names, and of none that it would run', async () => {
	await using market = await openRentable();
	const run = commandsOf(market);
	await market.rent({image: 'x', label: 'train', disk: 10});
	// It answers at once, also where the service takes longer; then the next time.
	const complete = async () => (await run('complete', '--', 'ssh', 'tr')).out;
	await expect.poll(complete).toMatch(/^train\t\d+ provisioning\n$/);
	const other = await run('complete', '--', 'rent', '50');
	expect(other.out).toContain('5090\tRTX 5090\n');
});

test('a shell is told nothing where the service cannot be reached', async () => {
	const run = commandsOf({url: 'http://127.0.0.1:1', key: 'k'});
	expect(await run('complete', '--', 'ssh', '')).toEqual({code: 0, out: '', err: ''});
});
