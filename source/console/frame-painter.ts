import type {Painter} from './components/painted.tsx';
import {holeStart} from './terminal/output/screen.ts';
import type {Screen} from './terminal/output/screen.ts';

export type FramePainter = Painter & {
	/** Takes a frame of Ink's. */
	readonly draw: (frame: string) => void;
	/** Draws everything anew, for a terminal that something else wrote on. */
	readonly redraw: () => void;
	/** Takes no more: Ink's last frame is an empty one. */
	readonly close: () => void;
};

/**
 * Collects what React and the painted rows have to show, and shows it once per turn: one key press
 * makes one write, whatever it changed, and frames that were overtaken are not even looked at.
 */
export function createFramePainter(screen: Screen): FramePainter {
	let frame: string | undefined;
	let isFrameNew = false;
	let isScheduled = false;
	let isClosed = false;
	const lines = new Map<number, readonly string[]>();

	function schedule(): void {
		if (isScheduled || isClosed) return;
		isScheduled = true;
		queueMicrotask(show);
	}

	function show(): void {
		isScheduled = false;
		if (isClosed) return;
		screen.batch(() => {
			if (isFrameNew && frame !== undefined) screen.draw(frame);
			isFrameNew = false;
			for (const [hole, painted] of lines) screen.paint(hole, painted);
			lines.clear();
		});
	}

	return {
		holeStart,
		draw(next) {
			frame = next;
			isFrameNew = true;
			schedule();
		},
		paint(hole, painted) {
			lines.set(hole, painted);
			schedule();
		},
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
