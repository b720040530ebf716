import {expect, test} from 'vitest';
import {
	MOST_KEPT_LINES,
	SPARE_LINES,
} from '../../../../../source/console/screens/instances/logs/log-lines.ts';
import {
	appendLines,
	logsAt,
	narrow,
	rowsInView,
	scroll,
	takeLines,
	type LogState,
} from '../../../../../source/console/screens/instances/logs/log-state.ts';
import {newLineEdit} from '../../../../../source/console/ui/line-edit.ts';

const room = {width: 10, height: 3};
const unread = logsAt({destination: {name: 'instances'}}).get();

/** One line in two is broken. */
const line = (at: number) => (at % 2 === 0 ? `line ${at}` : `${at} is a longer line`);

/** As many lines as are kept at most, and where one stands in them. */
function full(given: Partial<LogState>): LogState {
	const texts = Array.from({length: MOST_KEPT_LINES + SPARE_LINES}, (_, at) => line(at));
	const lines = texts.map(text => ({text}));
	return {...unread, all: lines, lines, ...given};
}

const more = [line(MOST_KEPT_LINES + SPARE_LINES - 1), 'new'];

test('where one stands stays the same when the first lines go', () => {
	for (const isWrapped of [false, true]) {
		const before = full({isWrapped, top: 40_001, hit: 50_000});
		const {state} = takeLines(before, more, {room, now: 0});
		expect(state.lines).toHaveLength(MOST_KEPT_LINES);
		expect(rowsInView(state, room).map(({text}) => text)).toEqual(
			rowsInView(before, room).map(({text}) => text),
		);
		expect(state.lines[state.hit ?? -1]?.text).toBe(line(50_000));
	}
});

test('who stood in lines that are gone stands at the first one, and what was found there is not', () => {
	const {state} = takeLines(full({top: 5, hit: 7}), more, {room, now: 0});
	expect(state).toMatchObject({top: 0, hit: undefined});
});

test('who scrolls to the end follows it again', () => {
	const up = scroll(full({}), room, -10);
	expect(up.top).toBeDefined();
	expect(scroll(up, room, 10).top).toBeUndefined();
	const {state} = takeLines(full({}), more, {room, now: 0});
	expect(rowsInView(state, room).at(-1)?.text).toBe('new');
});

const texts = (state: LogState) => state.lines.map(({text}) => text);

test('a filter leaves lines with its words, or those without, and new ones pass through it too', () => {
	const from = {name: 'train-a', at: 0};
	const lines = ['error: disk', 'step 1', 'ERROR: net', 'step 2'].map(text => ({text, from}));
	const all = appendLines(unread, lines, room);
	const errors = narrow(all, room, newLineEdit('error'));
	expect(texts(errors)).toEqual(['error: disk', 'ERROR: net']);
	expect(texts(appendLines(errors, [{text: 'step 3'}, {text: 'an error'}], room))).toEqual([
		'error: disk',
		'ERROR: net',
		'an error',
	]);
	expect(texts(narrow(errors, room, newLineEdit('!error')))).toEqual(['step 1', 'step 2']);
	expect(texts(narrow(errors, room, newLineEdit('train-a')))).toEqual(texts(all));
	expect(narrow(errors, room, newLineEdit('')).lines).toBe(all.all);
});

test('who filters stays at the line at the top, or at the next one that is left', () => {
	const lines = Array.from({length: 100}, (_, at) => ({
		text: `${at % 2 === 0 ? 'even' : 'odd'} ${at}`,
	}));
	const there = {...appendLines(unread, lines, room), top: 50};
	const narrowed = narrow(there, room, newLineEdit('odd'));
	expect(rowsInView(narrowed, room)[0]?.text).toBe('odd 51');
	expect(rowsInView(narrow(narrowed, room, newLineEdit('')), room)[0]?.text).toBe('odd 51');
	const following = narrow({...there, top: undefined}, room, newLineEdit('odd'));
	expect(rowsInView(following, room).at(-1)?.text).toBe('odd 99');
});

test('where one stands stays the same when lines of other logs come before it', () => {
	const from = {name: 'a', at: 0};
	const lines = [0, 2, 4, 6, 8, 10].map(at => ({text: `line ${at}`, at, from}));
	const before: LogState = {...unread, all: lines, lines, top: 1, hit: 4};
	const after = appendLines(before, [{text: 'line 1', at: 1, from}], room);
	expect(after.lines.map(({at}) => at)).toEqual([0, 1, 2, 4, 6, 8, 10]);
	expect(rowsInView(after, room)).toMatchObject([
		{text: 'line 2'},
		{text: 'line 4'},
		{text: 'line 6'},
	]);
	expect(after.lines[after.hit ?? -1]?.text).toBe('line 8');
});
