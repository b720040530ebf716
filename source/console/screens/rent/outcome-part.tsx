import {Box, Text} from 'ink';
import {useState} from 'react';
import {ruleLine, spread} from '../../ui/chrome.ts';
import {wrapText} from '../../ui/panes.ts';
import {change, pricePerHour, gpusOf} from '../../../renter/text/format.ts';
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
import type {Phase, Rent, Renting} from './rent-state.ts';
import {goToTab, takeNext} from './reviewing.ts';
import {lookAgain} from './sending.ts';

export type Outcome = Extract<Phase, {readonly kind: 'gone' | 'refused' | 'unknown'}>;

type Props = Pick<ScreenProps, 'size'> & {
	readonly renting: Renting;
	readonly outcome: Outcome;
};

const bindings = {gone: goneBindings, refused: refusedBindings, unknown: unknownBindings};

/** Outcome of a failed or uncertain rental, with advice. */
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
			const place = renting.router.stack.get().at(-1);
			if (place !== undefined) askForEquals(place, rent.facts.get().offer);
		},
		lookUnavailable: () => (isLooking ? 'it is looked for at this moment' : undefined),
		lookAgain() {
			if (outcome.kind !== 'unknown') return;
			setLooking(true);
			void lookAgain(renting, outcome).finally(() => setLooking(false));
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

type Look = {readonly theme: Theme; readonly width: number; readonly isDetailed: boolean};

function outcomeLines(rent: Rent, outcome: Outcome, look: Look): readonly string[] {
	const {theme, width, isDetailed} = look;
	const {message} = outcome;
	const {offer} = rent.facts.get();
	const text = (said: string) => wrapText(said, width - 2).map(line => fit(` ${line}`, width));
	return [
		spread(
			width,
			printable(`Rent > ${offer.id}  ${gpusOf(offer)}`),
			outcome.kind === 'unknown' ? 'not known' : 'not rented',
		),
		ruleLine(theme, width),
		...text(message.title).map(line => theme.style('heading', line)),
		' ',
		...message.lines.flatMap(text),
		...(outcome.kind === 'gone' ? ['', ...nextLines(rent, outcome.next, look)] : []),
		...(isDetailed ? ['', ...exchangeOf(rent, outcome).flatMap(text)] : []),
	].map(line => (line === '' ? ' ' : line));
}

function nextLines(
	rent: Rent,
	next: readonly NextOffer[] | undefined,
	{theme, width}: Look,
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
		...next.map((other, index) => nextLine(other, index === 0, {theme, width})),
	];
}

function nextLine(
	{offer, price, percent, isWithin}: NextOffer,
	isFirst: boolean,
	{theme, width}: Pick<Look, 'theme' | 'width'>,
): string {
	const line = [
		isFirst ? theme.glyphs.cursor : ' ',
		` ${String(offer.id).padEnd(10)}`,
		fit(printable(gpusOf(offer)), 18),
		pricePerHour(price).padStart(12),
		`  ${percentOf({percent}).padEnd(9)}`,
		isWithin ? '' : 'over your ceiling',
	].join('');
	return fit(` ${line}`, width);
}

function percentOf({percent}: Pick<NextOffer, 'percent'>): string {
	return percent === undefined ? 'unknown' : change(percent);
}
