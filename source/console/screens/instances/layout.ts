import type {Size} from '../../terminal/terminal.ts';

/** Sizes of the screen's parts. */
export type Layout = {
	readonly isNarrow: boolean;
	/** Columns of the list and of what is said under it. */
	readonly listWidth: number;
	/** Columns of the pane of money; 0 where there is none. */
	readonly paneWidth: number;
	/** Rows of the list. */
	readonly rows: number;
	/** Lines about the row under the cursor. */
	readonly band: number;
};

const PANE = 40;
/** Line of the filter, rule, titles, rule above the band, rule at the foot. */
const LINES_AROUND = 5;

type Shown = {readonly hasPane: boolean; readonly isTyping: boolean};

/** True where all panes fit side by side. */
export function isWide({columns, rows}: Size): boolean {
	return columns >= 140 && rows >= 30;
}

export function layoutOf({columns, rows}: Size, {hasPane, isTyping}: Shown): Layout {
	if (columns < 80) {
		// A rule or the two lines of a query above the rows, and one line under another rule.
		const lines = Math.max(1, rows - (isTyping ? 4 : 3));
		return {isNarrow: true, listWidth: columns, paneWidth: 0, rows: lines, band: 1};
	}
	const paneWidth = hasPane && isWide({columns, rows}) ? PANE : 0;
	const band = isWide({columns, rows}) ? 14 : rows >= 18 ? 5 : 0;
	const lines = Math.max(1, rows - LINES_AROUND - band);
	return {isNarrow: false, listWidth: columns - paneWidth, paneWidth, rows: lines, band};
}
