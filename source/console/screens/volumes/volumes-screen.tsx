import {useQuery, useQueryClient} from '@tanstack/react-query';
import {useLayoutEffect, useMemo, useState} from 'react';
import {isKeyRefused} from '../../../client/key-refusal.ts';
import {noneUnreadable} from '../../../contract/unreadable.ts';
import type {Unreadable} from '../../../contract/unreadable.ts';
import type {Volume} from '../../../contract/volumes.ts';
import {fitColumns} from '../../list/columns.ts';
import {Notice} from '../../components/notice.tsx';
import {GUTTER} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {money, sentence} from '../../../renter/format.ts';
import {KeyScope} from '../../key-scope.tsx';
import {kept} from '../../router.ts';
import {useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {askAgain, unreadNotice} from '../unreadable.ts';
import {volumeListBindings} from './bindings.ts';
import type {VolumesTarget} from './bindings.ts';
import {mountedBy, perMonth, volumeColumns} from './columns.ts';
import {DeleteVolume} from './delete-volume.tsx';
import {ListView} from './list-view.tsx';
import {NewVolume} from './new-volume.tsx';

const tableAt = kept(() => createList(volumeColumns, (volume: Volume) => volume.id));

/** What every question about volumes begins with: a change makes all of them old. */
const volumesKey = ['volumes'] as const;

type Asking = {readonly kind: 'new'} | {readonly kind: 'delete'; readonly volume: Volume};

/** Disks that outlive instances, and which instances have them. */
export function VolumesScreen({place, size, say}: ScreenProps) {
	const {client, copy} = useServices();
	const live = useQueryClient();
	const table = tableAt(place);
	const [asking, setAsking] = useState<Asking>();
	const query = useQuery({
		queryKey: [...volumesKey, 'own'],
		queryFn: async ({signal}) => (await client()).volumes.list({signal}),
	});
	const {volumes: data, unreadable = noneUnreadable} = query.data ?? {};
	const columns = useMemo(() => fitColumns(volumeColumns, size.columns - GUTTER), [size.columns]);
	useLayoutEffect(() => {
		if (data !== undefined) table.load(data);
	}, [table, data]);
	const refresh = () => void live.invalidateQueries({queryKey: volumesKey});
	const close = () => {
		setAsking(undefined);
		refresh();
	};
	if (asking?.kind === 'new') return <NewVolume size={size} say={say} onClose={close} />;
	if (asking !== undefined) {
		return <DeleteVolume volume={asking.volume} size={size} say={say} onClose={close} />;
	}
	const target: VolumesTarget = {
		move: table.move,
		pick: step => table.pick(step, columns),
		order: () => table.order(),
		alsoOrder: () => table.alsoOrder(),
		canOrder: () => table.canOrder(),
		create: () => setAsking({kind: 'new'}),
		remove() {
			const volume = table.current();
			if (volume !== undefined) setAsking({kind: 'delete', volume});
		},
		noRemove: () => noRemove(table.current()),
		copy() {
			const volume = table.current();
			if (volume !== undefined) copy(String(volume.id));
		},
		missing: () => (table.current() === undefined ? 'there is no volume to act on' : undefined),
		refresh: () => void askAgain(query.refetch, {noun: 'volumes', width: size.columns, say}),
	};
	return (
		<KeyScope title="Volumes" bindings={volumeListBindings} target={target}>
			{data === undefined || data.length === 0 ? (
				<VolumesNotice {...query} unreadable={unreadable} size={size} />
			) : (
				<ListView
					title="VOLUMES"
					note={costOf(data, unreadable)}
					unreadable={unreadable}
					table={table}
					columns={columns}
					size={size}
					about={aboutVolume}
				/>
			)}
		</KeyScope>
	);
}

function noRemove(volume: Volume | undefined): string | undefined {
	if (volume === undefined) return 'there is no volume to act on';
	const mounted = mountedBy(volume);
	return mounted.length === 0 ? undefined : `instance ${mounted.join(', ')} has it`;
}

/** What all of them cost, as far as it is known. */
function costOf(volumes: readonly Volume[], unreadable: Unreadable): string {
	const known = volumes.flatMap(volume => perMonth(volume) ?? []);
	const sum = money(known.reduce((total, dollars) => total + dollars, 0));
	const rest = volumes.length - known.length + unreadable.count;
	return `${sum} a month${rest === 0 ? '' : `, and ${rest} without a known price`}`;
}

function aboutVolume(volume: Volume | undefined): string {
	if (volume === undefined) return '';
	const mounted = mountedBy(volume);
	const by = mounted.length === 0 ? 'no instance has it' : `mounted by ${mounted.join(', ')}`;
	return ` ${by}; charged until it is deleted; for instances of its machine`;
}

type NoticeProps = Pick<ScreenProps, 'size'> & {
	readonly error: Error | null;
	readonly isFetching: boolean;
	readonly unreadable: Unreadable;
};

function VolumesNotice({error, isFetching, unreadable, size}: NoticeProps) {
	const room = {width: size.columns, height: size.rows};
	if (isFetching) return <Notice title="Asking for volumes" {...room} />;
	if (error !== null) {
		const status = 'status' in error ? error.status : undefined;
		const title =
			status === 404 && !isKeyRefused(error)
				? 'This server does not describe volumes.'
				: sentence(error.message);
		return <Notice title={title} lines={['R tries again.']} {...room} />;
	}
	const unread = unreadNotice(unreadable, 'volumes', room.height);
	if (unread !== undefined) return <Notice {...unread} {...room} />;
	const lines = [
		'A volume keeps data when instances go. It is charged until it is deleted.',
		'n looks for room.',
	];
	return <Notice title="There are no volumes." lines={lines} {...room} />;
}
