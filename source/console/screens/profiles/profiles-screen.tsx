import {sentence} from '../../../renter/text/format.ts';
import {ConfirmDialog} from '../dialogs.tsx';
import {messageOf} from '../../../contract/rules/thrown.ts';
import {useEffect, useState, useLayoutEffect, useMemo} from 'react';
import type {PaceReport} from '../../../client/client.ts';
import {textColumns} from '../../list/columns.ts';
import {Painted, useStore} from '../../ui/painted.tsx';
import {titledLines} from '../../list/lines.ts';
import {createList, type List} from '../../list/list.ts';
import {ListScope, useFitting} from '../../list/list-view.tsx';
import type {ProfileCheck} from '../../../renter/profiles/check.ts';
import {targetName} from '../../../renter/profiles/target.ts';
import {keptByStackEntry, type ScreenProps} from '../../services/router.ts';
import {usePoll, useRenting, useServices, useTerminal} from '../../services/services.tsx';
import {createStore, derived} from '../../../renter/state/store.ts';
import {withClicksOf} from '../../ui/panes.ts';
import {fit} from '../../../renter/text/text-width.ts';
import type {TerminalEnvironment} from '../../ui/theme.ts';
import {
	profileListBindings,
	type ProfilesTarget,
	notOwn,
	profileOf,
	profileRows,
	profileProblem,
	type ProfileRow,
} from './profiles.ts';
import {profilesBody, filesNote} from './profiles-body.ts';

const listAt = keptByStackEntry(() => ({
	list: createList(profileColumns(80), (row: ProfileRow) => row.id),
	showsSources: createStore(false),
}));

/** The known services and accounts, and the state of the connection to the open one. */
export function ProfilesScreen({stackEntry, router, size, say}: ScreenProps) {
	const {switcher} = useServices();
	const {copy} = useTerminal();
	const {list, showsSources} = listAt(stackEntry);
	const [removed, setRemoved] = useState<ProfileRow>();
	useProfileRows(list);
	const all = useMemo(() => profileColumns(size.columns), [size.columns]);
	const columns = useFitting(all, size.columns);
	if (removed !== undefined) {
		const close = () => setRemoved(undefined);
		return <RemoveProfile row={removed} size={size} say={say} onDone={close} />;
	}
	const {act} = list;
	const target: ProfilesTarget = {
		use: act(row => switcher.open(row.target)),
		noUse: () =>
			list.current()?.isOpen === true && !switcher.isRenewed.get()
				? 'it is the one that is in use'
				: undefined,
		create: () => router.go({name: 'profile-edit', profile: undefined}),
		edit: act(row => router.go({name: 'profile-edit', profile: row.name})),
		remove: act(setRemoved),
		notOwn: () => notOwn(list.current()),
		test: () => void testAll(list, switcher, say),
		copy: act(row => copy(profileOf(row)?.url ?? row.server)),
		sources: () => showsSources.set(!showsSources.get()),
	};
	return (
		<ListScope title="Profiles" bindings={profileListBindings} {...{list, columns, target}}>
			<Body {...{list, columns, showsSources, size}} />
		</ListScope>
	);
}

function useProfileRows(list: List<ProfileRow>): void {
	const {switcher} = useServices();
	const {book} = switcher;
	const profiles = useStore(book.profiles);
	const checks = useStore(switcher.checks);
	const keyEnd = useStore(switcher.keyEnd);
	const isRenewed = useStore(switcher.isRenewed);
	useLayoutEffect(() => book.reread(), [book]);
	useLayoutEffect(() => {
		const isFirst = list.state.get().shown.length === 0;
		const rows = profileRows(switcher, {profiles, checks, keyEnd, isRenewed});
		list.load(rows);
		if (!isFirst) return;
		// The cursor begins at the open profile.
		for (const {isOpen} of rows) {
			if (isOpen) break;
			list.move('down');
		}
	}, [list, switcher, profiles, checks, keyEnd, isRenewed]);
}

type Switcher = ReturnType<typeof useServices>['switcher'];

/** Tests one profile after the other, and shows each result at once. */
async function testAll(list: List<ProfileRow>, switcher: Switcher, say: ScreenProps['say']) {
	const profiles = list.state.get().shown.flatMap(row => profileOf(row) ?? []);
	if (profiles.length === 0) {
		say({text: 'There is no profile to test yet. n makes one.', isError: false});
		return;
	}
	say({text: 'Testing by three harmless reads each', isError: false});
	for (const profile of profiles) await switcher.test(profile);
	say({text: 'Tested.', isError: false});
}

/** Problem of the files, or a note about the row under the cursor. */
function noteUnder(switcher: Switcher, row: ProfileRow | undefined, {HOME}: TerminalEnvironment) {
	const trouble = switcher.book.problem() ?? profileProblem(switcher);
	return trouble !== '' || row === undefined ? trouble : filesNote(row, HOME);
}

function checkOf({target, checks}: Switcher): ProfileCheck | undefined {
	const check = checks.get().get(targetName(target));
	return typeof check === 'string' ? undefined : check;
}

type BodyProps = Pick<ScreenProps, 'size'> &
	ReturnType<typeof listAt> & {readonly columns: ReturnType<typeof profileColumns>};

function Body({list, columns, showsSources, size}: BodyProps) {
	const {theme, switcher, settings} = useServices();
	const {environment, linkMs} = useTerminal();
	const pace = usePace();
	const guard = useGuard();
	useLayoutEffect(() => list.resize(Math.max(2, Math.floor(size.rows / 3) - 1)), [list, size]);
	const source = useMemo(() => {
		const rows = titledLines(list, columns, theme, {width: size.columns});
		const {exchanges, checks} = switcher;
		const stores = [list.state, showsSources, exchanges, checks, settings, pace, guard];
		const body = derived(stores, () =>
			profilesBody({
				list: rows.get(),
				row: list.current(),
				settings: settings.get(),
				showsSources: showsSources.get(),
				trouble: fit(noteUnder(switcher, list.current(), environment), size.columns),
				connection: {
					exchanges: exchanges.get(),
					pace: pace.get(),
					linkMs: linkMs(),
					guard: guard.get(),
					check: checkOf(switcher),
					environment,
					theme,
					size,
				},
			}),
		);
		return withClicksOf(body, rows);
	}, [
		list,
		columns,
		showsSources,
		switcher,
		settings,
		pace,
		guard,
		environment,
		theme,
		size,
		linkMs,
	]);
	return <Painted source={source} width={size.columns} height={size.rows} />;
}

/** Columns of the list of profiles; more of them if there is space. */
function profileColumns(width: number) {
	const isWide = width >= 120;
	return textColumns([
		['name', 'PROFILE', isWide ? 18 : 12, 0],
		['server', 'SERVER', isWide ? 40 : 28, 2],
		['key', 'KEY', isWide ? 20 : 14, 3],
		['mode', 'MODE', 4, 1],
		['state', 'STATE', isWide ? 50 : 16, 4],
	]);
}

/** Present call rates, once there is a client. */
function usePace() {
	const {client} = useServices();
	const [pace] = useState(() => createStore<readonly PaceReport[]>([]));
	useEffect(() => {
		let stop: (() => void) | undefined;
		let isOver = false;
		async function follow(): Promise<void> {
			const {read, subscribe} = (await client()).pace;
			if (isOver) return;
			pace.set(read());
			stop = subscribe(() => pace.set(read()));
		}
		// Without a client there is no pace; calls report why it could not be opened.
		follow().catch(() => undefined);
		return () => {
			isOver = true;
			stop?.();
		};
	}, [client, pace]);
	return pace;
}

const GUARD_MS = 10_000;

function useGuard() {
	const {leases} = useRenting();
	const [guard] = useState(() => createStore(''));
	usePoll(async () => guard.set(await leases.guard()), {everyMs: GUARD_MS});
	return guard;
}

type RemovalProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly row: ProfileRow;
	readonly onDone: () => void;
};

function RemoveProfile({row, size, say, onDone}: RemovalProps) {
	const {switcher} = useServices();
	const key = profileOf(row)?.key;
	const facts = [
		['What happens', 'This machine forgets the profile. The account and its key stay as they are.'],
		[
			'Key',
			key?.kind === 'file'
				? 'A copy that rentty made of it is deleted.'
				: 'It is kept where it is.',
		],
		['Money', 'What runs there keeps running, and is charged.'],
	] as const;
	function remove(): void {
		try {
			switcher.book.remove(row.name);
			say({text: `Profile ${row.name} is removed.`, isError: false});
		} catch (error) {
			say({text: sentence(messageOf(error)), isError: true});
		}
		onDone();
	}
	return (
		<ConfirmDialog
			question={{
				verb: 'remove',
				noun: 'profile',
				targets: [
					{
						id: row.name,
						name: '',
						detail: `${row.server}  ${row.mode}`,
						state: '',
						level: row.isOpen ? 2 : 1,
					},
				],
			}}
			facts={facts}
			size={size}
			say={say}
			onConfirm={remove}
			onCancel={onDone}
		/>
	);
}
