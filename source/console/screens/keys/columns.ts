import {textColumns} from '../../list/text-columns.ts';

/** What the list of keys shows. */
export function keyColumns(width: number) {
	const isWide = width >= 120;
	return textColumns([
		['name', 'NAME', isWide ? 30 : 20, 0],
		['kind', 'KIND', 4, 1],
		['type', 'TYPE OR RIGHTS', isWide ? 56 : 26, 3],
		['end', 'END', 6, 2],
		['where', 'WHERE', isWide ? 34 : 18, 4],
	]);
}
