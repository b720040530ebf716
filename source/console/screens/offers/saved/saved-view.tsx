import {SavedScope} from '../../../list/saved-scope.tsx';
import type {Message} from '../../../message.ts';
import type {Place} from '../../../router.ts';
import {useSeenOffers, useServices, useSettings} from '../../../services.tsx';
import {watchKey} from '../../../../renter/offers/watches.ts';
import {savedBindings} from './saved-bindings.ts';
import {savedFrame} from './saved-lines.ts';
import {itemsOf, savedAt} from './saved-state.ts';
import {savedTargets} from './saved-target.ts';
import {useStore} from '../../../components/use-store.ts';

type Props = {
	readonly place: Place;
	/** The words in force at the place. */
	readonly words: string;
	/** Searches with other words; false where they cannot be understood. */
	readonly ask: (words: string) => boolean;
	/** Hourly price of the cheapest offer in view, all in. */
	readonly cheapest: number | undefined;
	readonly width: number;
	readonly height: number;
	readonly say: (message: Message) => void;
};

/** True if the saved list is open over a place. */
export function useSaved(place: Place): boolean {
	const view = savedAt(place);
	return useStore(view, state => state !== undefined);
}

/** Saved searches and watches: to search with, to remove, and to add to. */
export function SavedView({place, words, ask, cheapest, width, height, say}: Props) {
	const {theme, settings: store} = useServices();
	const {priceWatches} = useSeenOffers();
	const settings = useSettings();
	const states = useStore(priceWatches.states);
	const view = savedAt(place);
	const shown = useStore(view);
	if (shown === undefined) return null;
	const {list, entry} = savedTargets({view, settings: store, words, ask, say});
	const frame = savedFrame({
		theme,
		width,
		height,
		items: itemsOf(settings),
		words,
		stateOf: item => (item.kind === 'watch' ? states.get(watchKey(item.watch)) : undefined),
		cheapest,
	});
	return (
		<SavedScope
			{...{view, shown, entry, ...frame}}
			scope="Saved"
			bindings={savedBindings}
			target={list}
		/>
	);
}
