/** Shares as one digit each, from 0 for nothing to 9 for all: readable without colour and fonts. */
export function sparkline(percents: ReadonlyArray<number | undefined>): string {
	return percents.map(digit).join('');
}

function digit(percent: number | undefined): string {
	if (percent === undefined) return ' ';
	return String(Math.max(0, Math.min(9, Math.floor(percent / 10))));
}
