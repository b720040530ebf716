import type xterm from '@xterm/headless';

type Terminal = InstanceType<typeof xterm.Terminal>;

/** The screen of an emulator as lines of text, without the blanks at their ends. */
export function screenText(terminal: Terminal): string {
	const {active} = terminal.buffer;
	const lines = Array.from({length: terminal.rows}, (_, row) =>
		// Lines keep their old width after the terminal shrank.
		(
			active.getLine(active.viewportY + row)?.translateToString(false, 0, terminal.cols) ?? ''
		).trimEnd(),
	);
	return lines.join('\n').trimEnd();
}
