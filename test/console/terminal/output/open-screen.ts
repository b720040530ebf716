import {createScreen} from '../../../../source/console/terminal/output/screen.ts';

/** A screen and the updates it writes. */
export function openScreen(columns: number, rows: number, isSynchronized = true) {
	const updates: string[] = [];
	const screen = createScreen({columns, rows, isSynchronized, write: data => updates.push(data)});
	return {screen, taken: () => updates.splice(0)};
}
