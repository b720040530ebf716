/** Lines that stay in view about an instance that is not as ordered. */
import {wrapText} from '../../ui/wrap.ts';
import {useStore} from '../../ui/use-store.ts';
import {unlikeText, type Differing} from '../../../renter/orders/instance-comparisons.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {useRenting, useServices} from '../../services/services.tsx';
import {fit} from '../../../renter/text/text-width.ts';
import type {Size} from '../../terminal/terminal.ts';
import type {FleetColumn} from './columns.ts';

const MOST_LINES = 3;
/** Lines of the screen that these leave to the rest. */
const LEAST_PAGE = 6;
const END = 'x destroys it.';

/** Lines above the pages of an instance; none where it is as ordered, or gone. */
export function useDifferenceLines(row: FleetRow | undefined, size: Size): readonly string[] {
	const {theme} = useServices();
	const {orders} = useRenting();
	const differing = useStore(orders);
	const unlike = row && differing.get(row.instance.id);
	if (unlike === undefined) return [];
	const width = size.columns;
	const lines = wrapText(`! ${unlikeText(unlike)} ${END}`, width);
	const most = Math.min(MOST_LINES, Math.max(0, size.rows - LEAST_PAGE));
	const shown = lines.length <= most ? lines : [...lines.slice(0, most - 1), `... ${END}`];
	return shown.slice(0, most).map(line => theme.style('danger', fit(line, width)));
}

/** Line below the list, where the instance under the cursor is not as ordered. */
export function differenceLine(
	row: FleetRow | undefined,
	differing: Differing,
	width: number,
): string | undefined {
	const unlike = row && differing.get(row.instance.id);
	return unlike && fit(`! ${unlikeText(unlike)} ${END}`, width);
}

const NOTE = 'not as ordered';

/** The same columns; the note says first of all that an instance is not as ordered. */
export function withOrderNotes(
	columns: readonly FleetColumn[],
	differing: Differing,
): readonly FleetColumn[] {
	if (differing.size === 0) return columns;
	return columns.map(column => {
		if (column.id !== 'note') return column;
		return {
			...column,
			cell: (row, width) => {
				if (!differing.has(row.instance.id)) return column.cell(row, width);
				return width < NOTE.length ? 'differs' : NOTE;
			},
		};
	});
}
