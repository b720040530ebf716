/** The lines above the rows: what is looked for, how many there are, which trouble is out of sight. */
import {Text} from 'ink';
import {useMemo} from 'react';
import {derived} from '../../../renter/state/store.ts';
import {drawLine} from '../../ui/line-window.ts';
import {useStore} from '../../ui/use-store.ts';
import {useServices} from '../../services/services.tsx';
import {instancesIn} from './grouped-list.ts';
import {type InstanceList, wantedIn} from './list.ts';
import {InstanceQuery, QueryLines} from './query.tsx';
import {topLine} from './list-status.ts';
import {outOfSight, troubleRule} from './trouble.ts';

type TopProps = {
	readonly list: InstanceList;
	readonly isTyping: boolean;
	readonly isGrouped: boolean;
	readonly isNarrow: boolean;
	readonly width: number;
};

/** The lines above the rows: what is looked for and what is out of sight, or the open query line. */
export function TopLines({list, isTyping, isGrouped, isNarrow, width}: TopProps) {
	const top = useTopLine(list, width);
	return (
		<InstanceQuery list={list}>
			{isTyping ? (
				<QueryLines list={list} width={width} />
			) : (
				<>
					{isNarrow ? null : <Text wrap="truncate">{top}</Text>}
					<TroubleRule {...{list, isGrouped, isNarrow, width}} />
				</>
			)}
		</InstanceQuery>
	);
}

/** The rule above the rows, which counts the trouble that is out of sight. */
function TroubleRule({list: {table, grouped}, isGrouped, width}: Omit<TopProps, 'isTyping'>) {
	const {fleet, theme} = useServices();
	const {state} = table;
	const text = useStore(
		useMemo(
			() =>
				isGrouped
					? derived([fleet.state, grouped.table.state], () =>
							outOfSight(grouped.table.state.get(), fleet.state.get(), instancesIn),
						)
					: derived([fleet.state, state], () =>
							outOfSight(state.get(), fleet.state.get(), rows => rows),
						),
			[fleet, state, grouped, isGrouped],
		),
	);
	return <Text wrap="truncate">{troubleRule(theme, width, text)}</Text>;
}

/** The query and its counts, which moving the cursor leaves alone. */
function useTopLine(list: InstanceList, width: number): string {
	const {fleet, theme} = useServices();
	const line = useMemo(() => {
		const {filter, view} = list.table;
		return derived([fleet.state, filter.state, view], () => {
			const {line: words} = filter.state.get();
			const look = {width: Math.min(30, Math.floor(width / 3)), hasFocus: false};
			const field = words.text === '' ? undefined : drawLine(theme, words, look);
			return topLine(fleet.state.get(), wantedIn(list), {view: view.get(), field, width});
		});
	}, [fleet, theme, list, width]);
	return useStore(line);
}
