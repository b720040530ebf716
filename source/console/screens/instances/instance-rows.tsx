import {Box, Text} from 'ink';
import {useMemo} from 'react';
import {ruleLine} from '../../chrome.ts';
import {linesFrom} from '../../components/line-source.ts';
import {Painted} from '../../components/painted.tsx';
import {positionRule, tableHeading, tableLines} from '../../components/table-lines.ts';
import {useServices} from '../../services.tsx';
import {band, narrowBand, timelineLines} from './band.ts';
import type {FleetColumn} from './columns.ts';
import type {Layout} from './layout.ts';
import type {InstanceList} from './list.ts';
import {moneyLines} from './money-lines.ts';

type Props = {
	readonly list: InstanceList;
	readonly columns: readonly FleetColumn[];
	readonly layout: Layout;
	readonly width: number;
};

/** The rows, what is known of the one under the cursor, and the pane of money where there is room. */
export function InstanceRows({list, columns, layout, width}: Props) {
	const {theme, painter} = useServices();
	const sources = useSources({list, columns, layout, width});
	const lines = {width: layout.listWidth, painter};
	const listed = (
		<Box flexDirection="column" width={layout.listWidth} flexShrink={0}>
			{layout.isNarrow ? null : <Painted {...lines} source={sources.heading} hole={5} height={1} />}
			<Painted {...lines} source={sources.rows} hole={0} height={layout.rows} />
			<Painted {...lines} source={sources.rule} hole={1} height={1} />
			<Painted {...lines} source={sources.band} hole={7} height={layout.band} />
		</Box>
	);
	if (layout.isNarrow) return listed;
	const height = layout.rows + layout.band + 2;
	return (
		<Box flexDirection="column">
			<Box>
				{listed}
				{layout.paneWidth === 0 ? null : (
					<Painted
						source={sources.pane}
						hole={6}
						width={layout.paneWidth}
						height={height}
						painter={painter}
					/>
				)}
			</Box>
			<Text wrap="truncate">{ruleLine(theme, width)}</Text>
		</Box>
	);
}

function useSources({list: {table}, columns, layout}: Props) {
	const {theme, fleet} = useServices();
	return useMemo(() => {
		const {listWidth, isNarrow, paneWidth, band: bandHeight, rows} = layout;
		return {
			heading: tableHeading(table, columns, theme),
			rows: tableLines(table, columns, theme),
			rule: positionRule(table, theme, listWidth),
			band: linesFrom([table.state], () => {
				const row = table.current();
				if (isNarrow) return narrowBand(row, listWidth);
				if (paneWidth === 0 || row === undefined) return band(row, listWidth);
				return [...timelineLines(row, listWidth), '', ...band(row, listWidth).slice(2)];
			}),
			pane: linesFrom([fleet.state], () =>
				moneyLines(fleet.state.get(), {
					theme,
					width: paneWidth,
					height: rows + bandHeight + 2,
				}),
			),
		};
	}, [table, columns, layout, theme, fleet]);
}
