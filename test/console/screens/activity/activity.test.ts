import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

const at = (minute: number) => new Date(2026, 10, 21, 12, minute, 5).toISOString();

type Line = Readonly<Record<string, unknown>>;

const change = (request: string, minute: number, about: Line) => ({
	kind: 'wish',
	request,
	at: at(minute),
	profile: 'prod',
	...about,
});
const answer = (request: string, minute: number, said: Line) => ({
	kind: 'answer',
	request,
	at: at(minute),
	...said,
});

const lines: readonly Line[] = [
	change('r1', 1, {action: 'instances.create', target: 7_288_004, price: 1.66, label: 'train-c'}),
	answer('r1', 1, {outcome: 'done', instance: 8_812_519, status: 200}),
	change('r2', 14, {
		action: 'instances.change',
		target: 8_812_519,
		label: 'a\u001B]0;owned\u0007b',
	}),
	answer('r2', 14, {outcome: 'refused', status: 429, says: 'too\nmany requests'}),
	change('r3', 20, {action: 'instances.change', target: 8_812_519, state: 'stopped'}),
	change('r4', 31, {action: 'instances.destroy', target: 8_812_519, label: 'train-c'}),
	answer('r4', 31, {outcome: 'lost', says: 'the connection broke'}),
	answer('r4', 32, {outcome: 'gone'}),
];

/** The screen of all that happened, as the journal of earlier days has it. */
async function openActivity(written: readonly Line[], columns = 80, rows = 24) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-journal-'));
	const journalFile = join(folder, 'journal');
	writeFileSync(journalFile, written.map(line => `${JSON.stringify(line)}\n`).join(''));
	const market = await openTestMarket();
	const service = {url: market.url, key: market.key, journalFile, profile: 'prod'};
	const rentty = openTestConsole({service, columns, rows});
	rentty.type('5');
	return {
		...rentty,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market.close();
			rmSync(folder, {recursive: true});
		},
	};
}

test('an instance that is not as ordered stands with its rental, as trouble', async () => {
	const says = 'disk 20 GB\u001B[2J instead of 40 GB';
	const unlike = answer('r1', 2, {outcome: 'differs', instance: 8_812_519, says});
	await using rentty = await openActivity([...lines.slice(0, 2), unlike], 120);
	await rentty.sees('not as ordered, instance 8812519, disk 20 GB');
	rentty.type('\r');
	expect(await rentty.sees('asked for')).toMatch(
		/not as ordered, instance 8812519\n.*instead of 40 GB/,
	);
});

test('all that was changed is listed, the newest first, at 80x24', async () => {
	await using rentty = await openActivity(lines);
	expect(await rentty.sees(/12:41.*1 of 4/s)).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances 3 Templates 4 Keys [5 Activity] 6 Profiles
		filter>                                                                4 entries
		--------------------------------------------------------------------------------
		  TIME        WHAT             ABOUT                        $ RESULT
		> 12:31:05    destroy          8812519 train-c              - gone
		| 12:20:05    stop             8812519                      - not answered
		| 12:14:05    label            8812519 a�]0;owned�b         - refused, too many~
		  12:01:05    rent             7288004 train-c          $1.66 done, instance 88~












		------------------------------------------------------------------------ 1 of 4

		Enter detail  y copy  / filter  v seen  R refresh  ? help  a actions  q quit"
	`);
});

test('at 140x40 what came of it has the room', async () => {
	await using rentty = await openActivity(lines, 140, 40);
	expect(await rentty.sees(/12:41.*1 of 4/s)).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                                                                                12:41:07
		 0 Overview    1 Offers    2 Instances    3 Templates    4 Keys   [5 Activity]   6 Profiles
		filter>                                                                                                                            4 entries
		--------------------------------------------------------------------------------------------------------------------------------------------
		  TIME        WHAT             ABOUT                        $ RESULT
		> 12:31:05    destroy          8812519 train-c              - gone
		| 12:20:05    stop             8812519                      - not answered
		| 12:14:05    label            8812519 a�]0;owned�b         - refused, too many requests
		  12:01:05    rent             7288004 train-c          $1.66 done, instance 8812519




























		------------------------------------------------------------------------------------------------------------------------------------ 1 of 4

		Enter detail  y copy  / filter  v seen  R refresh  ? help  a actions  q quit"
	`);
});

test('one entry is shown with all its answers, and copied as a line of JSON', async () => {
	await using rentty = await openActivity(lines);
	await rentty.sees(/12:41.*1 of 4/s);
	rentty.type('\r');
	expect(await rentty.sees('answer lost')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances 3 Templates 4 Keys [5 Activity] 6 Profiles
		Activity > destroy 8812519 train-c

		 when        2026-11-21 12:31:05
		 what        destroy
		 about       8812519 train-c
		 price       -
		 profile     prod
		 request     r4
		 asked for   instances.destroy

		 12:31:05    answer lost
		             the connection broke
		 12:32:05    gone








		Esc back  y copy  ? help  a actions  q quit"
	`);
	rentty.type('y');
	await rentty.sees(/^\{"change":\{.*"request":"r4"/m);
	rentty.type('\u001B');
	await rentty.sees('1 of 4');
});

test('a long answer of a service is broken, and an entry longer than the screen is scrolled', async () => {
	const says = Array.from({length: 300}, (_, word) => `word${word}`).join(' ');
	await using rentty = await openActivity([
		...lines.slice(0, 1),
		answer('r1', 1, {outcome: 'refused', status: 400, says}),
	]);
	await rentty.sees('1 of 1');
	rentty.type('\r');
	expect(await rentty.sees('word9 ')).not.toContain('word299');
	rentty.type('\u001B[6~');
	rentty.type('\u001B[6~');
	rentty.type('\u001B[6~');
	await rentty.sees('word299');
	rentty.type('kkk');
	await rentty.sees('word0 word1 ');
});

test('the filter takes words in any order, and Esc takes it away again', async () => {
	await using rentty = await openActivity(lines);
	await rentty.sees('1 of 4');
	rentty.type('/');
	await rentty.sees('filter> _');
	rentty.type('gone DESTROY');
	await rentty.sees('1 of 4 entries');
	rentty.type('\r');
	await rentty.sees('1 of 1');
	rentty.type('/');
	rentty.type('x');
	await rentty.sees('Nothing fits the filter.');
	rentty.type('\r');
	rentty.type('\u001B');
	await rentty.sees('4 entries');
});

test('a label and an answer of a service do nothing to the terminal', async () => {
	await using rentty = await openActivity(lines, 140, 40);
	await rentty.sees(/refused, too.many requests/);
	expect(rentty.written()).not.toContain('\u001B]0;owned');
});

test('a line that was cut off, or is of another version, hides no other', async () => {
	await using rentty = await openActivity([{kind: 'later'}, ...lines.slice(0, 2), {}]);
	await rentty.sees('1 of 1');
});

test('where nothing was changed, that is said', async () => {
	await using rentty = await openActivity([]);
	await rentty.sees('Nothing has been changed from here yet.');
});

test('in a detail the keys of tabs lead there', async () => {
	await using rentty = await openActivity(lines);
	await rentty.sees('1 of 4');
	rentty.type('\r');
	await rentty.sees('answer lost');
	rentty.type('1');
	await rentty.sees('[1 Offers]');
});
