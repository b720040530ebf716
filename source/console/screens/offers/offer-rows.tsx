import {Box} from 'ink';
import {useMemo} from 'react';
import type {Offer} from '../../../contract/offers.ts';
import type {Unreadable} from '../../../contract/unreadable.ts';
import {price} from '../../../renter/format.ts';
import type {Column} from '../../list/columns.ts';
import type {List} from '../../list/list.ts';
import {ListRows, ListRule} from '../../list/list-rows.tsx';
import {unreadNotes} from '../../list/unreadable.ts';
import {OffersPane} from './offers-pane.tsx';
import type {usePane} from './use-pane.ts';

type Props = {
	readonly list: List<Offer>;
	readonly columns: ReadonlyArray<Column<Offer>>;
	readonly width: number;
	readonly height: number;
	/** Found by an earlier run of the program. */
	readonly isOld: boolean;
	readonly beside: ReturnType<typeof usePane>;
	/** The column whose best and worst among the marked rows are told. */
	readonly priced: Column<Offer> | undefined;
	readonly unreadable: Unreadable;
};

/** The rows of the list, the pane beside them, and the rule under both. */
export function OfferRows({beside, priced, unreadable, isOld, width, ...rows}: Props) {
	const {list, height} = rows;
	const pane = {table: list, pane: beside.pane, width: beside.width, height: height + 1};
	const words = useMemo(
		() => ({
			summary: (offers: readonly Offer[]) => spreadOf(offers, priced),
			notes: unreadNotes(unreadable),
		}),
		[priced, unreadable],
	);
	return (
		<>
			<Box>
				<Box flexDirection="column">
					<ListRows {...rows} width={width - beside.width} meaning={isOld ? 'quiet' : 'plain'} />
				</Box>
				{beside.width > 0 && <OffersPane {...pane} />}
			</Box>
			<ListRule {...{list, width, words}} />
		</>
	);
}

/** The lowest and the highest price of some offers. */
function spreadOf(offers: readonly Offer[], priced: Column<Offer> | undefined): string {
	if (priced === undefined) return '';
	const prices = offers.map(priced.sortKey).filter(key => typeof key === 'number');
	if (prices.length === 0) return '';
	const [best, worst] = [Math.min(...prices), Math.max(...prices)];
	const least = `${priced.title} ${price(best)}`;
	return best === worst ? least : `${least} to ${price(worst)}`;
}
