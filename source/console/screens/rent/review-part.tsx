import {useMemo, useState} from 'react';
import {GONE, type ActionTarget, type ConfirmationQuestion} from '../../ui/confirmation.ts';
import {ConfirmDialog} from '../dialogs.tsx';
import type {DialogFact} from '../../ui/dialog-lines.ts';
import {useStore} from '../../ui/painted.tsx';
import {
	money,
	pricePerDay,
	pricePerHour,
	signedPrice,
	timeOfDay,
	formatGpus,
} from '../../../renter/text/format.ts';
import {usePoll} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';
import type {RentFacts} from '../../../renter/orders/rent-facts.ts';
import {isFree} from '../../../renter/offers/search.ts';
import {AGREEMENT} from './preview-lines.ts';
import {type Reviewed, type Renting, movedFrom} from './rent-state.ts';
import {stuckMeans} from '../../../renter/actions/stuck-boots.ts';
import {requestLine} from '../../../renter/orders/request-text.ts';
import {refreshReview} from './reviewing.ts';
import {send} from './outcome-part.tsx';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly renting: Renting;
	readonly reviewed: Reviewed;
};

/** Interval of price updates during the review. */
const EVERY_MS = 15_000;

/** Asks before money moves. A price that moves meanwhile is shown, and asks again. */
export function ReviewPart({renting, reviewed, size, say}: Props) {
	const {rent} = renting;
	const isGone = usePriceWatch(renting);
	const facts = useStore(rent.facts);
	const present = useMemo(() => {
		const target = targetOf(reviewed);
		return [isGone ? {...target, state: GONE} : target];
	}, [reviewed, isGone]);
	const [question] = useState(() => questionOf(reviewed));
	return (
		<ConfirmDialog
			question={question}
			present={present}
			facts={factsOf(reviewed, facts)}
			size={size}
			say={say}
			onConfirm={() => void send(renting)}
			onCancel={() => rent.phase.set({kind: 'form'})}
		/>
	);
}

/** Reads the price in intervals; true when the offer is gone. */
function usePriceWatch(renting: Renting): boolean {
	const [isGone, setGone] = useState(false);
	const read = async () => setGone(await refreshReview(renting));
	usePoll(read, {everyMs: EVERY_MS, firstMs: EVERY_MS});
	return isGone;
}

function targetOf({priced: {offer}, preview, overBudget}: Reviewed): ActionTarget {
	return {
		id: offer.id,
		name: preview.creation.label.value,
		detail: `${formatGpus(offer)}  ${offer.geolocation ?? ''}  ${preview.creation.image.value ?? ''}`,
		state: `at ${pricePerHour(preview.cost.allIn)}`,
		level: overBudget === undefined ? 1 : 3,
	};
}

function questionOf(reviewed: Reviewed): ConfirmationQuestion {
	const {overBudget: problem} = reviewed;
	return {
		verb: 'rent',
		noun: 'offer',
		targets: [targetOf(reviewed)],
		isEverything: problem !== undefined,
		sentence: problem?.sentence ?? 'spend more than my budget',
	};
}

function factsOf(reviewed: Reviewed, {readAt, own}: RentFacts): readonly DialogFact[] {
	const {preview, overBudget: problem, checks, order, priced, shownPrice} = reviewed;
	const {cost, diskGb, bid} = preview;
	const isOwn = isFree(priced.offer, own);
	const moved = isOwn ? undefined : movedFrom(shownPrice, cost.allIn);
	const read = readAt === undefined ? '' : `, read ${timeOfDay(new Date(readAt))}`;
	const warnings = checks.filter(({level}) => level === 'warn').map(({text}) => `! ${text}`);
	const fine = checks.filter(({level}) => level === 'ok');
	const gpu = bid === undefined ? 'GPU' : 'your bid';
	const stuck = stuckMeans(preview.values);
	return [
		[
			'Costs',
			isOwn
				? 'nothing: the machine is your own'
				: `${pricePerHour(cost.allIn)} all-in: ${gpu} ${signedPrice(cost.gpu)} + disk ${diskGb} GB ${signedPrice(cost.disk)}; ${pricePerDay(cost.perDay)}, a week ${money(cost.perWeek)}`,
		],
		...(moved === undefined
			? []
			: [['PRICE MOVED', `${pricePerHour(moved)} > ${pricePerHour(cost.allIn)}${read}`] as const]),
		...(problem === undefined ? [] : [['BUDGET', problem.why] as const]),
		...endsFacts(reviewed, readAt),
		...(stuck === undefined ? [] : [['IF STUCK', stuck] as const]),
		['Checks', warnings.length === 0 ? fine.map(({text}) => text).join('; ') : warnings.join('; ')],
		['You agree', AGREEMENT],
		['Request', requestLine(priced.offer.id, order)],
	];
}

function endsFacts({lease, priced}: Reviewed, readAt: number | undefined): readonly DialogFact[] {
	if (lease === undefined) return [['NO END', 'it costs until you end it; L sets an end later']];
	const {terms, before, notes, forSeconds} = lease;
	const offered = priced.offer.end_date ?? Infinity;
	const isShort = forSeconds !== undefined && offered < (readAt ?? 0) / 1000 + forSeconds;
	const early = isShort ? ['the offer itself ends before that'] : [];
	const ends = ['Ends', [terms, ...early, ...notes].join('; ')] as const;
	return before === undefined ? [ends] : [ends, ['Before', before]];
}
