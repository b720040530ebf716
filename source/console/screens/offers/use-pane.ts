import type {Place} from '../../services/router.ts';
import {nextPane, paneAt, paneUnavailable, paneWidth} from './pane.ts';
import {useStore} from '../../ui/use-store.ts';

/** Pane beside the list of a place, and the key that changes it. */
export function usePane(place: Place, screenWidth: number) {
	const store = paneAt(place);
	const pane = useStore(store);
	return {
		pane,
		width: paneWidth(screenWidth, pane),
		next: () => store.set(nextPane(pane)),
		unavailable: () => paneUnavailable(screenWidth),
	};
}
