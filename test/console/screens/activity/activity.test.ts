import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console.ts';
import {openTestMarket} from '../../../helpers/market.ts';

const at = (minute: number) => new Date(2026, 10, 21, 12, minute, 5).toISOString();

type Line = Readonly<Record<string, unknown>>;

const wish = (request: string, minute: number, about: Line) => ({
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
	wish('r1', 1, {action: 'instances.create', target: 7_288_004, price: 1.66, label: 'train-c'}),
	answer('r1', 1, {outcome: 'done', instance: 8_812_519, status: 200}),
	wish('r2', 14, {action: 'instances.change', target: 8_812_519, label: 'a\u001B]0;owned\u0007b'}),
	answer('r2', 14, {outcome: 'refused', status: 429, says: 'too\nmany requests'}),
	wish('r3', 20, {action: 'instances.change', target: 8_812_519, state: 'stopped'}),
	wish('r4', 31, {action: 'instances.destroy', target: 8_812_519, label: 'train-c'}),
	answer('r4', 31, {outcome: 'lost', says: 'the connection broke'}),
	answer('r4', 32, {outcome: 'gone'}),
];

/** The screen of all that happened, as the journal of earlier days has it. */
async function openActivity(written: readonly Line[], columns = 80, rows = 24) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-journal-'));
	const journalFile = join(folder, 'journal');
	writeFileSync(journalFile, written.map(line => `${JSON.stringify(line)}\n`).join(''));
	const market = await openTestMarket();
	const service = {url: market.url, key: market.key, journalFile};
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

test('all that was changed is listed, the newest first, at 80x24', async () => {
	await using rentty = await openActivity(lines);
	expect(await rentty.sees('1 of 4')).toMatchInlineSnapshot();
});

test('at 140x40 what came of it has the room', async () => {
	await using rentty = await openActivity(lines, 140, 40);
	expect(await rentty.sees('1 of 4')).toMatchInlineSnapshot();
});

test('one entry is shown with all its answers, and copied as a line of JSON', async () => {
	await using rentty = await openActivity(lines);
	await rentty.sees('1 of 4');
	rentty.type('\r');
	expect(await rentty.sees('answer lost')).toMatchInlineSnapshot();
	rentty.type('y');
	await rentty.sees(/^\{"wish":\{"kind":"wish","request":"r4"/m);
	rentty.type('\u001B');
	await rentty.sees('1 of 4');
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
	await using rentty = await openActivity(lines);
	await rentty.sees(/refused, too.many requests/);
	expect(rentty.written()).not.toContain('\u001B]0;owned');
});

test('a line that was cut off, or is of another version, hides no other', async () => {
	await using rentty = await openActivity([{kind: 'later'}, ...lines.slice(0, 2), {}]);
	await rentty.sees('1 of 1');
});

test('where nothing was changed, that is said', async () => {
	await using rentty = await openActivity([]);
	await rentty.sees('Nothing was changed from here yet.');
});
