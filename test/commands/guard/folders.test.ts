/** The guard where its folder and files are what somebody else made of them. */
import {spawnSync} from 'node:child_process';
import {
	chmodSync,
	chownSync,
	lutimesSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	rmdirSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {serviceFile} from '../../../source/renter/files/kept-file.ts';
import {commandsOf} from '../../helpers/commands/commands.ts';
import {openFolder} from '../../helpers/folder.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

const isSuperuser = process.getuid?.() === 0;
const STRANGER = 65_533;

/** What stands where a file of the guard's should be. */
const oddities = {
	pipe: file => spawnSync('mkfifo', [file]),
	folder: file => mkdirSync(file),
	'link to nothing': file => symlinkSync('/nowhere/at/all', file),
	'link to a pipe': file => {
		spawnSync('mkfifo', [`${file}-pipe`]);
		symlinkSync(`${file}-pipe`, file);
	},
	'link to itself': file => symlinkSync(file, file),
	'huge file': file => {
		writeFileSync(file, '{');
		truncateSync(file, 2 ** 40);
	},
	'invalid text': file => writeFileSync(file, '{"looks":[{"id":'),
	'text of another kind': file => writeFileSync(file, '{"looks":{"id":[]},"clock":7,"agreed":{}}'),
} satisfies Record<string, (file: string) => unknown>;

const files = ['guard.json', 'guard.json.lock', 'looks', 'agreed', 'alerts', 'costs', 'use'];

/** A guard of an instance that is about to end, which was not so when it was set; interrupted once it says so. */
async function openGuarded() {
	const market = await openRentable();
	const folder = openFolder();
	const state = join(folder.path, 'rentty');
	mkdirSync(state, {mode: 0o700});
	const label = `[lease1 e${TEST_NOW + 700} td]`;
	const {id} = await market.instance(await market.rent({image: 'x', disk: 10, label}));
	market.clock.pass(600);
	const run = commandsOf(market, {folder: folder.path, interruptAfter: /ends in/});
	return {
		state,
		outside: folder.path,
		guard: async () => run('guard', 'run', '--every', '1'),
		status: async () => run('guard', 'status'),
		fileOf: (what: string) =>
			what.includes('.')
				? join(state, what)
				: serviceFile(
						state,
						what,
						{name: 'test', url: market.url},
						what === 'use' ? 'jsonl' : 'json',
					),
		isThere: async () => (await market.call(`/api/v0/instances/${id}/`)).status === 200,
		async [Symbol.asyncDispose]() {
			folder[Symbol.dispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test.for(Object.entries(oddities))(
	'a guard that finds a %s where its files should be acts, or says why it does not',
	async ([, make]) => {
		await using world = await openGuarded();
		for (const what of files) {
			const file = world.fileOf(what);
			make(file);
			// Whoever takes a lock for a moment is waited for.
			if (what.endsWith('.lock')) lutimesSync(file, 1, 1);
			const {code, out, err} = await world.guard();
			const acts = code === 130 && out.includes('ends in');
			expect([what, acts || /^rentty: .+\n$/.test(err), err]).toEqual([what, true, err]);
			expect((await world.status()).err).not.toMatch(/\n.*\n/);
			for (const name of readdirSync(world.state)) {
				rmSync(join(world.state, name), {recursive: true, force: true});
			}
		}
		expect(await world.isThere()).toBe(true);
	},
);

/** What others may do to the folder itself, and what the guard says of it. */
const shared = [
	['may be written by its group', (state: string) => chmodSync(state, 0o770), /others can write/],
	['may be written by all', (state: string) => chmodSync(state, 0o777), /others can write/],
	['is of another user', (state: string) => chownSync(state, STRANGER, STRANGER), /another user/],
	[
		'is a link to a folder of another user',
		(state: string) => {
			renameSync(state, `${state}-moved`);
			chownSync(`${state}-moved`, STRANGER, STRANGER);
			symlinkSync(`${state}-moved`, state);
		},
		/another user/,
	],
	[
		'is a file',
		(state: string) => {
			rmdirSync(state);
			writeFileSync(state, '');
		},
		/rentty: \S+ cannot be made \(a part of that path is a file and no folder\)\n/,
	],
] as const;

test.skipIf(!isSuperuser).for(shared)(
	'no guard acts in a folder that %s, and it writes nothing there',
	async ([, share, says]) => {
		await using world = await openGuarded();
		share(world.state);
		const {code, err} = await world.guard();
		expect([code, err]).toEqual([1, expect.stringMatching(says)]);
		const kept = statSync(world.state).isDirectory() ? readdirSync(world.state) : [];
		expect(kept).toEqual([]);
		expect(await world.isThere()).toBe(true);
	},
);
