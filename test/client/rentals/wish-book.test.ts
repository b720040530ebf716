import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {lutimesSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {openWishBook} from '../../../source/client/rentals/wish-book.ts';
import type {Wish} from '../../../source/client/rentals/wishes.ts';

function openFolder() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-book-'));
	return {
		file: join(folder, 'state', 'wishes.json'),
		[Symbol.dispose]: () => rmSync(folder, {recursive: true}),
	};
}

function wishOf(token: string): Wish {
	const by = {service: 's', profile: 'p', owner: 1, notedAt: 1};
	return {token, offerId: 1, ...by, state: {kind: 'sent', at: 1}};
}

const tokensOf = (wishes: readonly Wish[]) => wishes.map(({token}) => token);

test('wishes are kept in a file that nobody else can read', async () => {
	using folder = openFolder();
	const book = openWishBook(folder.file);
	expect(await book.all()).toEqual([]);
	await book.note(wishOf('a'));
	const learned = await book.learn(wishOf('a'), {kind: 'created', at: 2, id: 9, proof: 'answer'});
	expect(await openWishBook(folder.file).all()).toEqual([learned]);
	expect(statSync(folder.file).mode & 0o777).toBe(0o600);
	expect(readdirSync(join(folder.file, '..'))).toEqual(['wishes.json']);
});

test('a field of an agreed order that cannot be read is left out, and hides no wish', async () => {
	using folder = openFolder();
	mkdirSync(join(folder.file, '..'));
	const agreed = {gpus: 2, perHour: null, pricing: 'auction', ports: [22], image: 'a/b'};
	const wishes = [
		{...wishOf('a'), agreed},
		{...wishOf('b'), agreed: 7},
	];
	writeFileSync(folder.file, JSON.stringify({wishes}));
	const [first, second] = await openWishBook(folder.file).all();
	expect(first?.agreed).toEqual({gpus: 2, image: 'a/b'});
	expect(second).toMatchObject({token: 'b'});
	expect(second?.agreed).toBeUndefined();
});

test('without a file, wishes are kept as long as the program runs', async () => {
	const book = openWishBook(undefined);
	await book.note(wishOf('a'));
	await book.learn(wishOf('a'), {kind: 'unknown', at: 2, candidates: [3]});
	expect(await book.all()).toMatchObject([{token: 'a', state: {candidates: [3]}}]);
	expect(await openWishBook(undefined).all()).toEqual([]);
});

test('no wish is lost where several programs note theirs at once', async () => {
	using folder = openFolder();
	const source = new URL('../../../source/client/rentals/wish-book.ts', import.meta.url).href;
	const code = `
		const {openWishBook} = await import(${JSON.stringify(source)});
		const book = openWishBook(process.argv[1]);
		const by = {service: 's', profile: 'p', owner: 1, notedAt: 1, offerId: 1, state: {kind: 'sent', at: 1}};
		for (let n = 0; n < 12; n++) await book.note({token: process.argv[2] + n, ...by});`;
	const start = (name: string) =>
		spawn(process.execPath, ['--input-type=module', '-e', code, folder.file, name], {
			stdio: ['ignore', 'ignore', 'inherit'],
		});
	await Promise.all(['a', 'b', 'c'].map(async name => once(start(name), 'exit')));
	const names = ['a', 'b', 'c'].flatMap(name => Array.from({length: 12}, (_, n) => `${name}${n}`));
	expect(tokensOf(await openWishBook(folder.file).all()).toSorted()).toEqual(names.toSorted());
});

test('open wishes are never dropped, and of the others the last hundred are remembered', async () => {
	const book = openWishBook(undefined);
	await book.note(wishOf('open'));
	for (let n = 0; n < 105; n++) {
		await book.note(wishOf(`w${n}`));
		await book.learn(wishOf(`w${n}`), {kind: 'created', at: 2, id: n, proof: 'answer'});
	}
	const tokens = tokensOf(await book.all());
	expect(tokens).toHaveLength(101);
	expect(tokens.slice(0, 2)).toEqual(['open', 'w5']);
});

test('a file that cannot be read is put aside, and what is strange in it is kept', async () => {
	using folder = openFolder();
	const book = openWishBook(folder.file);
	await book.note(wishOf('a'));
	writeFileSync(folder.file, '{"wishes": [');
	await book.note(wishOf('b'));
	expect(tokensOf(await book.all())).toEqual(['b']);
	const aside = readdirSync(join(folder.file, '..')).find(name => name.includes('unreadable'));
	expect(aside).toMatch(/^wishes\.json\.unreadable-\d+$/);
	writeFileSync(folder.file, JSON.stringify({wishes: [{of: 'a later version'}, wishOf('c')]}));
	await book.note(wishOf('d'));
	expect(tokensOf(await book.all())).toEqual(['c', 'd']);
	expect(readFileSync(folder.file, 'utf8')).toContain('a later version');
});

test('a lock whose program has died keeps nobody out', async () => {
	using folder = openFolder();
	const book = openWishBook(folder.file);
	mkdirSync(join(folder.file, '..'), {recursive: true});
	const dead = spawn(process.execPath, ['-e', '']);
	await once(dead, 'exit');
	symlinkSync(`${dead.pid} x`, `${folder.file}.lock`);
	await book.note(wishOf('a'));
	symlinkSync(`${process.pid} held for too long`, `${folder.file}.lock`);
	lutimesSync(`${folder.file}.lock`, 1, 1);
	await book.note(wishOf('b'));
	// Where a file system has no links, it is a file.
	writeFileSync(`${folder.file}.lock`, `${dead.pid} x`);
	await book.note(wishOf('c'));
	expect(tokensOf(await book.all())).toEqual(['a', 'b', 'c']);
	expect(readdirSync(join(folder.file, '..'))).toEqual(['wishes.json']);
});
