import {useQuery, useQueryClient} from '@tanstack/react-query';
import {useMemo} from 'react';
import type {Client} from '../../../client/client.ts';
import {isKeyRefused} from '../../../client/key-refusal.ts';
import {messageOf} from '../../../contract/thrown.ts';
import {joinUnreadable, noneUnreadable} from '../../../contract/unreadable.ts';
import {sentence} from '../../../renter/format.ts';
import {useServices} from '../../services.tsx';
import {
	apiKeysQuery,
	checkQuery,
	doorsQuery,
	keyInUseQuery,
	keysKey,
	localKeysQuery,
	sshKeysQuery,
} from '../../queries/keys.ts';
import type {ScreenProps} from '../place.ts';
import {keyRows} from './rows.ts';
import {useStore} from '../../components/use-store.ts';

/** All that is known of keys, and what the service does not say. */
export function useKeys() {
	const {client, desk, environment, fleet, now} = useServices();
	const api = useQuery(apiKeysQuery(client));
	const ssh = useQuery(sshKeysQuery(client));
	const me = useQuery(keyInUseQuery(client));
	const local = useQuery(localKeysQuery(environment));
	const check = useQuery(checkQuery(client, now));
	const end = useStore(desk.keyEnd);
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

/** Why a part of the list is not there: a sentence. */
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

export type Change = (
	done: string | undefined,
	act: (client: Client) => Promise<void>,
) => Promise<void>;

/** Sends a change, and says what came of it. The list is asked for anew either way. */
export function useChange(say: ScreenProps['say'], onClose: () => void): Change {
	const {client} = useServices();
	const live = useQueryClient();
	return async (done, act) => {
		onClose();
		try {
			await act(await client());
			if (done !== undefined) say({text: done, isError: false});
		} catch (error) {
			const why = messageOf(error);
			say({text: sentence(why), isError: true});
		}
		await live.invalidateQueries({queryKey: keysKey});
	};
}
