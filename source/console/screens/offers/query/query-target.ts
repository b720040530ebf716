import type {Offer} from '../../../../contract/nouns/offers.ts';
import type {SearchField} from '../../../../renter/offers/words/fields.ts';
import type {Samples} from '../../../../renter/words/complete.ts';
import {facetsOf} from './facets.ts';
import {
	leaveChips,
	moveChip,
	nextCandidate,
	openChips,
	recall,
	refuseEdit,
	removeChip,
	type OfferQueryEdit,
	type QueryState,
} from './query.ts';

type Querying = {
	readonly state: QueryState;
	readonly samples: Samples<SearchField>;
	readonly history: () => readonly string[];
	readonly offers: () => readonly Offer[];
};

export type QueryTarget = ReturnType<typeof queryTarget>;

export function queryTarget({state, samples, history, offers}: Querying) {
	const {edit, gpus, ask} = state;
	const change = (next: (now: OfferQueryEdit) => OfferQueryEdit) => {
		const now = edit.get();
		if (now !== undefined) edit.set(next(now));
	};
	return {
		/** An invalid line stays open and shows its problem. */
		apply() {
			const now = edit.get();
			if (now !== undefined) edit.set(ask(now.line.text) ? undefined : refuseEdit(now));
		},
		leave: () => edit.set(undefined),
		recall: (step: 1 | -1) => change(now => recall(now, step, history(), gpus.get())),
		/** Goes from the newest line to its words, and to the facets. */
		down: () =>
			change(now =>
				now.back > 0 ? recall(now, -1, history(), gpus.get()) : openChips(now, facetsOf(offers())),
			),
		complete: (step: 1 | -1) => change(now => nextCandidate(now, step, samples)),
		move: (step: 1 | -1) => change(now => moveChip(now, step)),
		remove: () => change(now => removeChip(now, gpus.get())),
		back: () => change(leaveChips),
	};
}
