import type {FoundOffers} from '../../../client/nouns/offers.ts';
import type {ColumnChoice} from '../../../renter/settings/default-settings.ts';
import {count} from '../../../renter/text/format.ts';
import type {Message} from '../../ui/message.ts';
import type {Router} from '../../services/router.ts';
import {nextSet} from '../../list/chosen-columns.ts';
import type {RentKeys} from '../rent-keys.ts';
import {askAgain} from '../../list/unreadable.ts';
import type {OfferListTarget} from './bindings.ts';
import type {OfferList} from './list.ts';
import type {SavedKeys} from './saved/saved-state.ts';
import type {usePane} from './use-pane.ts';

type Options = {
	readonly list: OfferList;
	readonly router: Router;
	readonly say: (message: Message) => void;
	readonly refetch: () => Promise<{
		readonly error: Error | null;
		readonly data: FoundOffers | undefined;
	}>;
	/** Columns that a message has. */
	readonly width: number;
	readonly presentChoice: () => ColumnChoice;
	readonly setChoice: (choice: ColumnChoice) => void;
	readonly chooseColumns: () => void;
	readonly copy: (text: string) => void;
	readonly pane: Pick<ReturnType<typeof usePane>, 'next' | 'unavailable'>;
};

/** Handlers of the list's keys. */
export function listTarget(options: Options): Omit<OfferListTarget, keyof SavedKeys> {
	const {list, router, say, presentChoice, setChoice, chooseColumns, copy, pane} = options;
	const {table, isPaused} = list;
	const tell = (text: string) => say({text, isError: false});
	return {
		nextSet() {
			const next = nextSet(presentChoice());
			setChoice(next);
			tell(`Columns: ${next.set}. W chooses them one by one.`);
		},
		chooseColumns,
		copy: table.act(({id}) => copy(String(id))),
		nextPane: pane.next,
		paneUnavailable: pane.unavailable,
		pause() {
			isPaused.set(!isPaused.get());
			tell(isPaused.get() ? 'Refreshing is paused; R refreshes, p resumes.' : 'Refreshing again.');
		},
		prices: () => router.go({name: 'prices'}),
		open: table.act(({id}) => router.go({name: 'offer', id})),
		...rentTarget(list, router),
		refresh: async () => refreshList(options),
		...compareTarget(list, router),
	};
}

/** Lets the rows move that were held back, and asks again. */
async function refreshList({list, refetch, say, width}: Options): Promise<void> {
	const lost = list.table.apply();
	list.table.settle();
	if (lost > 0) {
		const text = `Of the marked offers ${count(lost)} are gone, and are marked no more.`;
		say({text, isError: false});
	}
	await askAgain(refetch, {noun: 'offers', width, say});
}

function compareTarget(
	list: OfferList,
	router: Router,
): Pick<OfferListTarget, 'compare' | 'compareUnavailable'> {
	return {
		compare: () => router.go({name: 'compare', ids: toCompare(list)}),
		compareUnavailable: () =>
			toCompare(list).length < 2 ? 'mark the offers to compare with Space' : undefined,
	};
}

function rentTarget({table}: OfferList, router: Router): RentKeys {
	return {
		rent: table.act(({id}) => router.go({name: 'rent', offerId: id})),
		rentUnavailable: () =>
			table.current() === undefined ? 'there is no offer to rent' : undefined,
	};
}

/** The marked offers; where only one is marked, it and the one under the cursor. */
function toCompare({table}: OfferList): readonly number[] {
	const marked = table.marked();
	const current = table.current();
	const offers = marked.length === 1 && current !== undefined ? [...marked, current] : marked;
	return [...new Set(offers.map(({id}) => id))];
}
