import {expect, test} from 'vitest';
import {
	priceChart,
	priceWindow,
	comparePricesInWords,
} from '../../../../source/console/screens/offers/price-chart.ts';
import type {ScaleKind} from '../../../../source/console/ui/log-scale.ts';
import {createTheme} from '../../../../source/console/ui/theme.ts';

const theme = createTheme({LANG: 'C.UTF-8', RENTTY_THEME: 'high-contrast'});
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 23, 12, 41);

/** Prices that fall over 90 days, six a day, but on the days that are left out. */
function fallingPrices(isLeftOut: (daysAgo: number) => boolean = () => false) {
	return Array.from({length: 90 * 6}, (_, index) => 90 - index / 6)
		.filter(daysAgo => !isLeftOut(daysAgo))
		.map(daysAgo => {
			const median = 1.98 + daysAgo / 120;
			return {at: NOW - daysAgo * DAY, p10: median - 0.35, median, p90: median + 0.65};
		});
}

function drawn(
	columns: number,
	rows: number,
	prices = fallingPrices(),
	scale: ScaleKind = 'linear',
): string {
	const window = priceWindow(90, NOW, {columns});
	const lines = priceChart(prices, window, {theme, columns, rows, scale});
	return ['', ...lines].map(line => line.trimEnd()).join('\n');
}

test('at 80x24 the median is drawn between the band of what was free', () => {
	expect(drawn(80, 10)).toMatchInlineSnapshot(`
		"
		      │ ⠠ ⡀⢀ ⡀
		      │       ⠈ ⠁⠐ ⠂⠐ ⠄⠠ ⠄⢀ ⡀⢀
		 3.000┤                        ⠁⠈ ⠂⠐ ⠂⠠ ⠄⠠ ⡀⢀ ⡀
		      │ ⢀⣀⡀                                    ⠈ ⠁⠐ ⠂⠐ ⠄⠠ ⠄⢀ ⡀
		      │   ⠈⠉⠉⠉⠉⠒⠒⠒⠒⠤⠤⠤⠤⣀⣀⣀⣀                                   ⠈ ⠁⠈ ⠂⠐<p90 2.631
		      │ ⠠ ⠄⢀ ⡀⢀            ⠉⠉⠉⠉⠒⠒⠒⠒⠢⠤⠤⠤⢄⣀⣀⣀⡀
		      │         ⠁⠈ ⠁⠐ ⠂⠠ ⠄⠠ ⡀⢀ ⡀           ⠈⠉⠉⠉⠑⠒⠒⠒⠢⠤⠤⠤⠤⣀⣀⣀⣀
		 2.000┤                         ⠈ ⠁⠈ ⠂⠐ ⠄⠠ ⠄⢀ ⡀⢀            ⠉⠉⠉⠉⠒⠒⠒⠒⠤[1m<now 1.981[0m
		      │                                          ⠁⠈ ⠁⠐ ⠂⠠ ⠄⠠ ⡀⢀ ⡀    <p10 1.631
		      │                                                          ⠈ ⠁⠈
		      └┴────────────────────────────────────────────────────────────┴
		     08-23                                                      11-23"
	`);
});

test('at 60x15 the words of now and of the band are whole', () => {
	const shown = drawn(60, 5);
	for (const words of ['<now 1.981', '<p90 2.631', '<p10 1.631']) expect(shown).toContain(words);
});

test('at 140x40 the chart has the whole width, and days without an answer are a gap', () => {
	const prices = fallingPrices(daysAgo => daysAgo > 57 && daysAgo < 60);
	expect(drawn(140, 8, prices)).toMatchInlineSnapshot(`
		"
		      │             ⠠ ⠄⠠ ⠄⢀ ⡀⢀ ⡀⢀ ⡀⢀
		      │                              ⠁⠈ ⠁⠈ ⠁⠈ ⠂⠐ ⠂⠐ ⠂⠐ ⠄⠠    ⠄⠠ ⡀⢀ ⡀⢀ ⡀⢀
		 3.000┤                                                                  ⠁⠈ ⠁⠈ ⠁⠈ ⠁⠐ ⠂⠐ ⠂⠐ ⠂⠠ ⠄⠠ ⠄⠠ ⠄⢀ ⡀⢀ ⡀⢀ ⡀
		      │             ⠈⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠒⠒⠒⠒⠤⠤⠤⠤⠤⠤⠤⠤⠤⢄⣀⣀⣀⣀⣀⣀⣀⣀⣀                                                        ⠈ ⠁⠈ ⠁⠈ ⠁⠐ ⠂⠐ ⠂⠐ ⠂ <p90 2.631
		      │             ⠐ ⠄⠠ ⠄⠠ ⠄⠠ ⡀⢀ ⡀⢀ ⡀⢀ ⡀             ⠉⠉⠉   ⠉⠉⠉⠒⠒⠒⠒⠒⠒⠒⠒⠒⠢⠤⠤⠤⠤⠤⠤⠤⠤⢄⣀⣀⣀⣀⣀⣀⣀⣀⣀
		 2.000┤                                  ⠈ ⠁⠈ ⠁⠈ ⠁⠐ ⠂⠐ ⠂⠐    ⠄⠠ ⠄⠠ ⠄⢀ ⡀⢀ ⡀⢀ ⡀              ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠒⠒⠒⠒⠢⠤⠤⠤⠤⠤⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀⣀⣀⣀ [1m<now 1.981[0m
		      │                                                                      ⠈ ⠁⠈ ⠁⠈ ⠁⠈ ⠂⠐ ⠂⠐ ⠂⠐ ⠄⠠ ⠄⠠ ⠄⠠ ⡀⢀ ⡀⢀ ⡀⢀              ⠁
		      │                                                                                                            ⠁⠈ ⠁⠈ ⠁⠈ ⠂⠐ ⠂ <p10 1.631
		      └┴────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┴
		     08-14                                                                                                                  11-23"
	`);
	expect(comparePricesInWords(prices, priceWindow(90, NOW, {columns: 140}))).toBe(
		'now is cheaper than on 88 of 88 days; gap 09-24 to 09-27: not known',
	);
});

test('without a price it says so, in as many lines', () => {
	expect(drawn(80, 10, []).split('\n')).toHaveLength(13);
	expect(drawn(80, 10, [])).toContain('no price of a free one is kept yet');
	expect(comparePricesInWords([], priceWindow(90, NOW, {columns: 80}))).toBe('');
});

test('on a scale of logarithms the same factor is the same height, and its ticks are 1, 2 and 5', () => {
	const prices = fallingPrices().map(({at}, index) => {
		const median = 0.2 * 2 ** (index / 90);
		return {at, p10: median / 2, median, p90: median * 2};
	});
	expect(drawn(80, 10, prices, 'log')).toMatchInlineSnapshot(`
		"
		 50.00┤
		 20.00┤                                                      ⡀⢀ ⠄⠐ ⠂⠈<p90 25.40
		 10.00┤                                             ⡀⢀ ⠄⠐ ⠂⠈  ⣀⣀⠤⠤⠔⠒⠒[1m<now 12.70[0m
		 5.000┤                                    ⡀⢀ ⠄⠐ ⠂⠈ ⢀⣀⣀⠤⠤⠔⠒⠊⠉⠉⢀ ⡀⠠ ⠄⠐<p10 6.351
		      │                           ⡀⢀ ⠄⠐ ⠂⠈ ⢀⣀⣀⠤⠤⠒⠒⠊⠉⠁⢀ ⡀⠠ ⠂⠐ ⠁
		 2.000┤                  ⡀⠠ ⠄⠐ ⠁⠈ ⢀⣀⡠⠤⠤⠒⠒⠉⠉⠁⢀ ⡀⠠ ⠂⠐ ⠁
		 1.000┤         ⡀⠠ ⠄⠐ ⠁⠈ ⣀⣀⡠⠤⠔⠒⠒⠉⠉⠁⢀ ⡀⠠ ⠂⠐ ⠁
		  .500┤ ⠠ ⠄⠐ ⠁⠈ ⣀⣀⠤⠤⠔⠒⠒⠉⠉ ⢀ ⠄⠠ ⠂⠐ ⠁
		  .200┤ ⢀⠤⠤⠔⠒⠊⠉⠉ ⢀ ⠄⠠ ⠂⠈ ⠁
		  .100┤ ⢀ ⠄⠠ ⠂⠈ ⠁
		      └┴────────────────────────────────────────────────────────────┴
		     08-23                                                      11-23"
	`);
	const ticks = (columns: number, rows: number) =>
		drawn(columns, rows, prices, 'log').match(/[\d.]+(?=┤)/g);
	expect([ticks(60, 5), ticks(140, 13)]).toMatchInlineSnapshot(`
		[
		  [
		    "20.00",
		    "5.000",
		    "2.000",
		    ".500",
		    ".100",
		  ],
		  [
		    "50.00",
		    "20.00",
		    "10.00",
		    "5.000",
		    "2.000",
		    "1.000",
		    ".500",
		    ".200",
		    ".100",
		  ],
		]
	`);
});
