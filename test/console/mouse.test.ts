import {Buffer} from 'node:buffer';
import {expect, test} from 'vitest';
import {followMouse} from '../../source/console/app/mouse.ts';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';
import {MOUSE_QUESTION} from '../../source/console/terminal/input/keys.ts';
import {openTestConsole, type TestConsoleOptions} from '../helpers/console/console.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {openTestMarket} from '../helpers/market/market.ts';
import {createSettingsStore} from '../helpers/settings-store.ts';

const asked = '\u001B[?1000h\u001B[?1002h\u001B[?1006h';
const left = '\u001B[?1000l\u001B[?1002l\u001B[?1006l';

const wheel = (step: 'up' | 'down') => `\u001B[<${step === 'up' ? 64 : 65};10;10M`;
const at = (button: number, column: number, row: number, end = 'M') =>
	`\u001B[<${button};${column + 1};${row + 1}${end}`;
const click = (column: number, row: number) => at(0, column, row) + at(0, column, row, 'm');
const drag = (from: readonly [number, number], to: readonly [number, number]) =>
	at(0, ...from) + at(32, ...to) + at(0, ...to, 'm');

/** A console that has the mouse, and clicks on texts of its screen. */
function openWithMouse(options: TestConsoleOptions) {
	const settings = createSettingsStore({...defaultSettings, mouse: true});
	const rentty = openTestConsole({settings, ...options});
	/** Where the screen shows a text. */
	async function placeOf(text: string): Promise<readonly [column: number, row: number]> {
		const lines = (await rentty.sees(text)).split('\n');
		const row = lines.findIndex(line => line.includes(text));
		return [lines[row]?.indexOf(text) ?? -1, row];
	}
	return {
		...rentty,
		placeOf,
		clickOn: async (text: string) => rentty.type(click(...(await placeOf(text)))),
		[Symbol.asyncDispose]: rentty[Symbol.asyncDispose],
	};
}

test('a terminal that says nothing of a mouse keeps it', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	expect(rentty.written()).not.toContain(asked);
	// Reports that come all the same move nothing.
	rentty.type(wheel('down') + click(5, 12));
	rentty.type('j');
	await rentty.sees('2 of ');
});

test('a terminal that says that it has a mouse has it reported, until the settings leave it', async () => {
	await using market = await openTestMarket({offers: 60});
	const settings = createSettingsStore(defaultSettings);
	const environment = {TERM: 'xterm-256color', LANG: 'C'};
	await using rentty = openTestConsole({service: market, settings, environment});
	await rentty.sees('1 of ');
	expect(rentty.written()).toContain(MOUSE_QUESTION);
	await expect.poll(rentty.written).toContain(asked);
	settings.change({mouse: false});
	await expect.poll(rentty.written).toContain(left);
});

test.each([
	['\u001B[?1006;2$y', true],
	['\u001B[?1006;1$y', true],
	['\u001B[?1006;0$y', false],
	['\u001B[?1006;4$y', false],
])('the answer %j of a terminal means that it has a mouse: %s', (answer, isReported) => {
	const set: boolean[] = [];
	const mouse = followMouse({
		settings: createSettingsStore(defaultSettings),
		environment: {TERM: 'xterm'},
		terminal: {setMouse: value => void set.push(value), ask: () => {}},
		tmuxMouse: async () => !isReported,
	});
	expect(mouse.read(answer)).toBeUndefined();
	expect(set.at(-1)).toBe(isReported);
	expect(mouse.read(wheel('up')) !== undefined).toBe(isReported);
	mouse.stop();
});

test.each([true, false])('in tmux the choice of its user counts: %s', async isOn => {
	const set: boolean[] = [];
	const sent: string[] = [];
	const mouse = followMouse({
		settings: createSettingsStore(defaultSettings),
		environment: {TERM: 'tmux-256color', TMUX: '/tmp/tmux-0/default,1,0'},
		terminal: {setMouse: value => void set.push(value), ask: text => void sent.push(text)},
		tmuxMouse: async () => isOn,
	});
	await expect.poll(() => set).toEqual([false, isOn]);
	expect(sent).toEqual([]);
	mouse.stop();
});

test('the wheel moves the cursor, a click puts it on a row, and another one opens that', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openWithMouse({service: market});
	await rentty.sees('1 of ');
	rentty.type(wheel('down'));
	await rentty.sees('2 of ');
	rentty.type(wheel('up'));
	await rentty.sees('1 of ');
	const lines = (await rentty.shown()).split('\n');
	const first = lines.findIndex(line => line.startsWith('> '));
	const [fifth = ''] = /\d+x [^ ]+ [^ ]+/.exec(lines[first + 4] ?? '') ?? [];
	rentty.type(click(12, first + 4));
	await rentty.sees('5 of ');
	rentty.type(click(12, first + 4));
	await rentty.sees(new RegExp(`Offers > \\d+ +${fifth} .* 5 of `));
});

test('clicks on tabs, hints and pages do what their keys do, and heads order', async () => {
	await using market = await openFleetMarket();
	await using rentty = openWithMouse({service: market});
	await rentty.sees('1 of ');
	await rentty.clickOn('ALL-IN');
	await rentty.sees(/ALL-IN\^|\^ALL-IN|ALL-I\^/);
	await rentty.clickOn('2 Instances');
	await rentty.sees(/\[2 Instances.*1 of 4/s);
	await rentty.clickOn('Enter detail');
	await rentty.sees('[Timeline]');
	await rentty.clickOn('Ports');
	await rentty.sees('[Ports]');
});

test('a button of a question is clicked as it is pressed: not before its word is typed', async () => {
	await using market = await openFleetMarket();
	await using rentty = openWithMouse({service: market, now: () => new Date()});
	rentty.type('2');
	await rentty.sees(/stuck.*1 of 4/s);
	rentty.type('G');
	await rentty.sees('4 of 4');
	await rentty.clickOn('x destroy  X');
	await rentty.sees('[ Destroy ]');
	// The question listens once it could be read.
	await expect
		.poll(
			async () => {
				await rentty.clickOn('[ Destroy ]');
				return rentty.shown();
			},
			{timeout: 10_000, interval: 200},
		)
		.toContain('Not yet: type destroy first.');
	await rentty.clickOn('[ Cancel ]');
	await rentty.sees('4 of 4');
});

test('a click puts the cursor of a form on a field, another one edits it, and buttons are pressed', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openWithMouse({service: market});
	await rentty.sees('1 of ');
	rentty.type('r');
	await rentty.clickOn('  label');
	await rentty.sees(/> label/);
	await rentty.clickOn('> label');
	await rentty.sees('Enter take it');
	rentty.type('job\r');
	await rentty.sees(/label +job/);
	await rentty.clickOn('[ Cancel ]');
	await rentty.sees('1 of ');
});

test('the edge of the pane is dragged, within what the list and the pane need', async () => {
	await using market = await openFleetMarket();
	await using rentty = openWithMouse({service: market, columns: 140, rows: 40});
	rentty.type('2');
	const [edge, row] = await rentty.placeOf('| BURN');
	expect(edge).toBe(100);
	rentty.type(drag([edge, row], [edge - 10, row]));
	await expect.poll(async () => (await rentty.placeOf('| BURN'))[0]).toBe(90);
	rentty.type(drag([90, row], [20, row]));
	await expect.poll(async () => (await rentty.placeOf('| BURN'))[0]).toBe(80);
	rentty.type('1');
	const [pane, top] = await rentty.placeOf('| SELECTED');
	rentty.type(drag([pane, top], [pane + 5, top]));
	await expect.poll(async () => (await rentty.placeOf('| SELECTED'))[0]).toBe(pane + 5);
});

test('what is dragged over is selected within its part of the screen, copied, and let go by a key', async () => {
	await using market = await openFleetMarket();
	await using rentty = openWithMouse({service: market, columns: 140, rows: 40});
	rentty.type('2');
	await rentty.sees(/stuck.*1 of 4/s);
	const [column, row] = await rentty.placeOf('train-c');
	const inverse = () =>
		rentty.emulator.buffer.active.getLine(row)?.getCell(column)?.isInverse() ?? 0;
	rentty.type('j');
	await rentty.sees('2 of 4');
	const lines = (await rentty.shown()).split('\n');
	expect(inverse()).toBe(0);
	rentty.type(drag([column, row], [column + 6, row + 1]));
	await rentty.sees('Copied through the terminal; Shift and the mouse select');
	expect(inverse()).not.toBe(0);
	// oxlint-disable-next-line no-control-regex -- the sequence of the clipboard begins with it
	const [, encoded = ''] = /\u001B\]52;c;([^\u0007]*)\u0007/.exec(rentty.written()) ?? [];
	const [first = '', second = ''] = Buffer.from(encoded, 'base64').toString('utf8').split('\n');
	expect(first).toBe(lines[row]?.slice(column, 100).trimEnd());
	expect(second).toBe(lines[row + 1]?.slice(0, column + 7).trimEnd());
	rentty.type('k');
	await rentty.sees('1 of 4');
	rentty.type('j');
	await rentty.sees('2 of 4');
	expect(inverse()).toBe(0);
});

test('a click on what has moved meanwhile does nothing', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openWithMouse({service: market});
	await rentty.sees('1 of ');
	const [column, row] = await rentty.placeOf('2 Instances');
	rentty.type(at(0, column, row));
	rentty.type('5');
	await rentty.sees('[5 Activity]');
	rentty.type(at(0, column, row, 'm'));
	rentty.type('1');
	await rentty.sees('[1 Offers]');
});

test('an entry of the palette is chosen by a click, and run by a second one', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openWithMouse({service: market});
	await rentty.sees('1 of ');
	rentty.type(':');
	await rentty.sees(': command');
	rentty.type('template');
	await rentty.sees('> templateHash');
	await rentty.clickOn('  go to Templates  ');
	await rentty.sees('> go to Templates');
	// The line that the words are typed in runs nothing.
	await rentty.clickOn(': template');
	await rentty.sees('> go to Templates');
	await rentty.clickOn('> go to Templates');
	await rentty.sees('[3 Templates]');
	await expect.poll(rentty.shown).not.toContain(': command');
});
