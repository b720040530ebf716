import {lineKeys} from '../../list/bindings.ts';
import type {Bindings, Binding} from '../../ui/bindings.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import type {Router} from '../../services/router.ts';

type TabTarget = {readonly goToTab: (index: number) => void};

export type RentFormTarget = TabTarget & {
	readonly pickTemplate: () => void;
	/** Chooses which text of the request is copied. */
	readonly copy: () => void;
	readonly preview: () => void;
	readonly refresh: () => void;
};

/** The present tab's key would go to its first screen, past the typed text. */
const tabKeys: Bindings<TabTarget> = [
	{
		keys: ['1'],
		id: 'leave-to-offers',
		title: 'go to Offers; nothing typed is lost',
		run: form => form.goToTab(0),
	},
	{
		keys: ['2'],
		id: 'leave-to-instances',
		title: 'go to Instances; nothing typed is lost',
		run: form => form.goToTab(1),
	},
	{
		keys: ['3'],
		id: 'leave-to-templates',
		title: 'go to Templates; nothing typed is lost',
		run: form => form.goToTab(2),
	},
];

export const rentFormBindings: Bindings<RentFormTarget> = [
	{
		keys: ['Ctrl-T'],
		id: 'pick-a-template',
		title: 'pick a template',
		hint: 'template',
		keepsHint: true,
		run: form => form.pickTemplate(),
	},
	{
		keys: ['y', 'c', 'Ctrl-Y'],
		id: 'copy-request',
		title: 'copy the request as a command',
		hint: 'copy',
		keepsHint: true,
		run: form => form.copy(),
	},
	{
		keys: ['i', 'Ctrl-O'],
		id: 'merge-preview',
		title: 'merge preview, checks, cost and request',
		hint: 'preview',
		keepsHint: true,
		run: form => form.preview(),
	},
	{
		keys: ['R', 'Ctrl-R'],
		id: 'read-price',
		title: 'read the price now',
		run: form => form.refresh(),
	},
	...tabKeys,
];

type PreviewTarget = {
	readonly close: () => void;
	readonly scroll: (lines: number) => void;
	readonly copy: () => void;
};

const PAGE = 10;

export const previewBindings: Bindings<PreviewTarget> = [
	{
		keys: ['Esc', 'q', 'i', 'Enter', 'Ctrl-C'],
		id: 'back-to-form',
		title: 'back to the form',
		hint: 'back to the form',
		run: preview => preview.close(),
	},
	...lineKeys(),
	{
		keys: ['PgDn', 'Ctrl-F', 'Ctrl-D'],
		id: 'further',
		title: 'further',
		hint: 'further',
		run: preview => preview.scroll(PAGE),
	},
	{keys: ['PgUp', 'Ctrl-U'], id: 'back', title: 'back', run: preview => preview.scroll(-PAGE)},
	{
		keys: ['y', 'c'],
		id: 'copy-request',
		title: 'copy the request as a command',
		hint: 'copy',
		run: preview => preview.copy(),
	},
];

type WaitTarget = {readonly leave: () => void};

export const readingBindings: Bindings<WaitTarget> = [
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'back-to-form',
		title: 'back to the form',
		hint: 'back to the form',
		run: page => page.leave(),
	},
];

/** While an order is sent, the first key to leave warns; the second one leaves. */
export const sendingBindings: Bindings<WaitTarget> = [
	{
		keys: ['Esc', 'q'],
		id: 'leave-sending',
		title: 'leave; what was sent is not taken back',
		run: page => page.leave(),
	},
];

export type OutcomeTarget = TabTarget & {
	readonly takeNext: () => void;
	/** Reason why there is no next offer to take; undefined if there is one. */
	readonly nextUnavailable: () => string | undefined;
	readonly edit: () => void;
	/** Leaves the form as it is, and goes to other offers. */
	readonly search: () => void;
	readonly lookAgain: () => void;
	readonly lookUnavailable: () => string | undefined;
	/** Shows or hides request and reply. */
	readonly details: () => void;
	readonly copy: () => void;
};

const outcomeKeys: Bindings<OutcomeTarget> = [
	{
		keys: ['e', 'Esc', 'q', 'Ctrl-C'],
		id: 'back-to-form',
		title: 'back to the form, as it was',
		hint: 'back to the form',
		run: outcome => outcome.edit(),
	},
	{
		keys: ['Enter'],
		id: 'show-exchange',
		title: 'show what was sent and what was answered',
		hint: 'the answer',
		run: outcome => outcome.details(),
	},
	{
		// The key is not y, which has just confirmed a rent.
		keys: ['c'],
		id: 'copy-exchange',
		title: 'copy request and answer, without secrets',
		hint: 'copy both',
		run: outcome => outcome.copy(),
	},
	...tabKeys,
];

export const goneBindings: Bindings<OutcomeTarget> = [
	{
		keys: ['r'],
		id: 'next-equal',
		title: 'review the next equal offer',
		hint: 'next equal',
		isChange: true,
		run: outcome => outcome.takeNext(),
		unavailable: outcome => outcome.nextUnavailable(),
	},
	{
		keys: ['/'],
		id: 'search-another',
		title: 'search for another offer; Esc comes back to the form',
		hint: 'search',
		run: outcome => outcome.search(),
	},
	...outcomeKeys,
];

export const refusedBindings: Bindings<OutcomeTarget> = outcomeKeys;

export const unknownBindings: Bindings<OutcomeTarget> = [
	{
		keys: ['R', 'Ctrl-R'],
		id: 'look-again',
		title: 'look for the instance again',
		hint: 'look again',
		run: outcome => outcome.lookAgain(),
		unavailable: outcome => outcome.lookUnavailable(),
	},
	...outcomeKeys,
];

export const openingBindings: Bindings<{readonly again: () => void}> = [
	{
		keys: ['R', 'Ctrl-R'],
		id: 'try-again',
		title: 'try again',
		hint: 'try again',
		run: page => page.again(),
	},
];

/** Methods of the key that opens the form: each screen names its own reason why it cannot. */
export type RentKeys = {
	readonly rent: () => void;
	readonly rentUnavailable: () => string | undefined;
};

const rent: Omit<Binding<RentKeys>, 'keys' | 'id' | 'title'> = {
	hint: 'rent',
	isChange: true,
	changesService: true,
	run: screen => screen.rent(),
	unavailable: screen => screen.rentUnavailable(),
};

export const rentOfferKeys: Bindings<RentKeys> = [
	{keys: ['r'], id: 'rent-it', title: 'rent it: opens the form and its review', ...rent},
];

export const rentTemplateKeys: Bindings<RentKeys> = [
	{keys: ['r'], id: 'rent-with-it', title: 'rent with it: opens the form', ...rent},
];

export const rentLikeKeys: Bindings<RentKeys> = [
	{keys: ['r', 'n'], id: 'rent-like-it', title: 'rent one like it: opens the form', ...rent},
];

/** Opens the form for a copy of an instance: its settings, on the cheapest equal offer. */
export function rentLike(router: Router, chosen: () => readonly FleetRow[]): RentKeys {
	return {
		rent() {
			const [row] = chosen();
			if (row !== undefined) router.go({name: 'rent', likeInstance: row.instance.id});
		},
		rentUnavailable() {
			const {length} = chosen();
			if (length === 0) return 'there is no instance to rent one like';
			return length === 1 ? undefined : 'it is for one instance at a time';
		},
	};
}
