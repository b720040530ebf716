import {Box, Text} from 'ink';
import {useState} from 'react';
import type {PendingRent, RentOutcome} from '../../../client/rentals/pending-rent.ts';
import {agreedOrder, isTaken} from '../../../renter/orders/agreed-order.ts';
import {unlikeText} from '../../../renter/orders/instance-comparisons.ts';
import {pricePerHour, sentence, change, formatGpus} from '../../../renter/text/format.ts';
import type {Reviewed, Renting, RentPhase, Rent} from './rent-state.ts';
import {showGone, goToTab, recheckReviewed, takeNext} from './reviewing.ts';
import {rentOnce} from '../../../renter/orders/repeated-rents.ts';
import {OverBudgetError, refusingOver} from '../../../renter/orders/limits-beside.ts';
import {shownLabel} from '../../../renter/words/lease.ts';
import {
	readCallFailure,
	notCreatedMessage,
	limitPassedMessage,
	refusedMessage,
	unknownOutcomeMessage,
} from './rent-message.ts';
import {noteRental} from '../../../renter/actions/replacement.ts';
import {armBoot} from '../../../renter/actions/stuck-boots.ts';
import {spread} from '../../ui/chrome.ts';
import {ruleLine} from '../../ui/rules.ts';
import {wrapText} from '../../../renter/text/wrap.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {useServices, useTerminal} from '../../services/services.tsx';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../ui/theme.ts';
import {askForEquals} from '../offers/query/query.ts';
import type {ScreenProps} from '../../services/router.ts';
import {goToField} from '../../ui/form-state.ts';
import {goneBindings, refusedBindings, unknownBindings, type OutcomeTarget} from './bindings.ts';
import {rentSpec} from './rent-form.ts';
import {nextUnavailable, type NextOffer} from '../../../renter/orders/next-offers.ts';
import {previewOf} from '../../../renter/orders/preview.ts';
import {shownScript, requestJson} from '../../../renter/orders/request-text.ts';

/** Sends the reviewed order. No second one can be sent before its outcome is known. */
export async function send(renting: Renting): Promise<void> {
	const {rent, services} = renting;
	const {phase} = rent;
	const reviewed = await recheckReviewed(renting);
	const asked = phase.get();
	if (asked.kind !== 'review' || asked.reviewed !== reviewed) return;
	phase.set({kind: 'sending', reviewed, isInDoubt: false, isWarned: false});
	try {
		const client = await services.client();
		const {priced, preview, lease} = reviewed;
		// A lease counts from the rental, not from the review.
		const {order, creation} = lease?.at(client.clock.now() / 1000) ?? {...preview, ...reviewed};
		const {offer} = priced;
		const {cost} = preview;
		const outcome = await rentOnce(client, offer, order, {
			agreed: agreedOrder({offer, order, creation, perHour: cost.running}),
			// A typed sum stays allowed, even if more is rented meanwhile.
			mayRent: refusingOver(services.renting.limits(reviewed.overBudget !== undefined), {
				perHour: cost.allIn,
				label: shownLabel(creation.label.value),
			}),
			onDoubt() {
				const present = phase.get();
				if (present.kind === 'sending') phase.set({...present, isInDoubt: true});
			},
		});
		await conclude(renting, outcome, reviewed);
	} catch (error) {
		const failure = readCallFailure(error);
		if (error instanceof OverBudgetError)
			phase.set({kind: 'refused', message: limitPassedMessage(error)});
		else if (isTaken(failure)) await showGone(renting, failure);
		else phase.set({kind: 'refused', message: refusedMessage(failure)});
	}
}

async function conclude(renting: Renting, outcome: RentOutcome, reviewed: Reviewed): Promise<void> {
	const {phase, facts} = renting.rent;
	const {offerId} = outcome.pending;
	facts.set({...facts.get(), isInDoubt: outcome.outcome === 'unknown'});
	switch (outcome.outcome) {
		case 'created':
			return land(renting, outcome, reviewed);
		case 'not created':
			return phase.set({kind: 'refused', message: notCreatedMessage(outcome, offerId)});
		case 'unknown': {
			const message = unknownOutcomeMessage(outcome, offerId);
			return phase.set({kind: 'unknown', message, pending: outcome.pending, reviewed});
		}
	}
}

/** Searches once more for the instance of an uncertain rent. */
async function searchAgain(
	renting: Renting,
	{pending, reviewed}: {readonly pending: PendingRent; readonly reviewed: Reviewed},
): Promise<void> {
	const {rent, services, say} = renting;
	say({text: 'Looking for it, half a minute at most.', isError: false});
	try {
		const client = await services.client();
		const outcome = await client.pendingRents.settle(pending);
		if (rent.phase.get().kind === 'unknown') await conclude(renting, outcome, reviewed);
		if (outcome.outcome === 'unknown') say({text: 'It is still not known.', isError: true});
	} catch (error) {
		say({text: sentence(readCallFailure(error).message), isError: true});
	}
}

type Created = Extract<RentOutcome, {readonly outcome: 'created'}>;

/** Longest wait for a list with the new instance, before its screen is opened anyway. */
const LISTED_MS = 3000;

/** Goes to the instance, which is watched there. */
async function land(
	{rent, services, router, stackEntry, say}: Renting,
	created: Created,
	{preview, order, priced}: Reviewed,
): Promise<void> {
	const {id, doubles} = created;
	const cost = preview.cost.allIn;
	const price = cost === undefined ? '' : ` for ${pricePerHour(cost)}`;
	const more = await noteRental(services, created, {...priced, order, perHour: cost});
	await Promise.race([
		services.fleet.refresh().catch(() => undefined),
		new Promise<void>(resolve => services.time.timers.after(LISTED_MS, resolve)),
	]);
	armBoot(services, id, {values: preview.values, facts: rent.facts.get()});
	if (router.stack.get().at(-1) === stackEntry) router.replace({name: 'instance', id});
	else rent.phase.set({kind: 'created', id});
	const unlike = services.renting.orders.get().get(id);
	const how = unlike === undefined ? `${price}.` : `. ${unlikeText(unlike)} x destroys it.`;
	const isError = unlike !== undefined || doubles !== undefined;
	say({text: `Rented: instance ${id}${how}${more}`, isError});
}

type Outcome = Extract<RentPhase, {readonly kind: 'gone' | 'refused' | 'unknown'}>;

type Props = Pick<ScreenProps, 'size'> & {
	readonly renting: Renting;
	readonly outcome: Outcome;
};

const bindings = {gone: goneBindings, refused: refusedBindings, unknown: unknownBindings};

export function OutcomePart({renting, outcome, size}: Props) {
	const {theme} = useServices();
	const [isDetailed, setDetailed] = useState(false);
	const lines = outcomeLines(renting.rent, outcome, {theme, width: size.columns, isDetailed});
	return (
		<KeyScope
			isModal={outcome.kind === 'gone'}
			title={outcome.kind === 'unknown' ? 'Not known' : 'Not rented'}
			bindings={bindings[outcome.kind]}
			target={useTarget(renting, outcome, () => setDetailed(shown => !shown))}
		>
			<Box width={size.columns} height={size.rows} flexShrink={0} overflow="hidden">
				<Text wrap="truncate">{lines.slice(0, size.rows).join('\n')}</Text>
			</Box>
		</KeyScope>
	);
}

function useTarget(renting: Renting, outcome: Outcome, details: () => void): OutcomeTarget {
	const {copy} = useTerminal();
	const {rent} = renting;
	const [isLooking, setLooking] = useState(false);
	return {
		details,
		takeNext: () => void takeNext(renting),
		nextUnavailable() {
			if (outcome.kind !== 'gone') return 'the offer is not gone';
			if (outcome.next === undefined) return 'others are looked for at this moment';
			return nextUnavailable(outcome.next[0], rent.facts.get(), rent.form.get().values);
		},
		edit() {
			const {field} = outcome.message;
			const spec = rentSpec(rent.form.get().values);
			if (field !== undefined && spec.fields.some(({id}) => id === field)) {
				rent.form.set(goToField(spec, rent.form.get(), field));
			}
			rent.phase.set({kind: 'form'});
		},
		search() {
			rent.phase.set({kind: 'form'});
			renting.router.go({name: 'offers'});
			const stackEntry = renting.router.stack.get().at(-1);
			if (stackEntry !== undefined) askForEquals(stackEntry, rent.facts.get().offer);
		},
		lookUnavailable: () => (isLooking ? 'it is looked for at this moment' : undefined),
		lookAgain() {
			if (outcome.kind !== 'unknown') return;
			setLooking(true);
			void searchAgain(renting, outcome).finally(() => setLooking(false));
		},
		copy: () => copy(exchangeOf(rent, outcome).join('\n')),
		goToTab: index => goToTab(renting, index, () => rent.phase.set({kind: 'form'})),
	};
}

/** Request and reply, without secrets. */
function exchangeOf({form, facts}: Rent, {message}: Outcome): readonly string[] {
	const {order} = previewOf(facts.get(), form.get().values);
	const sent = order === undefined ? '-' : requestJson(order);
	return [
		`PUT asks/${facts.get().offer.id} ${sent}`,
		`answer: ${shownScript(message.serverSays ?? 'none')}`,
	];
}

type OutcomeLayout = {readonly theme: Theme; readonly width: number; readonly isDetailed: boolean};

function outcomeLines(rent: Rent, outcome: Outcome, layout: OutcomeLayout): readonly string[] {
	const {theme, width, isDetailed} = layout;
	const {message} = outcome;
	const {offer} = rent.facts.get();
	const text = (said: string) => wrapText(said, width - 2).map(line => fit(` ${line}`, width));
	return [
		spread(
			width,
			printable(`Rent > ${offer.id}  ${formatGpus(offer)}`),
			outcome.kind === 'unknown' ? 'not known' : 'not rented',
		),
		ruleLine(theme, width),
		...text(message.title).map(line => theme.style('heading', line)),
		' ',
		...message.lines.flatMap(text),
		...(outcome.kind === 'gone' ? ['', ...nextLines(rent, outcome.next, layout)] : []),
		...(isDetailed ? ['', ...exchangeOf(rent, outcome).flatMap(text)] : []),
	].map(line => (line === '' ? ' ' : line));
}

function nextLines(
	rent: Rent,
	next: readonly NextOffer[] | undefined,
	{theme, width}: OutcomeLayout,
): readonly string[] {
	if (next === undefined) return [' Looking for equal offers.'];
	const {values} = rent.form.get();
	const why = nextUnavailable(next[0], rent.facts.get(), values);
	const [first] = next;
	const hint =
		why === undefined && first !== undefined
			? `r reviews the next equal (${first.offer.id}, ${pricePerHour(first.price)}, ${percentOf(first)}); nothing is sent before y.`
			: `r takes none: ${why ?? ''}.`;
	return [
		...wrapText(hint, width - 2).map(line => fit(` ${line}`, width)),
		' ',
		theme.style('heading', fit(' NEXT EQUAL OFFERS', width)),
		...next.map((other, index) => {
			const {offer, price, isWithin} = other;
			const line = [
				index === 0 ? theme.glyphs.cursor : ' ',
				` ${String(offer.id).padEnd(10)}`,
				fit(printable(formatGpus(offer)), 18),
				pricePerHour(price).padStart(12),
				`  ${percentOf(other).padEnd(9)}`,
				isWithin ? '' : 'over your ceiling',
			].join('');
			return fit(` ${line}`, width);
		}),
	];
}

function percentOf({percent}: NextOffer): string {
	return percent === undefined ? 'unknown' : change(percent);
}
