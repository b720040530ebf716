import {expect, test} from 'vitest';
import {openRentable} from '../../../helpers/rentable.ts';
import {makeTemplate, openOn, rentals} from './open-rent.ts';

const TORCH = {
	name: 'torch',
	image: 'a/torch',
	tag: '2.6',
	runtype: 'ssh',
	env: '-e TZ=UTC -e MODE=a',
};

test('Ctrl-C in a form with changes asks before they are lost', async () => {
	await using market = await openRentable();
	await using rentty = await openOn(market);
	await rentty.openForm();
	await rentty.keys('g', 'j', '\r', ...'a/b'.split(''), '\r');
	await rentty.sees('a/b');
	rentty.type('\u0003');
	expect(await rentty.sees('DISCARD DRAFT')).toContain('changed: image');
	rentty.pass(1000);
	rentty.type('n');
	await rentty.sees('Review and rent');
	rentty.type('\u0003');
	await rentty.sees('DISCARD DRAFT');
	rentty.agree();
	await rentty.sees('filter>');
});

test('what was typed is kept while another tab is looked at', async () => {
	await using market = await openRentable();
	await using rentty = await openOn(market);
	await rentty.openForm();
	await rentty.keys('g', 'j', '\r', ...'a/b'.split(''), '\r', '2');
	await rentty.sees('[2 Instances');
	await rentty.keys('1');
	expect(await rentty.sees('Review and rent')).toContain('a/b');
});

test('a rental over the spend guard asks for a sentence to be typed', async () => {
	await using market = await openRentable();
	const {hash} = await makeTemplate(market, TORCH);
	const spend = {askOverPerHour: 0.01, fleetMaxPerHour: null};
	await using rentty = await openOn(market, {settings: {templateHash: hash, spend}});
	await rentty.openForm();
	const review = await rentty.review();
	expect(review).toMatch(/over your guard of \$0\.0100\/h for one\s+rental/);
	const sentence = /type: (spend \$[\d.]+\/h)/.exec(review)?.[1] ?? '';
	rentty.pass(1000);
	await rentty.keys('y', '\r');
	expect(await rentals(market)).toEqual([]);
	await rentty.sees('Review and rent');
	await rentty.review();
	rentty.pass(1000);
	await rentty.keys(...sentence.split(''), '\r');
	await rentty.sees('Rented: instance');
});

test('one like an instance is rented on an equal offer', async () => {
	await using market = await openRentable();
	await market.rent({
		image: 'a/like:3',
		disk: 77,
		onstart: 'echo 1',
		env: {HF_HOME: '/w'},
		target_state: 'stopped',
	});
	await using rentty = await openOn(market);
	await rentty.keys('2');
	await rentty.sees('1 of 1');
	rentty.type('r');
	const form = await rentty.sees('Review and rent');
	expect(form).toMatch(/image +a\/like:3 +like 1/);
	expect(form).toMatch(/disk GB +77/);
	expect(form).toMatch(/env +1 added/);
});

test('a copied request says every field and no secret', async () => {
	await using market = await openRentable();
	const {hash} = await makeTemplate(market, TORCH);
	await using rentty = await openOn(market, {
		settings: {templateHash: hash},
		columns: 140,
		rows: 40,
	});
	await rentty.openForm();
	await rentty.keys(
		'g',
		...'jjjjjjj'.split(''),
		'\r',
		'n',
		...'HF_TOKEN=hf_verysecret'.split(''),
		'\r',
		'q',
	);
	await rentty.sees('1 added');
	await rentty.keys('y');
	await rentty.sees('COPY THE REQUEST');
	await rentty.keys('\r');
	const copied = await rentty.sees('HF_TOKEN=***');
	expect(copied).toMatch(/rentty rent \d+ --disk 40 --template [0-9a-f]+ --env/);
	expect(copied).not.toContain('verysecret');
});
