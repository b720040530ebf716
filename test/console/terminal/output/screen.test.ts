import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	createScreen,
	regionStart,
	type TerminalScreen,
} from '../../../../source/console/terminal/output/screen.ts';
import {openScreen} from './open-screen.ts';
import {encodeLine, encodePlainly, openEmulator} from './emulator.ts';
import {sizes, steps} from './steps.ts';
import {frameOf, shownOf, type World} from './world.ts';
import {runs} from '../../../helpers/property.ts';

const emptyWorld = {
	base: [],
	regions: [],
	dialog: undefined,
	painted: [[], []],
	cursor: undefined,
	spoilt: 0,
};

/** Tells the screen what changed in the world; gives what should have happened to the terminal before. */
function tell(screen: TerminalScreen, before: World, now: World): void {
	const isResized = before.columns !== now.columns || before.rows !== now.rows;
	if (isResized) screen.resize(now.columns, now.rows);
	if (before.spoilt !== now.spoilt) screen.forget();
	if (before.cursor !== now.cursor) screen.placeCursor(now.cursor);
	for (const [region, rows] of now.painted.entries()) {
		if (rows !== before.painted[region]) screen.paint(region, rows.map(encodeLine));
	}
	screen.draw(frameOf(now).map(encodeLine).join('\n'));
}

const rubbish = '\u001B[?7l\u001B[3;2H\u001B[45;1mrubbish 漢字\u001B[2;1H\u001B[L\u001B[?7h';

/** Whether a stream of updates leaves the cursor visible. */
function isCursorVisible(stream: string): boolean {
	return stream.lastIndexOf('\u001B[?25h') > stream.lastIndexOf('\u001B[?25l');
}

function cursorOf({cursor, rows, columns}: World): World['cursor'] {
	return (
		cursor && {row: Math.min(cursor.row, rows - 1), column: Math.min(cursor.column, columns - 1)}
	);
}

test('whatever is drawn, painted, scrolled and resized, the terminal shows it cell by cell', async () => {
	const cases = fc.record({
		size: sizes,
		list: fc.array(steps, {minLength: 1, maxLength: 12}),
		isSynchronized: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(cases, async ({size, list, isSynchronized}) => {
			const emulator = openEmulator(size.columns, size.rows);
			const reference = openEmulator(size.columns, size.rows);
			let updates: string[] = [];
			let stream = '';
			const write = (data: string) => updates.push(data);
			const screen = createScreen({...size, write, isSynchronized});
			let world: World = {...emptyWorld, ...size};
			screen.draw('');
			await emulator.write(updates.join(''));
			for (const step of list) {
				const now = step.change(world);
				if (step.name === 'resize') emulator.resize(now.columns, now.rows);
				if (step.name === 'resize') reference.resize(now.columns, now.rows);
				const scrolled = emulator.scrolled();
				updates = step.name === 'spoil' ? [rubbish] : [];
				tell(screen, world, now);
				expect(updates.filter(update => update !== rubbish).length).toBeLessThanOrEqual(1);
				stream += updates.join('');
				await Promise.all([
					emulator.write(updates.join('')),
					reference.write(encodePlainly(shownOf(now))),
				]);
				expect(emulator.cells()).toEqual(reference.cells());
				expect(emulator.scrolled()).toBe(scrolled);
				expect(isCursorVisible(stream) ? emulator.cursor() : undefined).toEqual(cursorOf(now));
				updates = [];
				tell(screen, now, now);
				expect(updates).toEqual([]);
				world = now;
			}
		}),
		{numRuns: runs(150)},
	);
});

/** A header, thirty-four rows of a painted region, and a footer. */
function tableFrame(columns: number): string {
	const region = Array.from({length: 34}, (_, row) => regionStart(0, row));
	const rule = '─'.repeat(columns);
	return [
		'\u001B[1mrentty\u001B[22m',
		rule,
		' id',
		...region,
		rule,
		'\u001B[7m r \u001B[27m rent',
	].join('\n');
}

function tableRows(first: number, chosen: number): readonly string[] {
	return Array.from({length: 34}, (_, row) => {
		const id = String(100_000 + (first + row) * 7919).padEnd(9);
		const [mark, cell] = first + row === chosen ? ['›', `\u001B[7m${id}\u001B[27m`] : [' ', id];
		const price = `\u001B[33m${(0.2 + ((first + row) % 37) / 10).toFixed(3)}\u001B[39m`;
		return `${mark} ${cell} 8x \u001B[32mH100 SXM\u001B[39m ${price} United States, California   verified ${id}${id}`;
	});
}

test('moving the cursor in a table and scrolling it take few bytes', () => {
	const {screen, taken} = openScreen(120, 40);
	screen.draw(tableFrame(120));
	screen.paint(0, tableRows(0, 3));
	taken();
	screen.paint(0, tableRows(0, 4));
	expect(taken().map(update => Buffer.byteLength(update) <= 50)).toEqual([true]);
	screen.paint(0, tableRows(0, 30));
	expect(taken().map(update => Buffer.byteLength(update) <= 60)).toEqual([true]);
	screen.paint(0, tableRows(0, 33));
	taken();
	screen.paint(0, tableRows(1, 34));
	expect(taken().map(update => Buffer.byteLength(update) <= 200)).toEqual([true]);
	screen.paint(0, tableRows(0, 33));
	expect(taken().map(update => Buffer.byteLength(update) <= 200)).toEqual([true]);
});

test('the first frame clears the screen but not what was scrolled away, as does one after forgetting', () => {
	const {screen, taken} = openScreen(10, 3);
	const whole = '\u001B[?25l\u001B[m\u001B[H\u001B[2Ja\r\nb';
	screen.draw('a\nb');
	expect(taken()).toEqual([whole]);
	screen.draw('a\nb');
	screen.paint(0, ['not to be seen']);
	expect(taken()).toEqual([]);
	screen.forget();
	screen.draw('a\nb');
	expect(taken()).toEqual([whole]);
	screen.forget();
	screen.paint(0, ['not to be seen']);
	expect(taken()).toEqual([whole]);
});

test('after a resize nothing is written before a frame of that size comes', () => {
	const {screen, taken} = openScreen(10, 3);
	screen.draw(regionStart(0, 0));
	screen.resize(4, 1);
	taken();
	screen.paint(0, ['abcdef']);
	expect(taken()).toEqual([]);
	screen.draw(`${regionStart(0, 0)}\nmore`);
	expect(taken()).toEqual(['\u001B[?25l\u001B[m\u001B[H\u001B[2Jabcd']);
});

test('a frame that fills the last cell scrolls nothing', async () => {
	const emulator = openEmulator(6, 3);
	const {screen, taken} = openScreen(6, 3);
	for (const letter of ['a', 'b', '漢', 'c']) {
		const line = letter.repeat(letter === '漢' ? 3 : 6);
		screen.draw([line, line, line, line].join('\n'));
		await emulator.write(taken().join(''));
		expect(emulator.text()).toEqual([line, line, line]);
	}
	expect(emulator.scrolled()).toBe(0);
});

test('a long update is shown at once, where the terminal can', () => {
	const long = Array.from({length: 5}, () => 'x'.repeat(40)).join('\n');
	const {screen, taken} = openScreen(40, 5);
	screen.draw(long);
	const [update = ''] = taken();
	expect(update.startsWith('\u001B[?2026h')).toBe(true);
	expect(update.endsWith('\u001B[?2026l')).toBe(true);
	const other = openScreen(40, 5, false);
	other.screen.draw(long);
	expect(other.taken().join('').includes('2026')).toBe(false);
});

test('the cursor is shown where it is placed, and written only when it or the screen changed', () => {
	const {screen, taken} = openScreen(10, 3);
	screen.placeCursor({row: 1, column: 2});
	expect(taken()).toEqual([]);
	screen.draw('a');
	expect(taken()).toEqual(['\u001B[?25l\u001B[m\u001B[H\u001B[2Ja\u001B[2;3H\u001B[?25h']);
	screen.placeCursor({row: 1, column: 2});
	expect(taken()).toEqual([]);
	screen.draw('b');
	expect(taken()).toEqual(['\u001B[Hb\u001B[2;3H']);
	screen.placeCursor({row: 1, column: 3});
	expect(taken()).toEqual(['\u001B[2;4H']);
	screen.placeCursor(undefined);
	expect(taken()).toEqual(['\u001B[?25l']);
	screen.draw('c');
	expect(taken()).toEqual(['\u001B[Hc']);
});

test('the cursor does not wander about during a long update', () => {
	const {screen, taken} = openScreen(80, 5, false);
	screen.draw('');
	screen.placeCursor({row: 1, column: 2});
	taken();
	screen.draw(Array.from({length: 5}, () => 'long '.repeat(15)).join('\n'));
	const [update = ''] = taken();
	expect(update.startsWith('\u001B[?25l')).toBe(true);
	expect(update.endsWith('\u001B[2;3H\u001B[?25h')).toBe(true);
});

test('the bytes written are counted', () => {
	const {screen, taken} = openScreen(10, 3);
	screen.draw('漢');
	expect(screen.bytes).toBe(Buffer.byteLength(taken().join('')));
});

test('what a batch draws and paints is one update', () => {
	const {screen, taken} = openScreen(10, 3);
	screen.draw(`a\n${regionStart(0, 0)}`);
	taken();
	screen.batch(() => {
		screen.draw(`b\n${regionStart(0, 0)}`);
		screen.paint(0, ['c']);
	});
	expect(taken()).toEqual(['\u001B[Hb\r\nc']);
});
