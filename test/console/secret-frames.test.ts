import {expect, test} from 'vitest';
import type {Fault} from '../helpers/services/faults.ts';
import {openTorch} from './screens/rent/open-rent.ts';
import {openWithKey} from './screens/rent/open-with-key.ts';

test('the key of an instance stands by itself until it is left, at 80x24', async () => {
	await using rentty = await openWithKey();
	expect(await rentty.frame()).toMatchInlineSnapshot(`
		" practice market . no money  . $0.006/h max 0.49  1 no end $0.006/h   ~ 1  12:41
		0 Overview 1 Offers [2 Instances] 3 Templates 4 Keys 5 Activity 6 Profiles
		KEY OF INSTANCE 1                                                shown this once
		--------------------------------------------------------------------------------

		0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef

		 y copies it, w keeps it in a file of yours. Esc or Enter leaves it.

		 With it programs can start, stop and destroy this instance, and nothing else.
		 The instance itself has it, too. The service never says it again, and rentty
		 forgets it when it ends.











		y copy  w keep in a file  Esc leave"
	`);
});

test('the same at 140x40', async () => {
	await using rentty = await openWithKey({columns: 140, rows: 40});
	await rentty.sees('$100.00');
	expect(await rentty.frame()).toMatchInlineSnapshot(`
		" rentty   practice market . no money  . $0.006/h max 0.49  1 no end $0.006/h . today $0.00 . $100.00 lasts 8-749d              ~ 1  12:41:00
		 0 Overview    1 Offers   [2 Instances]   3 Templates    4 Keys    5 Activity    6 Profiles
		KEY OF INSTANCE 1                                                                                                            shown this once
		--------------------------------------------------------------------------------------------------------------------------------------------

		0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef

		 y copies it, w keeps it in a file of yours. Esc or Enter leaves it.

		 With it programs can start, stop and destroy this instance, and nothing else.
		 The instance itself has it, too. The service never says it again, and rentty forgets it when it ends.




























		y copy  w keep in a file  Esc leave"
	`);
});

test('where there is little room the whole key is there, and what can be done', async () => {
	await using rentty = await openWithKey();
	rentty.resize(48, 14);
	const shown = await rentty.sees(/\n[0-9a-f]{48}\n[0-9a-f]{16}\n/);
	expect(shown.replaceAll('\n', '')).toContain(rentty.key);
	expect(shown).toContain('w keeps it in a file');
});

/** The key of an instance is as long as a book, and would clear the screen. */
const hostile: Fault = async ({forward, response}) => {
	const {status, body} = await forward();
	const key = JSON.stringify(`\u001B[2J${'k'.repeat(20_000)}`);
	const text = body.toString('utf8').replace(/("instance_api_key":\s*)"[^"]*"/, `$1${key}`);
	response.writeHead(status, {'content-type': 'application/json'}).end(text);
};

test('a key as long as a book commands no terminal, and leaves room for what can be done', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.review();
	rentty.proxy.next({method: 'PUT', path: '/api/v0/asks/'}, hostile);
	rentty.agree();
	await rentty.leaveKey();
	rentty.type('Y');
	const shown = await rentty.sees('KEY OF INSTANCE');
	expect(shown).toContain('kkkkkkkk');
	expect(shown).toContain('w keeps it in a file of yours');
	expect(rentty.written()).not.toContain('\u001B[2Jk');
});
