/** Shares of a hundred as a bar each, from the lowest for nothing to the highest for all; a blank for none. */
export function sparkline(percents: ReadonlyArray<number | undefined>): string {
	return percents.map(bar).join('');
}

function bar(percent: number | undefined): string {
	if (percent === undefined) return ' ';
	const height = Math.floor((percent / 100) * BARS.length);
	return BARS.charAt(Math.max(0, Math.min(height, BARS.length - 1)));
}

const BARS = '▁▂▃▄▅▆▇█';
