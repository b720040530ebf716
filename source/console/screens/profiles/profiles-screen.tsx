import {useLayoutEffect, useMemo, useState, useSyncExternalStore} from 'react';
import {fitColumns} from '../../list/columns.ts';
import {linesFrom} from '../../components/line-source.ts';
import {Painted} from '../../components/painted.tsx';
import {GUTTER, listHeading, listLines} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import type {List} from '../../list/list.ts';
import {KeyScope} from '../../key-scope.tsx';
import type {Check} from '../../../renter/profiles/check.ts';
import {nameOf} from '../../../renter/profiles/target.ts';
import {kept} from '../../router.ts';
import {useServices} from '../../services.tsx';
import {createStore} from '../../../renter/store.ts';
import {fit} from '../../../renter/text/text-width.ts';
import type {Environment} from '../../theme.ts';
import type {ScreenProps} from '../place.ts';
import {profileListBindings} from './bindings.ts';
import type {ProfilesTarget} from './bindings.ts';
import {profileColumns} from './columns.ts';
import {filesNote} from './profile-lines.ts';
import {profilesBody} from './profiles-body.ts';
import {RemoveProfile} from './remove-profile.tsx';
import {notOwn, profileOf, profileRows, troubleOf} from './rows.ts';
import type {ProfileRow} from './rows.ts';
import {usePace} from './use-pace.ts';

const listAt = kept(() => ({
	table: createList(profileColumns(80), (row: ProfileRow) => row.id),
	showsSources: createStore(false),
}));

/** The services and accounts that rentty knows, and how the connection to the open one does. */
export function ProfilesScreen({place, router, size, say}: ScreenProps) {
	const {desk, copy} = useServices();
	const {table, showsSources} = listAt(place);
	const [doomed, setDoomed] = useState<ProfileRow>();
	useRows(table);
	if (doomed !== undefined) {
		const close = () => setDoomed(undefined);
		return <RemoveProfile row={doomed} size={size} say={say} onDone={close} />;
	}
	const act = (action: (row: ProfileRow) => void) => () => {
		const row = table.current();
		if (row !== undefined) action(row);
	};
	const target: ProfilesTarget = {
		move: table.move,
		use: act(row => desk.open(row.target)),
		noUse: () => (table.current()?.isOpen === true ? 'it is the one that is in use' : undefined),
		create: () => router.go({name: 'profile-edit', profile: undefined}),
		edit: act(row => router.go({name: 'profile-edit', profile: row.name})),
		remove: act(setDoomed),
		notOwn: () => notOwn(table.current()),
		test: () => void testAll(table, desk, say),
		copy: act(row => copy(profileOf(row)?.url ?? row.server)),
		sources: () => showsSources.set(!showsSources.get()),
	};
	return (
		<KeyScope title="Profiles" bindings={profileListBindings} target={target}>
			<Body table={table} showsSources={showsSources} size={size} />
		</KeyScope>
	);
}

/** Keeps the list as the profiles are, wherever they are changed. */
function useRows(table: List<ProfileRow>): void {
	const {desk} = useServices();
	const {book} = desk;
	const profiles = useSyncExternalStore(book.profiles.subscribe, book.profiles.get);
	const checks = useSyncExternalStore(desk.checks.subscribe, desk.checks.get);
	const keyEnd = useSyncExternalStore(desk.keyEnd.subscribe, desk.keyEnd.get);
	useLayoutEffect(() => {
		const isFirst = table.state.get().shown.length === 0;
		const rows = profileRows(desk, {profiles, checks, keyEnd});
		table.load(rows);
		if (!isFirst) return;
		// It begins where one is.
		for (const {isOpen} of rows) {
			if (isOpen) break;
			table.move('down');
		}
	}, [table, desk, profiles, checks, keyEnd]);
}

type Desk = ReturnType<typeof useServices>['desk'];

/** Tests one profile after the other; each result is shown when it is there. */
async function testAll(
	table: List<ProfileRow>,
	desk: Desk,
	say: ScreenProps['say'],
): Promise<void> {
	const profiles = table.state.get().shown.flatMap(row => profileOf(row) ?? []);
	if (profiles.length === 0) {
		say({text: 'There is no profile to test yet. n makes one.', isError: false});
		return;
	}
	say({text: 'Testing by three harmless reads each', isError: false});
	for (const profile of profiles) await desk.test(profile);
	say({text: 'Tested.', isError: false});
}

/** What is wrong, and else what is to be known of the row under the cursor. */
function noteUnder(desk: Desk, row: ProfileRow | undefined, {HOME}: Environment): string {
	const trouble = desk.book.problem() ?? troubleOf(desk);
	return trouble !== '' || row === undefined ? trouble : filesNote(row, HOME);
}

/** What the last test of the open profile found. */
function checkOf({target, checks}: Desk): Check | undefined {
	const check = checks.get().get(nameOf(target));
	return typeof check === 'string' ? undefined : check;
}

type BodyProps = Pick<ScreenProps, 'size'> & ReturnType<typeof listAt>;

function Body({table, showsSources, size}: BodyProps) {
	const {theme, painter, desk, settings, environment, linkMs} = useServices();
	const pace = usePace();
	useLayoutEffect(() => table.resize(Math.max(2, Math.floor(size.rows / 3) - 1)), [table, size]);
	const source = useMemo(() => {
		const columns = fitColumns(profileColumns(size.columns), size.columns - GUTTER);
		const heading = listHeading(table, columns, theme);
		const rows = listLines(table, columns, theme);
		const stores = [table.state, showsSources, desk.exchanges, desk.checks, settings, pace];
		return linesFrom(stores, () =>
			profilesBody({
				list: [...heading.lines(), ...rows.lines()],
				row: table.current(),
				settings: settings.get(),
				showsSources: showsSources.get(),
				trouble: fit(noteUnder(desk, table.current(), environment), size.columns),
				connection: {
					exchanges: desk.exchanges.get(),
					pace: pace.get(),
					linkMs: linkMs(),
					check: checkOf(desk),
					environment,
					theme,
					size,
				},
			}),
		);
	}, [table, showsSources, desk, settings, pace, environment, theme, size, linkMs]);
	return (
		<Painted painter={painter} source={source} hole={0} width={size.columns} height={size.rows} />
	);
}
