import {useStore} from '../../ui/use-store.ts';
import {sentence} from '../../../renter/text/format.ts';
import {joinUnreadable, noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {isKeyRefused} from '../../../client/exchange/errors.ts';
import {textColumns} from '../../list/text-columns.ts';
import {useQueryClient, useQuery} from '@tanstack/react-query';
import {useLayoutEffect, useMemo, useState} from 'react';
import {Painted} from '../../ui/painted.tsx';
import {titledLines} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {ListScope, useFitting} from '../../list/list-view.tsx';
import {PRACTICE} from '../../../renter/profiles/profile.ts';
import {kept, type ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal, useTime} from '../../services/services.tsx';
import {unreadMessage} from '../../list/unreadable.ts';
import {keyListBindings, type KeysTarget} from './bindings.ts';
import {type KeyRow, keyRows} from './rows.ts';
import {KeyAsking, type Asking} from './key-asking.tsx';
import {heightsIn, keysBody} from './keys-body.ts';
import {
	keysKey,
	unreadKeys,
	apiKeysQuery,
	checkQuery,
	doorsQuery,
	keyInUseQuery,
	localKeysQuery,
	sshKeysQuery,
} from '../../queries/account.ts';
import {derived} from '../../../renter/state/store.ts';

const listAt = kept(() => createList(keyColumns(80), (row: KeyRow) => row.id));

/** API keys and SSH keys: those of the account, and those of this machine. */
export function KeysScreen({place, size, say}: ScreenProps) {
	const {switcher, fleet} = useServices();
	const {copy} = useTerminal();
	const live = useQueryClient();
	const list = listAt(place);
	const known = useKeys();
	const [asking, setAsking] = useState<Asking>();
	const all = useMemo(() => keyColumns(size.columns), [size.columns]);
	const columns = useFitting(all, size.columns);
	useLayoutEffect(() => {
		list.load(known.rows);
		// Parts of the list come one after the other: until somebody moves, it begins at its first row.
		if (!list.wasMoved()) list.move('first');
	}, [list, known.rows]);
	if (asking !== undefined) {
		return (
			<KeyAsking
				asking={asking}
				rows={known.rows}
				doors={known.doors}
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
		const lines = titledLines(list, columns, theme);
		return derived([list.state, list.view], () =>
			keysBody({
				target: switcher.target,
				keyEnd: known.end,
				check: known.check,
				list: lines.get(),
				row: list.current(),
				doors: known.doors,
				hidden: known.hidden,
				unreadable: known.unreadable,
				theme,
				size,
			}),
		);
	}, [list, columns, theme, switcher, known, size]);
	return <Painted source={source} width={size.columns} height={size.rows} />;
}

/** Columns of the list of keys. */
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

/** All that is known of keys, and what the service does not say. */
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
	const doors = useQuery({...doorsQuery(client, running), enabled: running.length > 0});
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
		doors: running.length === 0 ? new Map<string, readonly number[]>() : doors.data,
		hidden: [
			...hiddenBy(api.error, 'API keys', 'user_read'),
			...hiddenBy(ssh.error, 'SSH keys of the account', 'user_read'),
		],
	};
}

/** Reason why a part of the list is missing: a sentence. */
function hiddenBy(error: Error | null, what: string, right: string): readonly string[] {
	if (error === null) return [];
	const status = 'status' in error && !isKeyRefused(error) ? error.status : undefined;
	if (status === 404) {
		return [`This server does not describe ${what}; that list is hidden.`];
	}
	if (status === 403)
		return [`This key may not read ${what} (needs ${right}); that list is hidden.`];
	return [sentence(error.message)];
}
