import {SavedScope} from '../../../list/overlays.tsx';
import type {Message} from '../../../ui/message.ts';
import type {StackEntry, ScreenProps} from '../../../services/router.ts';
import {useOfferServices, useServices, useSettings} from '../../../services/services.tsx';
import {watchKey} from '../../../../renter/offers/watches.ts';
import {
	savedFrame,
	itemsOf,
	savedListAt,
	withoutItem,
	withSearch,
	withWatch,
	savedSearchText,
	type SavedKind,
	savedBindings,
	type SavedTarget,
} from './saved.ts';
import {useStore} from '../../../ui/painted.tsx';
import {type EntryTarget, savedListKeys, type SavedStore} from '../../../list/saved-list.ts';
import type {SavedSearch, SettingsStore} from '../../../../renter/settings/default-settings.ts';
import {useMemo} from 'react';
import {costOf, type Job} from '../../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../../contract/nouns/offers.ts';
import {queryAt} from '../query/query.ts';
import {jobOf} from '../../../../renter/offers/job.ts';
import {tableAt} from '../search.ts';

type Props = {
	readonly stackEntry: StackEntry;
	readonly words: string;
	/** Searches with other words; false for invalid ones. */
	readonly ask: (words: string) => boolean;
	/** Hourly price of the cheapest offer in view, all in. */
	readonly cheapest: number | undefined;
	readonly width: number;
	readonly height: number;
	readonly say: (message: Message) => void;
};

/** True if the saved list is open over the screen. */
export function useSaved(stackEntry: StackEntry): boolean {
	const view = savedListAt(stackEntry);
	return useStore(view, state => state !== undefined);
}

/** Saved searches and watches: to search with, to remove, and to add to. */
function SavedView({stackEntry, words, ask, cheapest, width, height, say}: Props) {
	const {theme, settings: store} = useServices();
	const {priceWatches} = useOfferServices();
	const settings = useSettings();
	const states = useStore(priceWatches.states);
	const view = savedListAt(stackEntry);
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

type SavedOptions = {
	readonly view: SavedStore<SavedKind>;
	readonly settings: SettingsStore;
	readonly words: string;
	/** Searches with other words; false for invalid ones. */
	readonly ask: (words: string) => boolean;
	readonly say: (message: Message) => void;
};

function savedTargets({view, settings, words, ask, say}: SavedOptions): {
	readonly list: SavedTarget;
	readonly entry: EntryTarget;
} {
	const items = () => itemsOf(settings.get());
	const {move, close, present, begin, leave, refuse} = savedListKeys(view, items);
	const list: SavedTarget = {
		move,
		close,
		apply() {
			const item = present();
			if (item === undefined) return;
			if (ask(savedSearchText(item))) view.set(undefined);
			else {
				const text = `These words cannot be understood, and what was asked stays: ${savedSearchText(item)}`;
				say({text, isError: true});
			}
		},
		saveNew() {
			if (words === '') {
				say({text: 'There are no words to save yet: / adds some.', isError: false});
			} else begin('name');
		},
		watch: () => begin('price'),
		remove() {
			const item = present();
			if (item === undefined) return;
			settings.change(withoutItem(settings.get(), item));
			move(0);
			const what = item.kind === 'search' ? `"${item.search.name}"` : 'The watch';
			say({text: `${what} is removed. Its words were: ${savedSearchText(item)}`, isError: false});
		},
		nothingSaved: () => (items().length === 0 ? 'nothing is saved yet' : undefined),
	};
	const entry: EntryTarget = {
		leave,
		accept() {
			const now = view.get();
			if (now?.entry === undefined) return;
			const {kind, line} = now.entry;
			const patch = (kind === 'name' ? withSearch : withWatch)(settings.get(), line.text, words);
			if (typeof patch === 'string') {
				refuse(patch);
				return;
			}
			const replaced = settings.get().searches.find(({name}) => name === line.text.trim());
			settings.change(patch);
			leave();
			const text =
				kind === 'name'
					? `Saved as "${line.text.trim()}". ${replacedText(replaced, words)}`
					: `Watched below $${line.text.trim().replace(/^\$/, '')} while rentty runs. b lists what is watched.`;
			say({text, isError: false});
		},
	};
	return {list, entry};
}

/** Words that a search had before, which are nowhere else. */
function replacedText(replaced: SavedSearch | undefined, words: string): string {
	return replaced === undefined || replaced.words === words
		? 'b lists what is saved.'
		: `Its words were: ${replaced.words === '' ? 'every offer' : replaced.words}`;
}

type SavedOverOffersProps = Pick<ScreenProps, 'stackEntry' | 'say'> & {
	readonly width: number;
	readonly height: number;
};

export function SavedOverOffers(props: SavedOverOffersProps) {
	const {asked, ask} = queryAt(props.stackEntry);
	const {words} = useStore(asked);
	const settings = useSettings();
	const table = tableAt(props.stackEntry);
	const cheapest = useMemo(
		() => cheapestOf(table.state.get().rows, jobOf(settings)),
		[table, settings],
	);
	return <SavedView {...props} {...{words, ask, cheapest}} />;
}

/** The field for a price below which an offer is watched, in place of its facts. */
export function SavedOverOffer(
	props: SavedOverOffersProps & {readonly offer: Offer | undefined; readonly id: number},
) {
	const {offer, id} = props;
	const job = jobOf(useSettings());
	const cheapest = offer === undefined ? undefined : costOf(offer, job).allIn;
	return <SavedView {...props} {...{words: `id=${id}`, ask: () => false, cheapest}} />;
}

function cheapestOf(offers: readonly Offer[], job: Job): number | undefined {
	return offers.reduce<number | undefined>((least, offer) => {
		const {allIn} = costOf(offer, job);
		return allIn === undefined || (least !== undefined && least <= allIn) ? least : allIn;
	}, undefined);
}
