import {textColumns} from '../../list/text-columns.ts';

/** What the list of profiles shows; where there is room, more of each. */
export function profileColumns(width: number) {
	const isWide = width >= 120;
	return textColumns([
		['name', 'PROFILE', isWide ? 18 : 12, 0],
		['server', 'SERVER', isWide ? 40 : 28, 2],
		['key', 'KEY', isWide ? 20 : 14, 3],
		['mode', 'MODE', 4, 1],
		['state', 'STATE', isWide ? 50 : 16, 4],
	]);
}
