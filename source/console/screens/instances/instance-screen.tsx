import {Box, Text} from 'ink';
import {useEffect, useState} from 'react';
import {ruleLine, spread} from '../../ui/chrome.ts';
import {Notice} from '../../ui/notice.tsx';
import {useStore} from '../../ui/painted.tsx';
import {costSoFar, costWords} from '../../../renter/instance/cost.ts';
import type {Fleet} from '../../../renter/fleet/fleet.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import type {Place, ScreenProps} from '../../services/router.ts';
import {useRenting, useServices, useTerminal} from '../../services/services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {rentLike} from '../rent/bindings.ts';
import {AskingPart} from './asking.tsx';
import {instanceBindings, type InstanceTarget} from './bindings.ts';
import {connectLines, connectTools} from './connecting.ts';
import {
	connectTarget,
	portsTarget,
	instanceActions,
	refreshFleet,
	type Asking,
} from './instance-actions.ts';
import {
	endsLines,
	pageLines,
	type Page,
	neighbour,
	pageFor,
	pagesWithin,
	viewAt,
} from './instance-pages.ts';
import {LogsView, LogTail} from './logs/logs-view.tsx';
import {ratePerHour} from './columns.ts';
import {staleness} from './list-status.tsx';
import {useDifferenceLines} from './trouble.ts';
import {useEnforcers, type Heard} from './ends.ts';
import {wideLines} from './wide-page.ts';
import {ageOf, nameOf, stateOf} from './words.ts';

/** Title, tabs and two rules. */
const LINES_AROUND = 4;
/** With fewer lines, logs would say nothing. */
const LEAST_LOGS = 3;

type Props = Omit<ScreenProps, 'place'> & {
	readonly place: Place;
	readonly id: number;
	/** The wanted page; by default the one that fits the state. */
	readonly wanted: Page | undefined;
};

/** The screen of an instance: its routes, its state and logs, and its facts. */
export function InstanceScreen({size, place, router, id, wanted, say}: Props) {
	const services = useServices();
	const {fleet, theme} = services;
	const {armed} = services.renting;
	const isArmed = useStore(armed, ids => ids.has(id));
	const row = useRow(fleet, id);
	const store = viewAt(place);
	const view = useStore(store);
	const [asking, setAsking] = useState<Asking>();
	const unlike = useDifferenceLines(row, size);
	const height = size.rows - LINES_AROUND - unlike.length;
	const page = pageFor(view, {wanted, size}, row);
	const heard = useEnforcers(row, page === 'Ends' || page === 'All');
	const lines = usePageLines(page, row, {heard, width: size.columns});
	const last = Math.max(0, lines.length - height);
	if (asking !== undefined) {
		return (
			<AskingPart asking={asking} size={size} say={say} onClose={() => setAsking(undefined)} />
		);
	}
	const current = () => (row === undefined ? [] : [row]);
	const target: InstanceTarget = {
		...instanceActions(current, setAsking),
		...rentLike(router, current),
		...connectTarget({
			tools: connectTools(services, say),
			current: () => row,
			chosen: current,
			ask: setAsking,
			router,
			openLogs: () => store.set({page: 'Logs', top: 0}),
		}),
		...(page === 'Ports' && row !== undefined ? portsTarget(row, connectTools(services, say)) : {}),
		tab: step => store.set({page: neighbour(page, step, size), top: 0}),
		scroll(step) {
			const {top} = store.get();
			store.set({page, top: Math.max(0, Math.min(top + step * (height - 1), last))});
		},
		refresh: () => refreshFleet(fleet, say),
	};
	const shown = lines.slice(Math.min(view.top, last)).slice(0, height);
	return (
		<KeyScope title="Instance" bindings={instanceBindings} target={target}>
			<Box flexDirection="column">
				<Text wrap="truncate">{titleOf(id, row, {fleet, width: size.columns})}</Text>
				<Text wrap="truncate">{[pageTabs(page, size, isArmed), ...unlike].join('\n')}</Text>
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
				{row === undefined ? (
					<Missing id={id} fleet={fleet} width={size.columns} height={height} />
				) : (
					<PageBody {...{id, place, page, say, height}} lines={shown} columns={size.columns} />
				)}
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
			</Box>
		</KeyScope>
	);
}

type BodyProps = Pick<Props, 'id' | 'place' | 'say'> & {
	readonly page: Page;
	readonly lines: readonly string[];
	readonly columns: number;
	readonly height: number;
};

/** A page; the logs draw themselves, and stand below all else where all is shown at once. */
function PageBody({id, place, say, page, lines, columns, height}: BodyProps) {
	if (page === 'Logs')
		return <LogsView id={id} place={place} size={{columns, rows: height}} say={say} />;
	const text = <Text wrap="truncate">{lines.join('\n')}</Text>;
	const room = height - lines.length - 1;
	if (page !== 'All' || room < LEAST_LOGS) {
		return (
			<Box height={height} flexShrink={0} overflow="hidden">
				{text}
			</Box>
		);
	}
	return (
		<>
			{text}
			<Text> </Text>
			<LogTail id={id} place={place} size={{columns, rows: room}} />
		</>
	);
}

/** Lines of a page; the page of logs draws itself. */
function usePageLines(
	page: Page,
	row: FleetRow | undefined,
	{heard, width}: {readonly heard: Heard | undefined; readonly width: number},
): readonly string[] {
	const {fleet, theme} = useServices();
	const {ssh} = useRenting();
	const {environment} = useTerminal();
	const measured = useStore(ssh.measured);
	const {files} = ssh.identities;
	const identities = useStore(files);
	if (row === undefined || page === 'Logs') return [];
	if (page === 'Ends') return endsLines(row, heard, {theme, width});
	if (page !== 'Connect' && page !== 'All') return pageLines(page, row, width);
	const isInTmux = (environment['TMUX'] ?? '') !== '';
	const view = {measured, rows: fleet.state.get().rows, isInTmux, identities};
	return page === 'All'
		? wideLines(row, {...view, heard}, {theme, width})
		: connectLines(row, view, width);
}

/** The instance as last seen, watched while it is shown. */
function useRow(fleet: Fleet, id: number): FleetRow | undefined {
	const {ssh} = useRenting();
	useEffect(() => {
		const leave = fleet.watch();
		fleet.follow(id);
		ssh.follow(id);
		return () => {
			ssh.follow(undefined);
			fleet.follow(undefined);
			leave();
		};
	}, [fleet, ssh, id]);
	// The whole state is watched, as its freshness is drawn, too.
	const {rows} = useStore(fleet.state);
	return rows.find(({instance}) => instance.id === id);
}

function titleOf(
	id: number,
	row: FleetRow | undefined,
	{fleet, width}: {readonly fleet: Fleet; readonly width: number},
): string {
	const stale = staleness(fleet.state.get());
	if (row === undefined) return spread(width, `Instances > ${id}`, stale);
	const soFar = costWords(costSoFar(row));
	const cost = soFar === undefined ? '' : `   ${soFar} so far`;
	const state = `${stateOf(row)} ${ageOf(row)}   ${ratePerHour(row.rate)}${cost}`;
	return spread(width, `Instances > ${nameOf(row.instance)}   ${state}`, stale);
}

function pageTabs(active: Page, size: Size, isArmed: boolean): string {
	const names = pagesWithin(size).map(page => (page === active ? `[${page}]` : ` ${page} `));
	return spread(size.columns, names.join(' '), isArmed ? 'ARMED, u undoes' : '[ ] tabs');
}

type MissingProps = {
	readonly id: number;
	readonly fleet: Fleet;
	readonly width: number;
	readonly height: number;
};

/** Notice for an instance that no look has shown, or that is gone and forgotten. */
function Missing({id, fleet, ...room}: MissingProps) {
	const {checkedAt} = fleet.state.get();
	if (checkedAt === undefined) return <Notice title={`Asking for instance ${id}`} {...room} />;
	if (fleet.isGone(id)) {
		const lines = ['Its record and the list of all instances say so: it is charged no longer.'];
		return <Notice title={`Instance ${id} is gone.`} lines={lines} {...room} />;
	}
	const lines = [
		'No list has shown it so far. That is no proof that it is gone: it may be charged.',
		'R looks again.',
	];
	return <Notice title={`Instance ${id} is not listed yet.`} lines={lines} {...room} />;
}
