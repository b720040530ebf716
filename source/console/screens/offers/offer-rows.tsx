import {Box} from 'ink';
import {useMemo} from 'react';
import type {Offer} from '../../../contract/offers.ts';
import type {Unreadable} from '../../../contract/unreadable.ts';
import type {Column} from '../../list/columns.ts';
import {Painted} from '../../components/painted.tsx';
import type {List} from '../../list/list.ts';
import {positionRule, listHeading, listLines} from '../../list/lines.ts';
import {price} from '../../../renter/format.ts';
import {useServices} from '../../services.tsx';
import {unreadNotes} from '../unreadable.ts';

type Props = {
	readonly table: List<Offer>;
	readonly columns: ReadonlyArray<Column<Offer>>;
	readonly width: number;
	readonly height: number;
	/** Found by an earlier run of the program. */
	readonly isOld: boolean;
};

/** The titles and the rows of the list, painted without React. */
export function OfferRows({table, columns, width, height, isOld}: Props) {
	const {theme, painter} = useServices();
	const {heading, rows} = useMemo(
		() => ({
			heading: listHeading(table, columns, theme),
			rows: listLines(table, columns, theme, isOld ? 'quiet' : 'plain'),
		}),
		[table, columns, theme, isOld],
	);
	return (
		<Box flexDirection="column">
			<Painted source={heading} hole={5} height={1} width={width} painter={painter} />
			<Painted source={rows} hole={0} height={height} width={width} painter={painter} />
		</Box>
	);
}

type RuleProps = {
	readonly table: List<Offer>;
	/** The column whose best and worst among the marked rows are told. */
	readonly priced: Column<Offer> | undefined;
	readonly width: number;
	readonly unreadable: Unreadable;
};

/** The rule under the list: what is marked, changed or could not be read, and where the cursor is. */
export function OffersRule({table, priced, width, unreadable}: RuleProps) {
	const {theme, painter} = useServices();
	const source = useMemo(() => {
		const summary = (rows: readonly Offer[]) => spreadOf(rows, priced);
		return positionRule(table, theme, width, {summary, notes: unreadNotes(unreadable)});
	}, [table, priced, theme, width, unreadable]);
	return <Painted source={source} hole={1} height={1} width={width} painter={painter} />;
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
