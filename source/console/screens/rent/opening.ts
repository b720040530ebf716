/** Opening the rent form: its offer, its template, and its first values. */
import {messageOf} from '../../../contract/rules/thrown.ts';
import type {Instance} from '../../../contract/nouns/instance-record.ts';
import {fieldValueOf, openForm} from '../../ui/form-state.ts';
import type {Template} from '../../../contract/nouns/templates.ts';
import {firstRecord} from '../../../renter/text/unreadable.ts';
import {sentence} from '../../../renter/text/format.ts';
import type {Destination, StackEntry} from '../../services/router.ts';
import type {Services} from '../../services/services.tsx';
import {createStore} from '../../../renter/state/store.ts';
import {listBehind} from '../offers/search.ts';
import {listPricing} from '../offers/use-offers.ts';
import {
	findTemplate,
	proposeTemplate,
	readOffer,
	searchForTemplate,
} from '../../../renter/orders/order-requests.ts';
import {initialFacts, offerOfInstance, type Priced} from '../../../renter/orders/rent-facts.ts';
import {REVIEW_ROW, rentSpec} from './rent-form.ts';
import {jobOf} from '../../../renter/offers/job.ts';
import {searchOffers} from '../../../renter/offers/local-filter.ts';
import {searchForEquals} from '../../../renter/orders/next-offers.ts';
import {previewOf} from '../../../renter/orders/preview.ts';
import type {RentOpening, RentPhase, Rent} from './rent-state.ts';
import {initialValues} from '../../../renter/orders/rent-values.ts';

export type RentDestination = Extract<Destination, {readonly name: 'rent'}>;

type Opened = {
	readonly opening: RentOpening;
	readonly note: string | undefined;
};

type OpeningOptions = {
	readonly services: Services;
	readonly destination: RentDestination;
	readonly stack: readonly StackEntry[];
};

/** Finds the offer, template and instance of a form. An offer that a list shows is not requested first. */
export async function openRent(options: OpeningOptions): Promise<Opened> {
	const {services, destination, stack} = options;
	const {client, fleet} = services;
	try {
		const like = await findLike(services, destination.likeInstance);
		const {template: usual, note} = await findUsual(services, destination, like);
		const priced = await findOffer(options, usual, like);
		if (priced === undefined) return {opening: nothingToRent(destination, like), note};
		const {offer} = priced;
		const {lastTemplate: lastUsed} = fleet.state.get();
		// A first rent needs no form to be filled in; without a proposal the form asks for an image.
		const proposal =
			usual === undefined && like === undefined
				? await proposeTemplate(await client(), {offer, lastUsed}).catch(() => undefined)
				: undefined;
		const template = usual ?? proposal?.template;
		const isBid = like === undefined && listPricing(stack) === 'bid';
		const settings = services.settings.get();
		const values = initialValues({template, like, isBid, settings, offer});
		const form = openForm(rentSpec(values), values, REVIEW_ROW);
		const rent: Rent = {
			form: createStore(form),
			facts: createStore(
				initialFacts(settings, priced, {template, like, ...destination, proposed: proposal?.why}),
			),
			phase: createStore<RentPhase>({kind: 'form'}),
		};
		showProblem(rent);
		return {opening: {kind: 'open', rent}, note};
	} catch (error) {
		const title = sentence(messageOf(error));
		const lines = ['Nothing was sent, and nothing is charged.', 'Esc goes back; R tries again.'];
		return {opening: {kind: 'failed', title, lines}, note: undefined};
	}
}

/** Puts the cursor on the field that must be filled in first, if any. */
function showProblem({form, facts}: Rent): void {
	const {creation} = previewOf(facts.get(), form.get().values);
	if (fieldValueOf(form.get(), 'image') !== '' || creation.image.value !== undefined) return;
	form.set({...form.get(), at: 'image'});
}

async function findLike(
	{fleet, client}: Services,
	id: number | undefined,
): Promise<Instance | undefined> {
	if (id === undefined) return undefined;
	const row = fleet.state.get().rows.find(({instance}) => instance.id === id);
	return row?.instance ?? (await client()).instances.show(id);
}

/** The template that was chosen, else that of the instance, else the user's usual one. */
async function findUsual(
	{client, settings}: Services,
	{templateHash}: RentDestination,
	like: Instance | undefined,
): Promise<{readonly template: Template | undefined; readonly note: string | undefined}> {
	const usual = like === undefined ? settings.get().templateHash : like.template_hash_id;
	const hash = templateHash ?? usual ?? undefined;
	if (hash === undefined || hash === '') return {template: undefined, note: undefined};
	const template = await findTemplate(await client(), hash);
	const note =
		template === undefined
			? `The template ..${hash.slice(-4)} is gone or was edited; Ctrl-T picks one.`
			: undefined;
	return {template, note};
}

async function findOffer(
	{services, destination, stack}: OpeningOptions,
	template: Template | undefined,
	like: Instance | undefined,
): Promise<Priced | undefined> {
	const {offerId} = destination;
	const job = jobOf(services.settings.get());
	const {diskGb} = job;
	if (offerId !== undefined) {
		const rows = listBehind(stack)?.state.get().rows ?? [];
		const offer = rows.find(({id}) => id === offerId);
		// In a list of bids the price is the bid that wins at present.
		const isPriced = offer !== undefined && listPricing(stack) === 'on-demand';
		if (isPriced) return {offer, pricedGb: diskGb};
		return readOffer(await services.client(), offerId);
	}
	const search =
		like !== undefined
			? searchForEquals(offerOfInstance(like), diskGb)
			: template !== undefined
				? searchForTemplate(template, diskGb)
				: undefined;
	if (search === undefined) return undefined;
	const {offers, unreadable} = await searchOffers(await services.client(), search, {job});
	const offer = firstRecord('find an offer', offers, unreadable);
	return offer === undefined ? undefined : {offer, pricedGb: diskGb};
}

function nothingToRent({offerId}: RentDestination, like: Instance | undefined): RentOpening {
	const lines = ['Nothing was sent, nothing is charged.', '1 shows what there is; Esc goes back.'];
	if (offerId !== undefined) {
		return {
			kind: 'failed',
			title: `Offer ${offerId} is gone.`,
			lines: ['Someone else took it, or it was unlisted.', ...lines],
		};
	}
	const gpus =
		like === undefined
			? 'that fits the template'
			: `of ${like.num_gpus ?? '?'}x ${like.gpu_name ?? '?'}`;
	return {kind: 'failed', title: `There is no offer ${gpus} at present.`, lines};
}
