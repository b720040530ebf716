/** The column that says how cheap an offer is: its price on a line against all of its kind. */
import {costFields} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {type KindPrices, priceStanding} from '../../../renter/offers/kind-prices.ts';
import {leastColumn, type StyledText} from '../../list/columns.ts';

/** Columns of the line on which an offer's price stands, and of the share behind it. */
const [LINE_WIDTH, SHARE_WIDTH] = [16, 7];
/** Share at either end of the line. */
const FARTHEST = 0.25;
/** Offers cheaper by so much are good; nearer to the usual price than that, a share says little. */
const [CHEAP, NEAR] = [-0.15, 0.05];

/** Where an offer's price stands among all of its kind: `──●────┼─── -21 %`. */
export function standingColumn(kinds: KindPrices | undefined) {
	const standing = (offer: Offer) => priceStanding(offer, kinds);
	return {
		...leastColumn(
			['against', 'AGAINST ALL OF ITS KIND', LINE_WIDTH + SHARE_WIDTH, 4],
			standing,
			shareText,
		),
		set: 'compact',
		about: 'price beside the median of its GPU',
		fields: costFields,
		shows: [],
		ordersBy: undefined,
		draw: (offer: Offer, width: number) => standingParts(standing(offer), width),
	} as const;
}

/** Percent beyond which no number is shown. */
const MOST_PERCENT = 999;

/** "-21 %" */
function shareText(share: number | undefined): string {
	if (share === undefined) return '';
	const percents = Math.round(share * 100);
	if (percents > MOST_PERCENT) return `>${MOST_PERCENT} %`;
	return `${percents > 0 ? '+' : ''}${percents} %`;
}

function standingParts(share: number | undefined, width: number): readonly StyledText[] {
	if (share === undefined) return [{text: ' '.repeat(width), style: 'quiet'}];
	const style = share <= CHEAP ? 'good' : Math.abs(share) < NEAR ? 'quiet' : 'plain';
	const line = width - SHARE_WIDTH;
	const middle = Math.floor(line / 2);
	const at = Math.max(0, Math.min(line - 1, middle + Math.round((share / FARTHEST) * middle)));
	const drawn = Array.from({length: line}, (_, cell) => (cell === middle ? '┼' : '─'));
	return [
		{text: drawn.slice(0, at).join(''), style: 'quiet'},
		{text: '●', style},
		{text: drawn.slice(at + 1).join(''), style: 'quiet'},
		{text: shareText(share).padStart(SHARE_WIDTH), style},
	];
}
