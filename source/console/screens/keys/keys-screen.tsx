import {useQueryClient, useQuery} from '@tanstack/react-query';
import {useLayoutEffect, useMemo, useState} from 'react';
import {
	type Unreadable,
	joinUnreadable,
	noneUnreadable,
} from '../../../contract/grammar/unreadable.ts';
import {unreadableCountText} from '../../../renter/text/unreadable.ts';
import {ruleLine} from '../../ui/rules.ts';
import {factLines, inHeight, withClicksOf} from '../../ui/panes.ts';
import {wrapText} from '../../../renter/text/wrap.ts';
import {noteRule, titledLines} from '../../list/lines.ts';
import {PRACTICE} from '../../../renter/profiles/profile.ts';
import {sentence} from '../../../renter/text/format.ts';
import type {Size} from '../../terminal/terminal.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../ui/theme.ts';
import {unreadNotes, unreadMessage, formatFirstError} from '../../list/unreadable.ts';
import {fingerprint} from '../../../renter/connect/keys.ts';
import {inUseLines, type KeyInUse} from './in-use.ts';
import {type KeyRow, type SshRow, keyRows} from './rows.ts';
import {textColumns} from '../../list/columns.ts';
import {Painted, useStore} from '../../ui/painted.tsx';
import {createList} from '../../list/list.ts';
import {ListScope, useFitting} from '../../list/list-view.tsx';
import {keptByStackEntry, type ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal, useTime} from '../../services/services.tsx';
import {keyListBindings, type KeysTarget} from './bindings.ts';
import {KeyAsking, type KeyOverlay} from './key-asking.tsx';
import {
	keysKey,
	unreadKeys,
	apiKeysQuery,
	checkQuery,
	enterableInstancesQuery,
	type Entrances,
	keyInUseQuery,
	localKeysQuery,
	sshKeysQuery,
} from '../../queries/account.ts';
import {derived} from '../../../renter/state/store.ts';

type KeysBody = KeyInUse & {
	readonly list: readonly string[];
	readonly row: KeyRow | undefined;
	/** Instances that keys open; undefined while unknown. */
	readonly entrances: Entrances | undefined;
	/** Sentences about parts that the service lacks or refused. */
	readonly hidden: readonly string[];
	/** Unreadable records of both lists of the account. */
	readonly unreadable: Unreadable;
	readonly theme: Theme;
	readonly size: Size;
};

/** Least height for the abilities of the key in use and the details of the selected one. */
const ROOMY_ROWS = 17;

/** Lines above the list and below it, each with its rule, and lines of the list. */
function heightsIn(rows: number) {
	const [above, below] = rows < ROOMY_ROWS ? [2, 3] : [5, 8];
	return {above, below, list: rows - above - below};
}

function keysBody(body: KeysBody): readonly string[] {
	const {theme, size, list, hidden} = body;
	const {columns, rows} = size;
	const heights = heightsIn(rows);
	return [
		...inUseLines(body, theme, columns).slice(0, heights.above - 1),
		ruleLine(theme, columns),
		...inHeight(list, heights.list),
		noteRule(theme, columns, {
			notes: unreadNotes(body.unreadable),
			last: printable(body.row?.name ?? ''),
		}),
		...inHeight(aboutRow(body), heights.below - 2),
		fit(
			hidden.join(' ') || 'Deleting or resetting a key works at once: what uses it gets 401.',
			columns,
		),
	];
}

function aboutRow(body: KeysBody): readonly string[] {
	const {row, size, theme} = body;
	if (row === undefined) {
		const unread = unreadableCountText(body.unreadable, 'keys');
		const none = 'No key is known here. n makes one, or registers one.';
		return [` ${unread === undefined ? none : sentence(unread)}`];
	}
	if (row.kind === 'ssh') return aboutSsh(row, body);
	const facts = factLines(
		theme,
		[
			['number', `${row.keyId}${row.isInUse ? ', the one in use here' : ''}`],
			['value', `${row.end}, shown once when it was made`],
		],
		size.columns,
	);
	const may = wrapText(`may do: ${printable(row.type)}`, size.columns - 2);
	return [...facts, ...may.map(line => ` ${line}`)];
}

function aboutSsh(row: SshRow, {entrances, unreadable, size, theme}: KeysBody): readonly string[] {
	const {local} = row;
	const file = local?.file ?? (local === undefined ? 'not on this machine' : 'in the agent alone');
	return factLines(
		theme,
		[
			['print', row.blob === '' ? '-' : fingerprint(row.blob)],
			['public half', printable(file)],
			['agent', local?.isInAgent === true ? 'loaded' : 'not loaded'],
			['opens', opensText(row, entrances)],
			['note', noteOn(row, unreadable)],
		],
		size.columns,
	);
}

function opensText({blob}: SshRow, entrances: Entrances | undefined): string {
	if (entrances === undefined) return 'asking';
	const opened = entrances.byKey.get(blob)?.join(', ');
	if (entrances.isWhole) return opened ?? 'none that runs now';
	return `${opened ?? 'none that is known'}; not every instance could be asked`;
}

function noteOn({isDeleted, keyId}: SshRow, {count}: Unreadable): string {
	if (isDeleted) return 'deleted from the account: it enters nothing that is rented now';
	if (keyId !== undefined) return 'new keys reach new instances only; a VM has no way in later';
	const where = count === 0 ? 'in the account' : 'among the keys of the account that can be read';
	return `not ${where}: n registers it (public half only)`;
}

const listAt = keptByStackEntry(() => createList(keyColumns(80), (row: KeyRow) => row.id));

export function KeysScreen({stackEntry, size, say}: ScreenProps) {
	const {switcher, fleet} = useServices();
	const {copy} = useTerminal();
	const live = useQueryClient();
	const list = listAt(stackEntry);
	const known = useKeys();
	const [asking, setAsking] = useState<KeyOverlay>();
	const all = useMemo(() => keyColumns(size.columns), [size.columns]);
	const columns = useFitting(all, size.columns);
	useLayoutEffect(() => {
		list.load(known.rows);
		// Parts of the list come one after the other: the cursor stays on the first row until the user moves
		// it.
		if (!list.wasMoved()) list.move('first');
	}, [list, known.rows]);
	if (asking !== undefined) {
		return (
			<KeyAsking
				asking={asking}
				rows={known.rows}
				entrances={known.entrances}
				size={size}
				say={say}
				onAsk={setAsking}
				onClose={() => setAsking(undefined)}
			/>
		);
	}
	async function refresh(): Promise<void> {
		await live.invalidateQueries({queryKey: keysKey});
		const unread = unreadMessage(unreadKeys(live), size.columns);
		if (unread !== undefined) say(unread);
	}
	const row = list.current;
	const isPractice = switcher.target.kind === 'practice';
	const target: KeysTarget = {
		create: () => setAsking({kind: 'choose'}),
		remove: list.act(found => setAsking({kind: 'delete', row: found})),
		noRemove: () => noRemove(row(), isPractice),
		reset: list.act(found => setAsking({kind: 'reset', row: found})),
		noReset: () => (row()?.kind === 'api' ? noRemove(row(), isPractice) : 'it is for API keys'),
		attach: list.act(found => setAsking({kind: 'attach', row: found})),
		noAttach: () => noAttach(row(), fleet.state.get().rows.length),
		copy: list.act(found => copy(found.kind === 'ssh' ? found.text : `${found.keyId}`)),
		missing: () => (row() === undefined ? 'there is no key to act on' : undefined),
		refresh: () => void refresh(),
	};
	return (
		<ListScope title="Keys" bindings={keyListBindings} {...{list, columns, target}}>
			<Body {...{list, known, columns, size}} />
		</ListScope>
	);
}

function noAttach(row: KeyRow | undefined, instances: number): string | undefined {
	if (row?.kind !== 'ssh') return 'it is for SSH keys';
	if (row.isDeleted) return 'it is deleted';
	return instances === 0 ? 'there is no instance' : undefined;
}

function noRemove(row: KeyRow | undefined, isPractice: boolean): string | undefined {
	if (row === undefined) return 'there is no key to act on';
	if (row.keyId === undefined) return 'rentty deletes no key of this machine';
	if (row.kind === 'ssh' && row.isDeleted) return 'it is deleted already';
	const isOurs = row.kind === 'api' && row.isInUse && isPractice;
	return isOurs ? `${PRACTICE} could not be called any more without it` : undefined;
}

type BodyProps = Pick<ScreenProps, 'size'> & {
	readonly list: ReturnType<typeof listAt>;
	readonly known: ReturnType<typeof useKeys>;
	readonly columns: ReturnType<typeof keyColumns>;
};

function Body({list, known, columns, size}: BodyProps) {
	const {theme, switcher} = useServices();
	const height = heightsIn(size.rows).list - 1;
	useLayoutEffect(() => list.resize(height), [list, height]);
	const source = useMemo(() => {
		const lines = titledLines(list, columns, theme, {width: size.columns});
		const body = derived([list.state, list.view], () =>
			keysBody({
				target: switcher.target,
				keyEnd: known.end,
				check: known.check,
				list: lines.get(),
				row: list.current(),
				entrances: known.entrances,
				hidden: known.hidden,
				unreadable: known.unreadable,
				theme,
				size,
			}),
		);
		return withClicksOf(body, lines);
	}, [list, columns, theme, switcher, known, size]);
	return <Painted source={source} width={size.columns} height={size.rows} />;
}

function keyColumns(width: number) {
	const isWide = width >= 120;
	return textColumns([
		['name', 'NAME', isWide ? 30 : 20, 0],
		['kind', 'KIND', 4, 1],
		['type', 'TYPE OR RIGHTS', isWide ? 56 : 26, 3],
		['end', 'END', 6, 2],
		['where', 'WHERE', isWide ? 34 : 18, 4],
	]);
}

const noEntrances: Entrances = {byKey: new Map(), isWhole: true};

/** The keys of the account and of this machine, and the reasons for missing parts. */
function useKeys() {
	const {client, switcher, fleet} = useServices();
	const {environment} = useTerminal();
	const {now} = useTime();
	const api = useQuery(apiKeysQuery(client));
	const ssh = useQuery(sshKeysQuery(client));
	const me = useQuery(keyInUseQuery(client));
	const local = useQuery(localKeysQuery(environment));
	const check = useQuery(checkQuery(client, now));
	const end = useStore(switcher.keyEnd);
	const fleetState = useStore(fleet.state);
	const ids = fleetState.rows.map(({instance}) => instance.id).join(' ');
	const running = useMemo(() => ids.split(' ').filter(Boolean).map(Number), [ids]);
	const entrances = useQuery({
		...enterableInstancesQuery(client, running),
		enabled: running.length > 0,
	});
	const rows = useMemo(
		() =>
			keyRows({
				apiKeys: api.data?.keys ?? [],
				sshKeys: ssh.data?.keys ?? [],
				local: local.data ?? [],
				inUse: me.data ?? undefined,
				end,
			}),
		[api.data, ssh.data, local.data, me.data, end],
	);
	const unreadable = joinUnreadable(
		api.data?.unreadable ?? noneUnreadable,
		ssh.data?.unreadable ?? noneUnreadable,
	);
	return {
		rows,
		unreadable,
		end,
		check: check.data,
		entrances: running.length === 0 ? noEntrances : entrances.data,
		hidden: [
			...hiddenBy(api.error, 'API keys', 'user_read'),
			...hiddenBy(ssh.error, 'SSH keys of the account', 'user_read'),
		],
	};
}

/** Reason why a part of the list is missing: a sentence. */
function hiddenBy(error: Error | null, what: string, right: string): readonly string[] {
	if (error === null) return [];
	const sentences = {
		404: `This server does not describe ${what}; that list is hidden.`,
		403: `This key may not read ${what} (needs ${right}); that list is hidden.`,
	};
	return [formatFirstError([error], sentences)];
}
