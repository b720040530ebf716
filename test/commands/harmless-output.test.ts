import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {holdConversation} from '../../source/commands/conversation.ts';
import {commands} from '../../source/commands/index.ts';
import {realTimers} from '../../source/renter/state/timers.ts';
import {commandsOf, jsonOf, worldOf, type CommandsOptions} from '../helpers/commands/commands.ts';
import {openHarmfulService} from '../helpers/services/harmful-service.ts';
import {harmfulIn} from '../helpers/services/harmful-text.ts';
import {openFolder} from '../helpers/folder.ts';

/** Line feeds, and tabs between the cells of a line. */
const between = /[\n\t]/g;
/** What is written where people are asked: the cursor to a column, the rest of the screen empty. */
// oxlint-disable-next-line no-control-regex -- these are the sequences that are meant
const asked = /\u001B\[\d{0,3}G|\u001B\[0J|[\r\n\t]/g;

const rent = ['rent', 'any', '--image', 'x', '--spend', '99'];

/** Everything that commands say, and part of what of it came from the service. */
const calls: ReadonlyArray<readonly [words: readonly string[], part: RegExp]> = [
	[['offers', 'any', '--limit', '99'], /u�v/],
	[['offers', 'any', '--limit', '2'], /There are more than 2/],
	[['offers', 'u\u001Bv'], /u�v/],
	[['watch', 'any'], /u�v/],
	[['templates', '--limit', '99'], /u�v/],
	[['keys'], /u�v/],
	[['keys', '--api'], /u�v/],
	[['keys', 'remove', '1003'], /u�v/],
	[['doctor'], /may list them: 66/],
	[['ps'], /u�v/],
	[['ps', '1001', '1002'], /u�v/],
	[['ssh', '1002'], /names no way to enter 1002 u�v/],
	[['ssh', '1001'], /1001 u�v.* is u�v/],
	[['ssh', '1002', '--print'], /names no way/],
	[['cp', '1002:/x', './x'], /names no way/],
	[['cp', '1001:/x', '/u\u001Bv/x'], /u�v/],
	[['volumes'], /u�v/],
	[['run', '1002', '--every', '1'], /u�v/],
	[['prepay', '1002'], /u�v/],
	[['jobs'], /rentty: /],
	[['increases'], /rentty: /],
	[['exec', '1001,1002', '--', 'true'], /u�v.* not run/],
	[['stop', '1002', '1008'], /u�v/],
	[['stop', '1002', '1008', '--yes', '--no-wait'], /u�v.* accepted/],
	[['start', '1004', '1010', '--yes'], /u�v.* starting|waits/],
	[['destroy', '1001', '1002'], /u�v/],
	[['destroy', '1001', '1002', '--yes', '--no-wait'], /u�v.* accepted/],
	[['lease', '1002'], /1002 u�v.* has no end/],
	[['sweep', '--every', '0.01'], /rentty: /],
	[[...rent], /Offer +1001 .*u�v/],
	[[...rent, '--yes'], /7001/],
	[[...rent, '--template', 'u'], /rentty: /],
	[['complete', '--', 'ps', ''], /^/],
	[['complete', '--', 'rent', '--template', ''], /^/],
	[['mcp', 'limits'], /only read/],
	[['mcp', 'log'], /^/],
	[['ps', '--nonsense\u001B[2J'], /nonsense�\[2J/],
];

test.each([false, true])(
	'no command writes what could command a terminal, whatever a service sends (to a terminal: %s)',
	async isTerminal => {
		await using service = await openHarmfulService();
		const run = commandsOf({url: service.url, key: 'k'}, {isTerminal});
		for (const [words, part] of calls) {
			const [name = '', ...argv] = words;
			const {out, err} = await run(name, ...argv);
			expect([words, harmfulIn(out + err, between)]).toEqual([words, []]);
			expect([...words, out + err].join(' ')).toMatch(part);
		}
	},
);

test('no refusal, and nothing that a service says of one, commands a terminal', async () => {
	await using service = await openHarmfulService({isRefusing: true});
	for (const isTerminal of [false, true]) {
		const run = commandsOf({url: service.url, key: 'k'}, {isTerminal});
		for (const [words] of calls) {
			const [name = '', ...argv] = words;
			const {out, err} = await run(name, ...argv);
			expect([words, harmfulIn(out + err, between)]).toEqual([words, []]);
			const more = await run(name, ...argv.filter(word => word !== '--'), '--json');
			expect([words, harmfulIn(more.out + more.err, /\n/g)]).toEqual([words, []]);
		}
	}
});

test('JSON of all records is in harmless characters, and says what the service said', async () => {
	await using service = await openHarmfulService();
	const run = commandsOf({url: service.url, key: 'k'});
	for (const [words] of calls) {
		const [name = '', ...argv] = words;
		if (name === 'complete' || words.some(word => word.includes('nonsense'))) continue;
		const {out, err} = await run(name, ...argv, '--json');
		expect([words, harmfulIn(out, /\n/g)]).toEqual([words, []]);
		expect([words, harmfulIn(err, /\n/g)]).toEqual([words, []]);
	}
	const labels = jsonOf(await run('ps', '--json')).map(({label}) => label);
	expect(labels).toHaveLength(66);
	expect(harmfulIn(labels.join(''), /[^]{0}/g).length).toBeGreaterThan(350);
});

test('questions are asked in harmless characters, and what is typed is the only thing that moves a cursor', async () => {
	await using service = await openHarmfulService();
	const run = commandsOf({url: service.url, key: 'k'}, {isTerminal: true, answers: 'no\n'});
	for (const [words] of calls.filter(([[name]]) => !['complete', 'watch'].includes(name ?? ''))) {
		const [name = '', ...argv] = words;
		const {out, err} = await run(name, ...argv);
		expect([words, harmfulIn(out, between)]).toEqual([words, []]);
		expect([words, harmfulIn(err, asked)]).toEqual([words, []]);
	}
});

test.each([
	[['ps', '--watch', '--every', '1'], /> u�v|\[45m/],
	[['ps', '--watch', '--json'], /"label":/],
	[[...rent, '--yes', '--wait'], /7001 u�v/],
	[['start', '1004', '--yes', '--wait'], /1004 \w*/],
	[['watch', 'any', '--follow'], /u�v/],
])('what %j goes on saying is harmless too', async (words, until) => {
	await using service = await openHarmfulService();
	const options: CommandsOptions = {isTerminal: true, interruptAfter: until};
	const [name = '', ...argv] = words;
	const {out, err} = await commandsOf({url: service.url, key: 'k'}, options)(name, ...argv);
	expect(out + err).toMatch(until);
	expect(harmfulIn(out + err, between)).toEqual([]);
});

test('a shell completes numbers, and no name that could do more than be a name', async () => {
	await using service = await openHarmfulService({length: 6});
	const run = commandsOf({url: service.url, key: 'k'});
	let out = '';
	const complete = async () => (out = (await run('complete', '--', 'ps', '')).out);
	// Where the answer takes longer than somebody waits for a Tab, there is none.
	await expect.poll(complete).toMatch(/^1002\tu�v/m);
	expect(harmfulIn(out, between)).toEqual([]);
	expect(out).not.toMatch(/^u/m);
});

test('a log is harmless on a terminal and in JSON, and is as it was written in a pipe', async () => {
	await using service = await openHarmfulService();
	const to = {url: service.url, key: 'k'};
	const shown = await commandsOf(to, {isTerminal: true})('logs', '1002');
	expect(harmfulIn(shown.out + shown.err, /\n/g)).toEqual([]);
	expect(shown.out).toContain('u�v');
	const records = await commandsOf(to)('logs', '1002', '--json');
	expect(harmfulIn(records.out, /\n/g)).toEqual([]);
	const {out} = await commandsOf(to)('logs', '1002');
	// Half a character is none on the wire.
	expect(harmfulIn(out, /[^]{0}/g).length).toBeGreaterThan(380);
	expect(out).toContain('b\nu');
	expect(out).toContain('\r\n');
});

test('every command is among them', () => {
	const said = new Set(calls.map(([[name]]) => name));
	const others = commands.map(({name}) => name).filter(name => !said.has(name));
	expect(others).toEqual('logs guard alerts practice completions man upgrade'.split(' '));
});

test('a conversation says nothing that could command a terminal', async () => {
	await using service = await openHarmfulService();
	using folder = openFolder();
	const [stdin, stdout] = [new PassThrough(), new PassThrough()];
	let heard = '';
	stdout.on('data', (data: Buffer) => (heard += data.toString()));
	const world = worldOf({url: service.url, key: 'k'}, {folder: folder.path});
	const ended = holdConversation(
		{...world, stdin, stdout, stderr: stdout},
		{words: [], timers: realTimers},
	);
	const spoken = calls.filter(([[name]]) => !['complete', 'watch', 'rent'].includes(name ?? ''));
	for (const [words] of spoken) stdin.write(`${words.join(' ')}\nno\n`);
	stdin.write('ps --json\nlogs 1002\ndance\u001B[2J\nhelp\nps --help\nquit\n');
	expect(await ended).toBe(0);
	expect(harmfulIn(heard, /\n/g)).toEqual([]);
	expect(heard).toMatch(/label u�v/);
	expect(heard).toContain('names no way to enter 1002 u�v');
	expect(heard).toContain('"dance�[2J" is no command');
});
