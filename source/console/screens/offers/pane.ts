/** Panes beside the offers list, and their widths. */
import {kept} from '../../services/router.ts';
import {createStore} from '../../../renter/state/store.ts';

export type Pane = 'summary' | 'prices' | 'raw' | 'off';

const panes: readonly Pane[] = ['summary', 'prices', 'raw', 'off'];

/** Narrower than this, the list has no columns to spare. */
const LEAST_WIDTH = 140;
const PANE_WIDTH = 50;

export const paneAt = kept(() => createStore<Pane>('summary'));

export function nextPane(pane: Pane): Pane {
	return panes[(panes.indexOf(pane) + 1) % panes.length] ?? 'summary';
}

/** Columns that the pane takes of a screen. */
export function paneWidth(width: number, pane: Pane): number {
	return width >= LEAST_WIDTH && pane !== 'off' ? PANE_WIDTH : 0;
}

/** Reason why there is no room for a pane; undefined where there is. */
export function paneUnavailable(width: number): string | undefined {
	return width >= LEAST_WIDTH ? undefined : `it needs ${LEAST_WIDTH} columns, there are ${width}`;
}
