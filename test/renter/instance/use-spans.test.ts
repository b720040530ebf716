import {expect, test} from 'vitest';
import {percentBars} from '../../../source/console/ui/graph.ts';
import {withGlyphs} from '../../../source/console/ui/glyphs.ts';
import {createTheme} from '../../../source/console/ui/theme.ts';
import {
	extendUseSpans,
	USE_SPANS,
	meanUse,
	type UseSpan,
} from '../../../source/renter/instance/times.ts';

const MINUTE = 60_000;

function seenFor(
	minutes: number,
	percentAt: (minute: number) => number | null,
): readonly UseSpan[] {
	let spans: readonly UseSpan[] = [];
	for (let minute = 0; minute < minutes; minute += 0.5) {
		spans = extendUseSpans(spans, percentAt(minute), minute * MINUTE);
	}
	return spans;
}

test('use over time is the mean of each two minutes of the last half hour', () => {
	const spans = seenFor(60, minute => (minute < 40 ? 100 : minute < 50 ? 50 : 0));
	expect(meanUse(spans, 59.9 * MINUTE)).toEqual([
		...Array.from({length: 6}, () => 100),
		...Array.from({length: 5}, () => 50),
		...Array.from({length: 5}, () => 0),
	]);
	expect(spans).toHaveLength(USE_SPANS);
});

test('what was not said, or not looked at, is no use and not none', () => {
	const spans = seenFor(20, minute => (minute < 10 ? null : 30));
	const drawn = meanUse(spans, 23 * MINUTE);
	expect(drawn.map(value => value ?? '-').join(' ')).toBe('- - - - - - - - - 30 30 30 30 30 - -');
});

test('looks at a GPU whose use goes up and down seldom change what is drawn', () => {
	let spans: readonly UseSpan[] = [];
	let drawn = '';
	let changes = 0;
	for (let second = 0; second < 1800; second += 2) {
		const now = second * 1000;
		spans = extendUseSpans(spans, second % 4 === 0 ? 85 : 95, now);
		const next = percentBars(meanUse(spans, now));
		if (next !== drawn) changes += 1;
		drawn = next;
	}
	// One for each two minutes, and a few until the mean of each is settled.
	expect(changes).toBeLessThanOrEqual(15 * 4);
});

test('bars of a sparkline rise with what they stand for, in ASCII as well', () => {
	const line = percentBars([0, 12, 13, 50, 99, 100, 200, -1, undefined]);
	expect(line).toBe('▁▁▂▄███▁ ');
	const ascii = createTheme({RENTTY_ASCII: '1'});
	expect(withGlyphs(ascii, line)).toBe('__.-###_ ');
	expect(withGlyphs(createTheme({LANG: 'en_GB.UTF-8'}), line)).toBe(line);
});
