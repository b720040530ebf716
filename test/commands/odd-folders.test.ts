/** Each command where the user's own folder is something else, or nothing can be written there. */
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commands} from '../../source/commands/index.ts';
import {commandsOf} from '../helpers/commands/commands.ts';
import {openFolder} from '../helpers/folder.ts';
import {openRentable} from '../helpers/market/rentable.ts';

/** What stands where rentty's folder should be. */
const oddities: Readonly<Record<string, (folder: string) => void>> = {
	'a file': folder => writeFileSync(folder, ''),
	'a link to nothing': folder => symlinkSync('/nowhere/at/all', folder),
	'a link to itself': folder => symlinkSync(folder, folder),
	'a link to a folder where nothing can be made': folder => symlinkSync('/proc', folder),
	'a file under a link': folder => symlinkSync('/dev/null', folder),
	'a folder whose files are folders': folder => {
		for (const name of ['wishes.json', 'activity.jsonl', 'guard.json', 'settings.json']) {
			mkdirSync(join(folder, name, 'in'), {recursive: true});
		}
	},
	'a folder whose files are links to themselves': folder => {
		mkdirSync(folder);
		for (const name of ['wishes.json', 'activity.jsonl', 'guard.json', 'settings.json']) {
			symlinkSync(name, join(folder, name));
		}
	},
};

/** Lines of each command that reads or writes there; the others are run without words. */
const lines: Readonly<Record<string, (id: string) => ReadonlyArray<readonly string[]>>> = {
	rent: () => [['any', '--image', 'x', '--yes', '--detach']],
	exec: id => [[id, 'true']],
	ssh: id => [[id, '--print']],
	cp: id => [['/nowhere', `${id}:/there`]],
	logs: id => [[id]],
	start: id => [[id]],
	stop: id => [[id, '--yes']],
	destroy: id => [[id, '--yes']],
	lease: id => [[id, '--in', '2h']],
	guard: () => [['run', '--alone'], ['status'], ['install', '--yes']],
	keys: () => [[], ['create', 'mine', '--yes'], ['add', '/nowhere']],
	jobs: () => [['list']],
	alerts: () => [[], ['test'], ['list']],
	ps: () => [[], ['--json']],
	sweep: () => [['--yes']],
	increases: () => [[], ['accept', '1', '--yes']],
	prepay: id => [[id, '1', '--yes']],
	volumes: () => [[], ['clone', '1', '--yes']],
	mcp: () => [['limits'], ['log']],
	practice: () => [['reset', '--yes']],
	completions: () => [['bash']],
	// Asks the network.
	upgrade: () => [],
};

test.for(Object.entries(oddities))(
	'with %s for its folder, a command says in a sentence why it does not do what it should',
	async ([, make]) => {
		await using market = await openRentable();
		const {id} = await market.instance(await market.rent({image: 'x', disk: 10}));
		const isThere = async () => {
			const rows = market.database.selectFrom('instances').select('destroyed_at');
			const found = await rows.where('id', '=', id).executeTakeFirst();
			return found?.destroyed_at === null;
		};
		const raw: string[] = [];
		const lies: string[] = [];
		const last = commands.filter(({name}) => name === 'destroy');
		for (const {name} of [...commands.filter(one => !last.includes(one)), ...last]) {
			for (const words of lines[name]?.(String(id)) ?? [[]]) {
				using folder = openFolder();
				make(join(folder.path, 'rentty'));
				const run = commandsOf(market, {
					folder: folder.path,
					environment: {HOME: join(folder.path, 'rentty')},
					interruptAfter: /./,
				});
				const {code, out, err} = await run(name, ...words);
				if (name === 'destroy' && (code === 0) === (await isThere())) lies.push(out + err);
				const found =
					/^.*(?:\bE(?:EXIST|NOENT|NOTDIR|ISDIR|LOOP|ACCES|PERM|ROFS|NOSPC|INVAL)\b|\n {4}at ).*$/m.exec(
						out + err,
					)?.[0];
				if (found !== undefined) raw.push(`${name} ${words.join(' ')}: ${found}`);
			}
		}
		expect([raw, lies]).toEqual([[], []]);
	},
);

test('every command that changes something is among them', () => {
	const changing = commands.filter(({options}) => 'yes' in options).map(({name}) => name);
	expect(changing.filter(name => lines[name] === undefined)).toEqual([]);
});
