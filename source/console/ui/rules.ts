/** Rules across a screen, and the panes and axes that meet them. */
import {cellsOf, widthOf} from '../../renter/text/text-width.ts';
import {unstyled, type Theme} from './theme.ts';

export function ruleLine(theme: Theme, width: number, right = ''): string {
	const tail = right === '' ? '' : ` ${right} `;
	return theme.style('quiet', theme.glyphs.rule.repeat(Math.max(0, width - tail.length)) + tail);
}

/** A rule that a line of a pane begins or ends at; without a pane a plain one. */
export function jointRule(theme: Theme, width: number, {at, sign}: Joint): string {
	return joined(theme, ruleLine(theme, width), {at, sign});
}

/** A styled rule with a joint in it; without one where it has words there, or does not reach so far. */
export function joined({glyphs: {rule}}: Theme, line: string, {at, sign}: Joint): string {
	if (at <= 0) return line;
	let column = 0;
	return line.replaceAll(styledSigns, part => {
		if (part.startsWith('\u001B')) return part;
		const isThere = column === at && part === rule;
		column += widthOf(part);
		return isThere ? sign : part;
	});
}

// oxlint-disable-next-line no-control-regex -- sequences begin with it
const styledSigns = /\u001B\[[\d;]*m|[^]/gu;

/** Lines of a screen, of which each rule meets the axes and panes that begin or end at it. */
export function withJoints(theme: Theme, lines: readonly string[]): readonly string[] {
	const {rule} = theme.glyphs;
	const cells = lines.map(line => columnsOf(unstyled(line)));
	const isAt = (line: number, column: number) => uprights.has(cells[line]?.[column] ?? '');
	return lines.map((line, at) => {
		const row = cells[at] ?? [];
		// A rule begins its line, or fills most of it: dashes in a text are none.
		const begins = row.slice(0, 3).every(sign => sign === rule);
		if (!begins && row.filter(sign => sign === rule).length <= row.length / 2) return line;
		return row.reduce((drawn, sign, column) => {
			const [isAbove, isBelow] = [isAt(at - 1, column), isAt(at + 1, column)];
			if (sign !== rule || !(isAbove || isBelow)) return drawn;
			const joint = isAbove && isBelow ? '┼' : isAbove ? '┴' : '┬';
			return joined(theme, drawn, {at: column, sign: joint});
		}, line);
	});
}

/** The sign in each column of a line; the second column of a wide one is empty. */
function columnsOf(line: string): readonly string[] {
	return cellsOf(line).flatMap(sign => (widthOf(sign) === 2 ? [sign, ''] : [sign]));
}

const uprights: ReadonlySet<string> = new Set(['│', '┤', '├']);

type Joint = {readonly at: number; readonly sign: '┬' | '┴' | '┼'};

/** A line of a pane, with the rule at its left. */
export function paneLine(theme: Theme, line: string): string {
	return `${theme.style('quiet', '│')} ${line}`.trimEnd();
}
