import {Box, Text} from 'ink';
import {useEffect, useState} from 'react';
import {partAt, spread, titleWithFacts} from '../../ui/chrome.ts';
import {ruleLine, withJoints} from '../../ui/rules.ts';
import {Notice} from '../../ui/notice.tsx';
import type {Theme} from '../../ui/theme.ts';
import {Clicked, useStore} from '../../ui/painted.tsx';
import {costSoFar, formatCostRange} from '../../../renter/instance/cost.ts';
import type {Fleet} from '../../../renter/fleet/fleet.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import type {StackEntry, ScreenProps} from '../../services/router.ts';
import {useRenting, useServices, useTerminal} from '../../services/services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {rentLike} from '../rent/bindings.ts';
import {AskingPart} from './asking.tsx';
import {instanceBindings, type InstanceTarget} from './bindings.ts';
import {connectLines, connectTools, ownKeyLines} from './connecting.ts';
import {
	connectTarget,
	portsTarget,
	instanceActions,
	refreshFleet,
	type InstanceDialog,
} from './instance-actions.ts';
import {
	endsLines,
	pageLines,
	type InstancePageName,
	neighbour,
	pageFor,
	pagesWithin,
	viewAt,
} from './instance-pages.ts';
import {portPages} from '../../../renter/connect/ports.ts';
import {LogsView, LogTail} from './logs/logs-view.tsx';
import {ratePerHour} from './words.ts';
import {staleness} from './list-status.tsx';
import {useDifferenceLines} from './trouble.ts';
import {LearningView} from './learning/learning-view.tsx';
import {UsageView} from './usage/usage-view.tsx';
import {useEnforcers, type EnforcerAnswers} from './ends.ts';
import {wideLines} from './wide-page.ts';
import {ageOf, instanceNameOf, conditionText} from './words.ts';

/** Title, tabs and two rules. */
const LINES_AROUND = 4;
/** Rules around a page; a page with titles of its own replaces both. */
const RULES = 2;
/** Least lines of logs that are of use. */
const LEAST_LOGS = 3;

type Props = Omit<ScreenProps, 'stackEntry'> & {
	readonly stackEntry: StackEntry;
	readonly id: number;
	/** The wanted page; by default the one that fits the state. */
	readonly wanted: InstancePageName | undefined;
};

export function InstanceScreen({size, stackEntry, router, id, wanted, say}: Props) {
	const services = useServices();
	const {fleet} = services;
	const {armed} = services.renting;
	const isArmed = useStore(armed, ids => ids.has(id));
	const row = useRow(fleet, id);
	const store = viewAt(stackEntry);
	const view = useStore(store);
	const [asking, setAsking] = useState<InstanceDialog>();
	const unlike = useDifferenceLines(row, size);
	const height = size.rows - LINES_AROUND - unlike.length;
	const page = pageFor(view, {wanted, size}, row);
	const answers = useEnforcers(row, page === 'Ends' || page === 'All');
	const lines = usePageLines(page, row, {answers, width: size.columns});
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
			openPage: (_id, opened) => store.set({page: opened, top: 0}),
		}),
		...(page === 'Ports' && row !== undefined ? portsTarget(row, connectTools(services, say)) : {}),
		tab: step => store.set({page: neighbour(page, step, size), top: 0}),
		scroll(step) {
			const {top} = store.get();
			store.set({page, top: Math.max(0, Math.min(top + step * (height - 1), last))});
		},
		refresh: () => refreshFleet(fleet, say),
	};
	const top = Math.min(view.top, last);
	const shown = linkedLines(lines.slice(top, top + height), row, services.theme);
	return (
		<KeyScope title="Instance" bindings={instanceBindings} target={target}>
			<Box flexDirection="column">
				<Text wrap="truncate">{titleOf(id, row, {fleet, width: size.columns})}</Text>
				<Clicked
					lines={[pageTabs(page, size, isArmed), ...unlike]}
					width={size.columns}
					onClick={(line, column) => {
						const clicked = line === 0 ? pageAt(page, size, column) : undefined;
						if (clicked !== undefined) store.set({page: clicked, top: 0});
						return undefined;
					}}
				/>
				<PageBody
					{...{id, row, stackEntry, page, say, height}}
					lines={shown}
					columns={size.columns}
				/>
			</Box>
		</KeyScope>
	);
}

/** Lines in which the pages of ports are links, where the terminal has them. */
function linkedLines(lines: readonly string[], row: FleetRow | undefined, {links}: Theme) {
	const pages = row === undefined ? [] : portPages(row.instance);
	return lines.map(line => links(line, pages));
}

type BodyProps = Pick<Props, 'id' | 'stackEntry' | 'say'> & {
	readonly row: FleetRow | undefined;
	readonly page: InstancePageName;
	readonly lines: readonly string[];
	readonly columns: number;
	readonly height: number;
};

/** A page between two rules; use of GPUs has a title in place of the first. */
function PageBody(props: BodyProps) {
	const {fleet, theme} = useServices();
	const {id, row, stackEntry, say, page, lines, columns, height} = props;
	if (row !== undefined && page === 'Usage')
		return <UsageView {...{row, stackEntry, say}} size={{columns, rows: height + RULES}} />;
	if (row !== undefined && page === 'Run')
		return <LearningView {...{row, stackEntry, say}} size={{columns, rows: height + RULES}} />;
	const rule = ruleLine(theme, columns);
	const [above] = withJoints(theme, [rule, lines[0] ?? '']);
	const [, below] = withJoints(theme, [lines[height - 1] ?? '', rule]);
	return (
		<>
			<Text wrap="truncate">{above}</Text>
			{row === undefined ? (
				<Missing id={id} fleet={fleet} width={columns} height={height} />
			) : (
				<PageText {...props} />
			)}
			<Text wrap="truncate">{below}</Text>
		</>
	);
}

/** Lines of a page; logs draw themselves, below the rest on the page of all. */
function PageText({id, stackEntry, say, page, lines, columns, height}: BodyProps) {
	if (page === 'Logs')
		return <LogsView id={id} stackEntry={stackEntry} size={{columns, rows: height}} say={say} />;
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
			<LogTail id={id} stackEntry={stackEntry} size={{columns, rows: room}} />
		</>
	);
}

function usePageLines(
	page: InstancePageName,
	row: FleetRow | undefined,
	{answers, width}: {readonly answers: EnforcerAnswers | undefined; readonly width: number},
): readonly string[] {
	const {theme} = useServices();
	const {ssh, ownKeys} = useRenting();
	const keys = useStore(ownKeys);
	const {environment} = useTerminal();
	const measured = useStore(ssh.measured);
	const {files} = ssh.identities;
	const identities = useStore(files);
	if (row === undefined || page === 'Logs' || page === 'Usage' || page === 'Run') return [];
	const own = ownKeyLines(keys.get(row.instance.id), width);
	if (page === 'Ends') return endsLines(row, answers, {theme, width});
	const key = own.length === 0 ? own : [...own, ''];
	if (page === 'Timeline') return [...key, ...pageLines(page, row, {theme, width})];
	if (page !== 'Connect' && page !== 'All') return pageLines(page, row, {theme, width});
	const isInTmux = (environment['TMUX'] ?? '') !== '';
	const view = {measured, sshName: ssh.nameOf(row.instance.id), isInTmux, identities};
	const lines =
		page === 'All'
			? wideLines(row, {...view, answers: answers}, {theme, width})
			: connectLines(row, view, width);
	return [...key, ...lines];
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
	const soFar = formatCostRange(costSoFar(row));
	const facts = [
		`${conditionText(row)} ${ageOf(row)}`,
		ratePerHour(row.rate),
		...(soFar === undefined ? [] : [`${soFar} so far`]),
	];
	const name = `Instances > ${instanceNameOf(row.instance)}`;
	return titleWithFacts(width, {name, facts, gap: '   ', right: stale});
}

function pageNames(active: InstancePageName, size: Size): readonly string[] {
	return pagesWithin(size).map(page => (page === active ? `[${page}]` : ` ${page} `));
}

function pageTabs(active: InstancePageName, size: Size, isArmed: boolean): string {
	const names = pageNames(active, size).join(' ');
	return spread(size.columns, names, isArmed ? 'ARMED, u undoes' : '[ ] tabs');
}

/** The page whose name is in a column. */
function pageAt(
	active: InstancePageName,
	size: Size,
	column: number,
): InstancePageName | undefined {
	return pagesWithin(size)[partAt(pageNames(active, size), 1, column) ?? -1];
}

type MissingProps = {
	readonly id: number;
	readonly fleet: Fleet;
	readonly width: number;
	readonly height: number;
};

/** Notice for an instance that no poll has shown, or that is gone and forgotten. */
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
