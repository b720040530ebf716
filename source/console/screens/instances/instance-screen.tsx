import {Box, Text} from 'ink';
import {useEffect, useState, useSyncExternalStore} from 'react';
import {ruleLine, spread} from '../../chrome.ts';
import {Notice} from '../../components/notice.tsx';
import {costSoFar} from '../../fleet/burn.ts';
import type {Fleet} from '../../fleet/fleet.ts';
import type {FleetRow} from '../../fleet/fleet-state.ts';
import {money} from '../../format.ts';
import {KeyScope} from '../../key-scope.tsx';
import type {Place} from '../../router.ts';
import {useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {rentLike} from '../rent/rent-like.ts';
import {AskingPart} from './asking.tsx';
import {instanceBindings} from './bindings.ts';
import type {InstanceTarget} from './bindings.ts';
import {connectLines} from './connect-page.ts';
import {connectTarget} from './connect-target.ts';
import {deedTarget} from './deed-target.ts';
import type {Asking} from './deed-target.ts';
import {pageLines, pages} from './instance-pages.ts';
import type {Page} from './instance-pages.ts';
import {neighbour, pageFor, viewAt} from './instance-view.ts';
import {LogsView} from './logs/logs-view.tsx';
import {ratePerHour} from './prices.ts';
import {reasonOf} from './reason.ts';
import {ageOf, nameOf, stateOf} from './words.ts';

/** Title, tabs and two rules. */
const LINES_AROUND = 4;

type Props = Omit<ScreenProps, 'place'> & {
	readonly place: Place;
	readonly id: number;
	/** The page that was asked for; by default the one that says most. */
	readonly wanted: Page | undefined;
};

/** One instance: how it is entered, what it does and says, and all that is known of it. */
export function InstanceScreen({size, place, router, id, wanted, say}: Props) {
	const services = useServices();
	const {fleet, theme} = services;
	const row = useRow(fleet, id);
	const store = viewAt(place);
	const view = useSyncExternalStore(store.subscribe, store.get);
	const [asking, setAsking] = useState<Asking>();
	const height = size.rows - LINES_AROUND;
	const page = pageFor(view, wanted, row);
	const lines = usePageLines(page, row, size.columns);
	const last = Math.max(0, lines.length - height);
	if (asking !== undefined) {
		return (
			<AskingPart asking={asking} size={size} say={say} onClose={() => setAsking(undefined)} />
		);
	}
	const current = () => (row === undefined ? [] : [row]);
	const target: InstanceTarget = {
		...deedTarget(current, setAsking),
		...rentLike(router, current),
		...connectTarget({
			tools: {...services, say},
			current: () => row,
			chosen: current,
			ask: setAsking,
			openLogs: () => store.set({page: 'Logs', top: 0}),
		}),
		tab: step => store.set({page: neighbour(page, step), top: 0}),
		scroll(step) {
			const {top} = store.get();
			store.set({page, top: Math.max(0, Math.min(top + step * (height - 1), last))});
		},
		refresh: () => refresh(fleet, say),
	};
	const top = Math.min(view.top, last);
	return (
		<KeyScope title="Instance" bindings={instanceBindings} target={target}>
			<Box flexDirection="column">
				<Text wrap="truncate">{titleOf(id, row, size.columns)}</Text>
				<Text wrap="truncate">{pageTabs(page, size.columns)}</Text>
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
				{row === undefined ? (
					<Gone id={id} fleet={fleet} width={size.columns} height={height} />
				) : page === 'Logs' ? (
					<LogsView id={id} place={place} size={{columns: size.columns, rows: height}} say={say} />
				) : (
					<Box height={height} flexShrink={0} overflow="hidden">
						<Text wrap="truncate">{lines.slice(top, top + height).join('\n')}</Text>
					</Box>
				)}
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
			</Box>
		</KeyScope>
	);
}

/** What a page says; that of the logs draws itself. */
function usePageLines(page: Page, row: FleetRow | undefined, width: number): readonly string[] {
	const {fleet, ssh, environment} = useServices();
	const measured = useSyncExternalStore(ssh.measured.subscribe, ssh.measured.get);
	if (row === undefined || page === 'Logs') return [];
	if (page !== 'Connect') return pageLines(page, row, width);
	const isInTmux = (environment['TMUX'] ?? '') !== '';
	return connectLines(row, {measured, rows: fleet.state.get().rows, isInTmux}, width);
}

/** The instance as it was last seen; it is watched for as long as it is shown. */
function useRow(fleet: Fleet, id: number): FleetRow | undefined {
	const {ssh} = useServices();
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
	const {rows} = useSyncExternalStore(fleet.state.subscribe, fleet.state.get);
	return rows.find(({instance}) => instance.id === id);
}

function refresh(fleet: Fleet, say: Props['say']): void {
	fleet.refresh().catch((error: unknown) => {
		say({text: `Not refreshed, still charging: ${reasonOf(error)}`, isError: true});
	});
}

function titleOf(id: number, row: FleetRow | undefined, width: number): string {
	if (row === undefined) return spread(width, `Instances > ${id}`, '');
	const soFar = costSoFar(row.instance);
	const cost = soFar === undefined ? '' : `   about ${money(soFar)} so far`;
	const state = `${stateOf(row)} ${ageOf(row)}   ${ratePerHour(row.rate)}${cost}`;
	return spread(width, `Instances > ${nameOf(row.instance)}   ${state}`, '');
}

function pageTabs(active: Page, width: number): string {
	const names = pages.map(page => (page === active ? `[${page}]` : ` ${page} `));
	return spread(width, names.join(' '), '[ ] tabs');
}

type GoneProps = {
	readonly id: number;
	readonly fleet: Fleet;
	readonly width: number;
	readonly height: number;
};

function Gone({id, fleet, ...room}: GoneProps) {
	const {checkedAt} = fleet.state.get();
	if (checkedAt === undefined) return <Notice title={`Asking for instance ${id}`} {...room} />;
	const lines = ['The service does not list it: nothing is charged for it any more.'];
	return <Notice title={`Instance ${id} is gone.`} lines={lines} {...room} />;
}
