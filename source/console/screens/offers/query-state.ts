/** Search of the offers list in words, and the line in which the words are changed. */
import {anyOffers, type OfferSearch} from '../../../contract/nouns/offer-search.ts';
import {fieldOf} from '../../../renter/offers/words/fields.ts';
import {parseLine, type ParsedLine, toggleValue} from '../../../renter/offers/words/parse.ts';
import {requestOf} from '../../../renter/offers/words/request.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {kept, type Place} from '../../services/router.ts';
import {createStore, type Readable, type Store} from '../../../renter/state/store.ts';
import {openEdit, type QueryEdit} from './query/edit.ts';

/** The words in force: a line in which every word can be understood. */
export type Asked = {readonly words: string; readonly parsed: ParsedLine};

export type QueryState = {
	readonly asked: Readable<Asked>;
	/** The line while it is open. */
	readonly edit: Store<QueryEdit | undefined>;
	/** The names of GPUs that were seen, for short names. */
	readonly gpus: Store<readonly string[]>;
	/** The request is shown as it was sent. */
	readonly isRequestShown: Store<boolean>;
	/** Asks for other words; false where they cannot be understood, and what was asked stays. */
	readonly ask: (words: string) => boolean;
};

/** The state stays with its place, so that coming back finds the same search. */
export const queryAt = kept(createQueryState);

function createQueryState(): QueryState {
	const asked = createStore<Asked>({words: '', parsed: parseLine('')});
	const gpus = createStore<readonly string[]>([]);
	return {
		asked,
		edit: createStore<QueryEdit | undefined>(undefined),
		isRequestShown: createStore(false),
		gpus,
		ask(wanted) {
			const words = wanted.trim();
			const parsed = parseLine(words, gpus.get());
			if (parsed.problems.length > 0) return false;
			asked.set({words, parsed});
			return true;
		},
	};
}

/** The search that words ask for; `usual` is what else is asked: columns, limit, disk. */
export function searchOfWords({parsed}: Pick<Asked, 'parsed'>, usual: OfferSearch): OfferSearch {
	return {...anyOffers, ...usual, ...requestOf(parsed.words.flatMap(({clauses}) => clauses))};
}

/** Opens the query line of a place with the words for as many of the same GPU as an offer has. */
export function askForEquals(place: Place, {gpu_name: gpu, num_gpus: gpus}: Offer): void {
	const {ask, edit} = queryAt(place);
	const named = [
		...(typeof gpu === 'string' ? [{field: fieldOf('gpu_name'), value: gpu}] : []),
		...(typeof gpus === 'number' ? [{field: fieldOf('num_gpus'), value: gpus}] : []),
	];
	const seen = typeof gpu === 'string' ? [gpu] : [];
	const words = named.reduce(
		(line, choice) => toggleValue(line, parseLine(line, seen), choice, seen),
		'',
	);
	ask(words);
	edit.set(openEdit(words, seen));
}
