import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {lutimesSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {openPendingRents} from '../../../source/client/rentals/pending-rents.ts';
import type {PendingRent} from '../../../source/client/rentals/pending-rent.ts';

function openFolder() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-book-'));
	return {
		file: join(folder, 'state', 'wishes.json'),
		[Symbol.dispose]: () => rmSync(folder, {recursive: true}),
	};
}

function pendingRentOf(token: string): PendingRent {
	const by = {service: 's', profile: 'p', owner: 1, notedAt: 1};
	return {token, offerId: 1, ...by, state: {kind: 'sent', at: 1}};
}

const tokensOf = (pendingRents: readonly PendingRent[]) => pendingRents.map(({token}) => token);

test('pending rents are kept in a file that nobody else can read', async () => {
	using folder = openFolder();
	const book = openPendingRents(folder.file);
	expect(await book.all()).toEqual([]);
	await book.note(pendingRentOf('a'));
	const learned = await book.learn(pendingRentOf('a'), {
		kind: 'created',
		at: 2,
		id: 9,
		proof: 'answer',
	});
	expect(await openPendingRents(folder.file).all()).toEqual([learned]);
	expect(statSync(folder.file).mode & 0o777).toBe(0o600);
	expect(readdirSync(join(folder.file, '..'))).toEqual(['wishes.json']);
});

test('a field of an agreed order that cannot be read is left out, and hides no pending rent', async () => {
	using folder = openFolder();
	mkdirSync(join(folder.file, '..'));
	const agreed = {gpus: 2, perHour: null, pricing: 'auction', ports: [22], image: 'a/b'};
	const pendingRents = [
		{...pendingRentOf('a'), agreed},
		{...pendingRentOf('b'), agreed: 7},
	];
	writeFileSync(folder.file, JSON.stringify({wishes: pendingRents}));
	const [first, second] = await openPendingRents(folder.file).all();
	expect(first?.agreed).toEqual({gpus: 2, image: 'a/b'});
	expect(second).toMatchObject({token: 'b'});
	expect(second?.agreed).toBeUndefined();
});

test('without a file, pending rents are kept as long as the program runs', async () => {
	const book = openPendingRents(undefined);
	await book.note(pendingRentOf('a'));
	await book.learn(pendingRentOf('a'), {kind: 'unknown', at: 2, candidates: [3]});
	expect(await book.all()).toMatchObject([{token: 'a', state: {candidates: [3]}}]);
	expect(await openPendingRents(undefined).all()).toEqual([]);
});

test('no pending rent is lost where several programs note theirs at once', async () => {
	using folder = openFolder();
	const source = new URL('../../../source/client/rentals/pending-rents.ts', import.meta.url).href;
	const code = `
		const {openPendingRents} = await import(${JSON.stringify(source)});
		const book = openPendingRents(process.argv[1]);
		const by = {service: 's', profile: 'p', owner: 1, notedAt: 1, offerId: 1, state: {kind: 'sent', at: 1}};
		for (let n = 0; n < 12; n++) await book.note({token: process.argv[2] + n, ...by});`;
	const start = (name: string) =>
		spawn(process.execPath, ['--input-type=module', '-e', code, folder.file, name], {
			stdio: ['ignore', 'ignore', 'inherit'],
		});
	await Promise.all(['a', 'b', 'c'].map(async name => once(start(name), 'exit')));
	const names = ['a', 'b', 'c'].flatMap(name => Array.from({length: 12}, (_, n) => `${name}${n}`));
	expect(tokensOf(await openPendingRents(folder.file).all()).toSorted()).toEqual(names.toSorted());
});

test('open pending rents are never dropped, and of the others the last hundred are remembered', async () => {
	const book = openPendingRents(undefined);
	await book.note(pendingRentOf('open'));
	for (let n = 0; n < 105; n++) {
		await book.note(pendingRentOf(`w${n}`));
		await book.learn(pendingRentOf(`w${n}`), {kind: 'created', at: 2, id: n, proof: 'answer'});
	}
	const tokens = tokensOf(await book.all());
	expect(tokens).toHaveLength(101);
	expect(tokens.slice(0, 2)).toEqual(['open', 'w5']);
});

test('a file that cannot be read is put aside, and what is strange in it is kept', async () => {
	using folder = openFolder();
	const book = openPendingRents(folder.file);
	await book.note(pendingRentOf('a'));
	writeFileSync(folder.file, '{"wishes": [');
	await expect(book.note(pendingRentOf('b'))).rejects.toThrow('is kept as');
	await book.note(pendingRentOf('b'));
	expect(tokensOf(await book.all())).toEqual(['b']);
	const aside = readdirSync(join(folder.file, '..')).find(name => name.includes('unreadable'));
	expect(aside).toMatch(/^wishes\.json\.unreadable-\d+$/);
	writeFileSync(
		folder.file,
		JSON.stringify({wishes: [{of: 'a later version'}, pendingRentOf('c')]}),
	);
	await book.note(pendingRentOf('d'));
	expect(tokensOf(await book.all())).toEqual(['c', 'd']);
	expect(readFileSync(folder.file, 'utf8')).toContain('a later version');
});

test('a lock whose program has died keeps nobody out', async () => {
	using folder = openFolder();
	const book = openPendingRents(folder.file);
	mkdirSync(join(folder.file, '..'), {recursive: true});
	const dead = spawn(process.execPath, ['-e', '']);
	await once(dead, 'exit');
	symlinkSync(`${dead.pid} x`, `${folder.file}.lock`);
	await book.note(pendingRentOf('a'));
	symlinkSync(`${process.pid} held for too long`, `${folder.file}.lock`);
	lutimesSync(`${folder.file}.lock`, 1, 1);
	await book.note(pendingRentOf('b'));
	// The clock has been set back since.
	symlinkSync(`${process.pid} of a day to come`, `${folder.file}.lock`);
	const tomorrow = Date.now() / 1000 + 86_400;
	lutimesSync(`${folder.file}.lock`, tomorrow, tomorrow);
	await book.note(pendingRentOf('d'));
	// Where a file system has no links, it is a file.
	writeFileSync(`${folder.file}.lock`, `${dead.pid} x`);
	await book.note(pendingRentOf('c'));
	expect(tokensOf(await book.all())).toEqual(['a', 'b', 'd', 'c']);
	expect(readdirSync(join(folder.file, '..'))).toEqual(['wishes.json']);
});

test('the names on the disk stay: a file of an older version is read, and its rents stay in it', async () => {
	using folder = openFolder();
	mkdirSync(join(folder.file, '..'));
	writeFileSync(folder.file, `{"wishes":[${JSON.stringify(pendingRentOf('old'))}]}`);
	const book = openPendingRents(folder.file);
	expect(tokensOf(await book.all())).toEqual(['old']);
	await book.note(pendingRentOf('new'));
	const kept: unknown = JSON.parse(readFileSync(folder.file, 'utf8'));
	expect(kept).toMatchObject({wishes: [{token: 'old'}, {token: 'new'}]});
});
