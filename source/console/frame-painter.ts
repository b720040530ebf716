import type {Painter} from './components/painted.tsx';
import {regionStart, type Screen} from './terminal/output/screen.ts';

export type FramePainter = Painter & {
	/** Takes a frame of Ink's. */
	readonly draw: (frame: string) => void;
	/** Somebody clicked on a place of the screen. */
	readonly click: (place: {readonly column: number; readonly row: number}) => void;
	/** Draws everything anew, for a terminal that something else wrote on. */
	readonly redraw: () => void;
	/** Takes no more: Ink's last frame is an empty one. */
	readonly close: () => void;
};

/**
 * Collects what React and the painted rows have to show, and shows it once per turn: one key press
 * makes one write, whatever it changed, and frames that were overtaken are not even looked at.
 * What is drawn has only signs that `drawable` leaves.
 */
export function createFramePainter(
	screen: Screen,
	drawable: (text: string) => string = text => text,
	/** Whether what there is to show is about to change: then it is not worth writing yet. */
	isChanging: () => boolean = () => false,
): FramePainter {
	let frame: string | undefined;
	let isFrameNew = false;
	let isScheduled = false;
	let isClosed = false;
	const lines = new Map<number, readonly string[]>();

	function schedule(): void {
		if (isScheduled || isClosed) return;
		isScheduled = true;
		setImmediate(show);
	}

	function show(): void {
		isScheduled = false;
		if (isClosed) return;
		if (isChanging()) return schedule();
		screen.batch(() => {
			if (isFrameNew && frame !== undefined) screen.draw(drawable(frame));
			isFrameNew = false;
			for (const [region, painted] of lines) screen.paint(region, painted.map(drawable));
			lines.clear();
		});
	}

	return {
		regionStart,
		draw(next) {
			frame = next;
			isFrameNew = true;
			schedule();
		},
		paint(region, painted) {
			lines.set(region, painted);
			schedule();
		},
		...createClicks(screen),
		redraw() {
			screen.forget();
			isFrameNew = true;
			schedule();
		},
		close() {
			isClosed = true;
		},
	};
}

/** Who is told of clicks, by the painted region that they go to. */
function createClicks(
	screen: Pick<Screen, 'regionAt'>,
): Required<Pick<FramePainter, 'onClick' | 'click'>> {
	const clickable = new Map<number, (line: number) => void>();
	return {
		onClick(region, click) {
			clickable.set(region, click);
			return () => {
				if (clickable.get(region) === click) clickable.delete(region);
			};
		},
		click({column, row}) {
			const found = screen.regionAt(column, row);
			if (found !== undefined) clickable.get(found.region)?.(found.line);
		},
	};
}
