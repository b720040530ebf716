import {useQuery, useQueryClient} from '@tanstack/react-query';
import {useState} from 'react';
import {noneUnreadable, type Unreadable} from '../../../contract/grammar/unreadable.ts';
import type {Volume} from '../../../contract/nouns/volumes.ts';
import {ConfirmDialog, notifyOutcome} from '../dialogs.tsx';
import {ListNotice, ListScreen, useFitting} from '../../list/list-view.tsx';
import {createList} from '../../list/list.ts';
import {wholeGigabytes, money} from '../../../renter/text/format.ts';
import {volumesKey, volumesQuery} from '../../queries/account.ts';
import {keptByStackEntry, type ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal} from '../../services/services.tsx';
import {askAgain} from '../../list/unreadable.ts';
import {
	volumeListBindings,
	type VolumesTarget,
	mountedBy,
	perMonth,
	volumeColumns,
} from './volumes.ts';
import {NewVolume} from './new-volume.tsx';

const listAt = keptByStackEntry(() => createList(volumeColumns, (volume: Volume) => volume.id));

type Asking =
	| {readonly kind: 'new'; readonly source?: Volume}
	| {readonly kind: 'delete'; readonly volume: Volume};

const volumesNotice = {
	noun: 'volumes',
	missing: 'This server does not describe volumes.',
	empty: [
		'There are no volumes.',
		'A volume keeps data when instances go. It is charged until it is deleted.',
		'n looks for room.',
	],
} as const;

const volumesList = {
	title: 'Volumes',
	heading: 'VOLUMES',
	bindings: volumeListBindings,
	about: aboutVolume,
} as const;

/** Disks that outlive instances, and which instances have them. */
export function VolumesScreen({stackEntry, size, say}: ScreenProps) {
	const {client} = useServices();
	const {copy} = useTerminal();
	const live = useQueryClient();
	const list = listAt(stackEntry);
	const [asking, setAsking] = useState<Asking>();
	const query = useQuery(volumesQuery(client));
	const {volumes: rows, unreadable = noneUnreadable} = query.data ?? {};
	const columns = useFitting(volumeColumns, size.columns);
	const around = {
		size,
		say,
		onClose: () => setAsking(undefined),
		onChanged: () => void live.invalidateQueries({queryKey: volumesKey}),
	};
	if (asking?.kind === 'new') return <NewVolume {...around} source={asking.source} />;
	if (asking !== undefined) return <DeleteVolume {...around} volume={asking.volume} />;
	const target: VolumesTarget = {
		create: () => setAsking({kind: 'new'}),
		clone: list.act(source => setAsking({kind: 'new', source})),
		noClone: () => noClone(list.current()),
		remove: list.act(volume => setAsking({kind: 'delete', volume})),
		noRemove: () => noRemove(list.current()),
		copy: list.act(({id}) => copy(String(id))),
		missing: () => (list.current() === undefined ? 'there is no volume to act on' : undefined),
		refresh: () => void askAgain(query.refetch, {noun: 'volumes', width: size.columns, say}),
	};
	return (
		<ListScreen
			{...volumesList}
			{...{list, columns, target, rows, unreadable, size}}
			note={volumes => costOf(volumes, unreadable)}
			instead={<ListNotice {...query} {...volumesNotice} unreadable={unreadable} size={size} />}
		/>
	);
}

function noRemove(volume: Volume | undefined): string | undefined {
	if (volume === undefined) return 'there is no volume to act on';
	const mounted = mountedBy(volume);
	return mounted.length === 0 ? undefined : `instance ${mounted.join(', ')} has it`;
}

function noClone(volume: Volume | undefined): string | undefined {
	return volume?.status === 'creating' ? 'it is not whole yet' : noRemove(volume);
}

/** Cost of all volumes, as far as it is known. */
function costOf(volumes: readonly Volume[], unreadable: Unreadable): string {
	const known = volumes.flatMap(volume => perMonth(volume) ?? []);
	const sum = money(known.reduce((total, dollars) => total + dollars, 0));
	const rest = volumes.length - known.length + unreadable.count;
	return `${sum} a month${rest === 0 ? '' : `, and ${rest} without a known price`}`;
}

function aboutVolume(volume: Volume | undefined): string {
	if (volume === undefined) return '';
	if (volume.status === 'creating') {
		return ` ${volume.status_msg ?? 'it is being cloned'}; charged from its beginning`;
	}
	const mounted = mountedBy(volume);
	const by = mounted.length === 0 ? 'no instance has it' : `mounted by ${mounted.join(', ')}`;
	return ` ${by}; charged until it is deleted; for instances of its machine`;
}

type DeleteProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly volume: Volume;
	readonly onClose: () => void;
	/** The service answered, by when another question may be open. */
	readonly onChanged: () => void;
};

/** Asks whether a volume shall be deleted with all that is on it. */
function DeleteVolume({volume, size, say, onClose, onChanged}: DeleteProps) {
	const {client} = useServices();
	async function remove(): Promise<void> {
		onClose();
		await notifyOutcome(say, async () => {
			await (await client()).volumes.delete(volume.id);
			return `Volume ${volume.id} is deleted, and is not charged any more.`;
		});
		onChanged();
	}
	const detail = `${wholeGigabytes(volume.disk_space)}  ${volume.geolocation ?? ''}`;
	return (
		<ConfirmDialog
			question={{
				verb: 'delete',
				noun: 'volume',
				targets: [
					{id: volume.id, name: volume.label ?? '', detail, state: volume.status ?? '', level: 2},
				],
			}}
			facts={[
				['What happens', 'All that is on it is gone for good. Nobody keeps a copy.'],
				['Money', `${money(perMonth(volume))} a month is not charged any more.`],
			]}
			size={size}
			say={say}
			onConfirm={() => void remove()}
			onCancel={onClose}
		/>
	);
}
