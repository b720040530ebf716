import {stripVTControlCharacters} from 'node:util';
import {cleanup, render} from 'ink-testing-library';
import {afterEach, expect, test} from 'vitest';
import type {ActionTarget} from '../../../source/console/ui/confirmation.ts';
import {Choice, Dialog} from '../../../source/console/ui/dialog.tsx';
import {KeymapRoot} from '../../../source/console/ui/key-scope.tsx';
import {createKeymap} from '../../../source/console/ui/keymap.ts';
import {createTheme} from '../../../source/console/ui/theme.ts';

// What stays drawn asks for the terminal's size once more when its process ends.
afterEach(cleanup);

const theme = createTheme({NO_COLOR: '1', LANG: 'C'});
const size = {columns: 78, rows: 20};
const trainC: ActionTarget = {
	id: 8_812_519,
	name: 'train-c',
	detail: '4x RTX 4090  STUCK loading 14m',
	state: 'loading',
	level: 1,
};
const infer: ActionTarget = {
	id: 8_812_111,
	name: 'infer-3',
	detail: '1x RTX 4090  DEAD offline 9m',
	state: 'offline',
	level: 2,
};

/** The keys that type a text. */
const letters = (text: string) => text.split('');

/** A question on a screen of its own, with a clock that is moved by hand. */
function openDialog(targets: readonly ActionTarget[], canChoose = false, rows = size.rows) {
	const keymap = createKeymap();
	const outcomes: string[] = [];
	const said: string[] = [];
	let now = 0;
	let height = rows;
	let last: readonly ActionTarget[] | undefined;
	const dialog = (present?: readonly ActionTarget[]) => (
		<KeymapRoot keymap={keymap}>
			<Dialog
				question={{verb: 'destroy', noun: 'instance', targets, canChoose}}
				{...(present !== undefined && {present})}
				facts={[['What happens', 'Everything on the disk is deleted for good.']]}
				theme={theme}
				size={{...size, rows: height}}
				now={() => new Date(new Date(2026, 10, 21, 12, 41, 7).getTime() + now)}
				linkMs={100}
				say={({text}) => said.push(text)}
				onConfirm={gone => outcomes.push(`yes ${gone.map(({id}) => id).join(' ')}`)}
				onCancel={() => outcomes.push('no')}
			/>
		</KeymapRoot>
	);
	const view = render(dialog());
	return {
		outcomes,
		said,
		pass: (ms: number) => (now += ms),
		press: (...keys: readonly string[]) => keys.map(key => keymap.press(key).kind),
		burst: (...keys: readonly string[]) => keys.map((key, at) => keymap.press(key, at > 0).kind),
		present: (present: readonly ActionTarget[]) => view.rerender(dialog((last = present))),
		resize(toRows: number) {
			height = toRows;
			view.rerender(dialog(last));
		},
		shown: () => stripVTControlCharacters(view.lastFrame() ?? '').replaceAll(/ +$/gm, ''),
	};
}

test('keys that were typed before it could be read do nothing, and are counted', async () => {
	const dialog = openDialog([trainC]);
	dialog.press('y', 'Enter', 'Esc');
	expect(dialog.outcomes).toEqual([]);
	await expect.poll(dialog.shown).toContain('Keys typed before this was read were dropped (3).');
	dialog.pass(599);
	dialog.press('y');
	expect(dialog.outcomes).toEqual([]);
	dialog.pass(1);
	dialog.press('y');
	expect(dialog.outcomes).toEqual(['yes 8812519']);
});

test.each<[string, readonly string[], string]>([
	['Enter presses Cancel, which has the focus', ['Enter'], 'no'],
	['Tab goes to the other button, and Enter presses it', ['Tab', 'Enter'], 'yes 8812519'],
	['an arrow goes there and back', ['Right', 'Left', 'Enter'], 'no'],
	['n is no', ['n'], 'no'],
	['Esc is no', ['Esc'], 'no'],
	['Ctrl-C is no', ['Ctrl-C'], 'no'],
])('%s', (_, keys, outcome) => {
	const dialog = openDialog([trainC]);
	dialog.pass(1000);
	dialog.press(...keys);
	expect(dialog.outcomes).toEqual([outcome]);
});

test('a burst never confirms, not even one that says everything', () => {
	const easy = openDialog([trainC]);
	easy.pass(1000);
	easy.burst('j', 'y');
	easy.burst('Tab', 'Enter');
	expect(easy.outcomes).toEqual([]);
	const hard = openDialog([infer]);
	hard.pass(1000);
	hard.burst(...letters('infer-3'), 'Enter');
	expect(hard.outcomes).toEqual([]);
});

test('one that ran is named, letter by letter, before Enter destroys it', async () => {
	const dialog = openDialog([infer]);
	dialog.pass(1000);
	expect(dialog.press('y', 'n')).toEqual(['typed', 'typed']);
	dialog.press('Tab', 'Enter');
	expect(dialog.said).toEqual(['"yn" is not "destroy": nothing was destroyed.']);
	dialog.press('Tab', 'Enter', 'Ctrl-U', 'Tab', 'Enter');
	expect(dialog.said.slice(1)).toEqual([dialog.said[0], 'Not yet: type destroy first.']);
	expect(dialog.outcomes).toEqual([]);
	dialog.press(...letters('infer-3'));
	await expect.poll(dialog.shown).toContain('> [ Destroy ]');
	dialog.press('Enter');
	expect(dialog.outcomes).toEqual(['yes 8812111']);
});

test('a question about two names each of them, and says how it is answered', async () => {
	const dialog = openDialog([trainC, infer]);
	dialog.pass(1000);
	dialog.press(...letters('destroy'));
	await expect.poll(dialog.shown).toContain('> destroy_');
	expect(dialog.shown()).toMatchInlineSnapshot(`
		"DESTROY 2 INSTANCES                                             as of 12:41:07

		 8812519  train-c  4x RTX 4090  STUCK loading 14m
		 8812111  infer-3  1x RTX 4090  DEAD offline 9m

		 What happens  Everything on the disk is deleted for good.

		 To confirm, type: destroy 2
		 > destroy_

		 > [ Cancel ]     [ Destroy 2 ]"
	`);
});

test('a target that starts to run while the dialog is open is said, and asked about anew', async () => {
	const dialog = openDialog([trainC]);
	dialog.pass(1000);
	dialog.present([{...trainC, state: 'running', level: 2}]);
	await expect.poll(dialog.shown).toContain('CHANGED train-c was loading and is now running.');
	dialog.press('y');
	dialog.pass(1000);
	dialog.press('y', 'Enter');
	expect(dialog.outcomes).toEqual([]);
	dialog.press('Esc');
	expect(dialog.outcomes).toEqual(['no']);
});

test('a list that is longer than the screen can be read to its end', async () => {
	const many = Array.from({length: 40}, (_, index) => ({
		...trainC,
		id: index + 1,
		name: `job-${index + 1}`,
	}));
	const dialog = openDialog(many);
	dialog.pass(1000);
	expect(dialog.shown()).not.toContain('job-40');
	dialog.press('PgDn', 'PgDn', 'PgDn', 'PgDn', 'PgDn');
	await expect.poll(dialog.shown).toContain('job-40');
	expect(dialog.shown().split('\n').length).toBeLessThanOrEqual(size.rows);
});

test('what a service sends cannot command the terminal', () => {
	const dialog = openDialog([{...trainC, name: 'a\u001B[2Jb', detail: 'x\r\ny'}]);
	expect(dialog.shown()).toContain('a�[2Jb');
});

test('where targets can be chosen, a blank leaves one out, and within the answer it is a blank', async () => {
	const spare = {...infer, id: 3, name: 'spare'};
	const dialog = openDialog([trainC, infer, spare], true);
	dialog.pass(600);
	dialog.press('Down', 'Down', 'Down', 'Up', 'Space');
	await expect.poll(dialog.shown).toContain('DESTROY 2 INSTANCES');
	expect(dialog.shown()).toMatch(/ \[x\] 8812519 {2}train-c/);
	expect(dialog.shown()).toMatch(/>\[ \] 8812111 {2}infer-3/);
	expect(dialog.shown()).toContain('To confirm, type: destroy 2');
	dialog.press(...'destroy'.split(''), 'Space', '2', 'Enter');
	expect(dialog.outcomes).toEqual(['yes 8812519 3']);
});

test('where there is little room, what it is about is seen before what is said of it', async () => {
	const dialog = openDialog([trainC, infer], false, 7);
	dialog.pass(1000);
	const shown = dialog.shown();
	expect(shown).toContain('8812519');
	expect(shown).toContain('8812111');
	expect(shown).toContain('[ Cancel ]');
	expect(shown).not.toContain('What happens');
	dialog.press('PgDn', 'PgDn');
	await expect.poll(dialog.shown).toContain('What happens');
});

test('yes counts once the end of the question was seen, and a larger window shows it too', async () => {
	const dialog = openDialog([trainC], false, 4);
	dialog.pass(1000);
	dialog.press('y', 'Tab', 'Enter');
	expect(dialog.outcomes).toEqual([]);
	expect(dialog.said).toContain('Not yet: read it to its end first, with Down or PgDn.');
	dialog.resize(20);
	await expect.poll(dialog.shown).toContain('What happens');
	dialog.resize(4);
	await expect.poll(dialog.shown).not.toContain('What happens');
	dialog.press('y');
	expect(dialog.outcomes).toEqual(['yes 8812519']);
});

test('a change is said in the first lines, and all is to be read again', async () => {
	const dialog = openDialog([trainC], false, 7);
	dialog.pass(1000);
	dialog.press('PgDn');
	dialog.present([{...trainC, state: 'running', level: 1}]);
	await expect.poll(dialog.shown).toContain('CHANGED train-c was loading and is now running.');
	dialog.pass(1000);
	dialog.press('y');
	expect(dialog.outcomes).toEqual([]);
	dialog.press('PgDn', 'PgDn');
	await expect.poll(dialog.shown).toContain('What happens');
	dialog.press('y');
	expect(dialog.outcomes).toEqual(['yes 8812519']);
});

test('a list that one chooses from stays as it is, and the cursor with it, whatever comes meanwhile', async () => {
	const taken: string[] = [];
	const choice = (title: string, ...choices: readonly string[]) => (
		<KeymapRoot keymap={createKeymap()}>
			<Choice
				{...{title, choices, theme, size}}
				chosen="register laptop"
				onType={() => false}
				onChoose={one => taken.push(one)}
				onClose={() => undefined}
			/>
		</KeymapRoot>
	);
	const view = render(choice('Add', 'register laptop', 'an API key'));
	const press = async (key: string, until: () => boolean) => {
		await expect
			.poll(() => {
				if (!until()) view.stdin.write(key);
				return until();
			})
			.toBe(true);
	};
	const frame = () => stripVTControlCharacters(view.lastFrame() ?? '');
	await press('j', () => frame().includes('> an API key'));
	// The second one runs the effects of the first.
	for (const title of ['Later', 'Last']) {
		view.rerender(choice(title, 'register old-mac', 'an API key'));
		await expect.poll(frame).toContain(title.toUpperCase());
	}
	await press('\r', () => taken.length > 0);
	expect(taken).toEqual(['an API key']);
});
