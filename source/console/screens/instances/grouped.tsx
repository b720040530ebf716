/** Instances in groups, in place of the plain list: rows, keys, and the band of a group. */
import type {ListTarget} from '../../list/list-target.ts';
import {useLayoutEffect} from 'react';
import type {FleetGroup} from '../../../renter/fleet/groups.ts';
import {groupings, type Grouping} from '../../../renter/settings/default-settings.ts';
import {targetName} from '../../../renter/profiles/target.ts';
import {fit} from '../../../renter/text/text-width.ts';
import {Choice} from '../../ui/dialog.tsx';
import {useStore} from '../../ui/painted.tsx';
import type {Router} from '../../services/router.ts';
import {useServices, useTerminal, useTime} from '../../services/services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import type {InstancesTarget} from './instances-target.ts';
import {nameOfGroup, sumText} from './grouped-list.ts';
import type {InstanceListState} from './list.tsx';
import {troubledRows} from './trouble.ts';

/** Keeps the groups equal to the plain list, while they are shown. */
export function useGrouped({table, grouped}: InstanceListState, isCovered: boolean): boolean {
	const {switcher} = useServices();
	const {now} = useTime();
	const by = useStore(grouped.by);
	useLayoutEffect(() => {
		if (by === undefined) return undefined;
		const service = targetName(switcher.target);
		let last = table.state.get().shown;
		const regroup = () => {
			last = table.state.get().shown;
			grouped.table.load(grouped.lines(last, service));
		};
		const follow = () => {
			const {shown} = table.state.get();
			if (shown === last) return;
			last = shown;
			const lines = grouped.lines(shown, service);
			if (isCovered || grouped.table.isMovedIn(now())) grouped.table.refresh(lines, true);
			else grouped.table.load(lines);
		};
		regroup();
		const stops = [
			table.state.subscribe(follow),
			grouped.open.subscribe(regroup),
			grouped.table.view.subscribe(regroup),
		];
		return () => {
			for (const stop of stops) stop();
		};
	}, [table, grouped, by, switcher, now, isCovered]);
	return by !== undefined;
}

/** The list for the keys, which act on the instances of a group. */
export function actingOn(list: InstanceListState): InstanceListState {
	const {table, grouped} = list;
	if (grouped.by.get() === undefined) return list;
	const {chosen, current} = grouped;
	return {
		...list,
		table: {
			...table,
			chosen,
			current,
			act: action => () => {
				const row = current();
				if (row !== undefined) action(row);
			},
			markNone() {
				table.markNone();
				grouped.table.markNone();
			},
			apply: () => table.apply() + grouped.table.apply(),
		},
	};
}

type Options = {
	readonly list: InstanceListState;
	readonly router: Router;
	readonly now: () => Date;
	readonly announce: (text: string) => void;
};

/** Key methods that differ from those of the plain list. */
export function groupedTarget({
	list: {table, grouped},
	router,
	now,
	announce,
}: Options): Pick<InstancesTarget, 'open' | 'nextTrouble'> &
	Pick<ListTarget, 'back' | 'backUnavailable'> {
	return {
		open() {
			const {row, group} = grouped.table.current() ?? {};
			if (group !== undefined) grouped.toggle(group.key);
			else if (row !== undefined) router.go({name: 'instance', id: row.instance.id});
		},
		nextTrouble() {
			const troubled = troubledRows(table.state.get().shown);
			const at = troubled.findIndex(({instance: {id}}) => id === grouped.current()?.instance.id);
			const next = troubled[(at + 1) % troubled.length];
			if (next === undefined) return;
			const around = grouped.table.state
				.get()
				.shown.find(({group}) => group?.rows.includes(next) === true);
			if (around?.group !== undefined && !around.isOpen) grouped.toggle(around.group.key);
			grouped.table.goTo(next.instance.id, now());
			announce(`${troubled.indexOf(next) + 1} of ${troubled.length} in trouble, the newest first.`);
		},
		back() {
			if (table.filter.isOn()) table.filter.clear();
			else if (grouped.table.hasSelection()) grouped.table.markNone();
			else grouped.group(undefined);
		},
		backUnavailable: () => undefined,
	};
}

const titles: Readonly<Record<Grouping, string>> = {
	label: 'label, up to its last part',
	gpu: 'GPU',
	host: 'host',
	image: 'image',
	template: 'template',
	service: 'service',
};

const NOTHING = 'nothing: a row an instance';

type GroupingProps = {
	readonly list: InstanceListState;
	readonly size: Size;
	readonly onClose: () => void;
};

export function ChooseGrouping({list: {grouped}, size, onClose}: GroupingProps) {
	const {theme} = useServices();
	const {typeToInk} = useTerminal();
	const by = grouped.by.get();
	const choices = [...groupings.map(one => titles[one]), ...(by === undefined ? [] : [NOTHING])];
	return (
		<Choice
			title="Group instances by"
			chosen={titles[by ?? 'label']}
			onType={typeToInk}
			{...{choices, theme, size, onClose}}
			onChoose={choice => {
				grouped.group(groupings.find(one => titles[one] === choice));
				onClose();
			}}
		/>
	);
}

export function groupBand(group: FleetGroup, width: number): readonly string[] {
	const {rows, running, use} = group;
	const conditions = Map.groupBy(rows, ({condition}) => condition);
	const states = Array.from(conditions, ([condition, {length}]) => `${length} ${condition}`);
	const busy = use === undefined ? '' : `, GPUs ${Math.round(use)}% busy`;
	return [
		fit(`${nameOfGroup(group)}   ${rows.length} instances, ${running} running${busy}`, width),
		fit(states.join(', '), width),
		fit(`Costs ${sumText(group, 'now')}/h now, at most ${sumText(group, 'atMost')}/h.`, width),
		'',
		fit('Enter opens or folds it    Space marks all of it    x destroys all of it', width),
	];
}
