import {messageOf} from '../../../contract/thrown.ts';
import {useQuery} from '@tanstack/react-query';
import {useMemo, useRef, useState} from 'react';
import type {FoundRoom} from '../../../client/nouns/volumes.ts';
import {noneUnreadable} from '../../../contract/unreadable.ts';
import type {VolumeOffer} from '../../../contract/volumes.ts';
import {ConfirmDialog} from '../dialogs.tsx';
import {Notice} from '../../components/notice.tsx';
import {createList} from '../../list/list.ts';
import {money, sentence} from '../../../renter/format.ts';
import {roomQuery} from '../../queries/volumes.ts';
import {useServices} from '../../services.tsx';
import {Prompt} from '../prompt.tsx';
import type {ScreenProps} from '../../router.ts';
import {askAgain, unreadNotice} from '../../list/unreadable.ts';
import {roomBindings, type RoomTarget} from './bindings.ts';
import {perMonth, roomColumns} from './columns.ts';
import {ListScope, useFitting, useRows} from '../../list/list-scope.tsx';
import {TitledList} from '../../list/list-rows.tsx';
import type {VolumeSearch} from '../../../contract/volume-search.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {readonly onClose: () => void};

/** Asks how large a volume shall be, shows where there is room, and makes it after a review. */
export function NewVolume({size, say, onClose}: Props) {
	const [words, setWords] = useState('50');
	const [isAsking, setAsking] = useState(true);
	const isSent = useRef(false);
	const [chosen, setChosen] = useState<VolumeOffer>();
	const wanted = readWanted(words);
	if (isAsking || typeof wanted === 'string') {
		return (
			<Prompt
				title="New volume"
				name="GB"
				initial={words}
				lines={[
					'Its size in GB, and where: 50 is anywhere, 50 SE is in Sweden.',
					'Nothing is made or charged yet: the next screen shows where there is room.',
				]}
				size={size}
				refuse={text => {
					const read = readWanted(text);
					return typeof read === 'string' ? sentence(read) : undefined;
				}}
				onSend={text => {
					isSent.current = true;
					setWords(text);
					setAsking(false);
				}}
				onClose={() => {
					// It closes before it sends, too.
					queueMicrotask(() => {
						if (!isSent.current) onClose();
					});
				}}
			/>
		);
	}
	if (chosen !== undefined) {
		const back = () => setChosen(undefined);
		return <ReviewVolume {...{offer: chosen, wanted, size, say, onBack: back, onDone: onClose}} />;
	}
	return (
		<Room
			wanted={wanted}
			size={size}
			say={say}
			onTake={setChosen}
			onSearch={() => {
				isSent.current = false;
				setAsking(true);
			}}
			onClose={onClose}
		/>
	);
}

type RoomProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly wanted: Wanted;
	readonly onTake: (offer: VolumeOffer) => void;
	readonly onSearch: () => void;
	readonly onClose: () => void;
};

function Room({wanted, size, say, onTake, onSearch, onClose}: RoomProps) {
	const {client} = useServices();
	const [list] = useState(() => createList(roomColumns, (offer: VolumeOffer) => offer.id));
	const {sizeGb, country} = wanted;
	const search = useMemo(() => searchFor({sizeGb, country}), [sizeGb, country]);
	const {data: found, error, refetch} = useQuery(roomQuery(client, search));
	const {offers: data, unreadable = noneUnreadable} = found ?? {};
	const columns = useFitting(roomColumns, size.columns);
	useRows(list, data);
	const target: RoomTarget = {
		take: list.act(onTake),
		missing: () => (list.current() === undefined ? 'there is no room listed' : undefined),
		search: onSearch,
		refresh: () => void askAgain(refetch, {noun: 'volume offers', width: size.columns, say}),
		close: onClose,
	};
	const where = wanted.country ?? 'anywhere';
	return (
		<ListScope
			isModal
			title="Room for a volume"
			bindings={roomBindings}
			{...{list, columns, target}}
		>
			{data === undefined || data.length === 0 ? (
				<RoomNotice found={found} error={error} wanted={wanted} size={size} />
			) : (
				<TitledList
					title={`ROOM FOR ${wanted.sizeGb} GB`}
					note={`${where}, the cheapest first`}
					about={aboutRoom}
					{...{list, columns, size, unreadable}}
				/>
			)}
		</ListScope>
	);
}

type RoomNoticeProps = Pick<RoomProps, 'wanted' | 'size'> & {
	readonly found: FoundRoom | undefined;
	readonly error: Error | null;
};

/** Notice in place of an empty list of room. */
function RoomNotice({found, error, wanted: {sizeGb, country}, size}: RoomNoticeProps) {
	const room = {width: size.columns, height: size.rows};
	if (found === undefined) {
		const title = error === null ? 'Looking for room' : sentence(error.message);
		return <Notice title={title} {...room} />;
	}
	const unread = unreadNotice(found.unreadable, 'volume offers', size.rows);
	if (unread !== undefined) return <Notice {...unread} {...room} />;
	const title = `No machine has room for ${sizeGb} GB (${country ?? 'anywhere'}).`;
	return <Notice title={title} lines={['/ takes another size or place.']} {...room} />;
}

function aboutRoom(): string {
	return ' Only instances of the same machine can mount it: choose where you will rent.';
}

type ReviewProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly offer: VolumeOffer;
	readonly wanted: Wanted;
	readonly onBack: () => void;
	readonly onDone: () => void;
};

function ReviewVolume({offer, wanted: {sizeGb}, size, say, onBack, onDone}: ReviewProps) {
	const {client} = useServices();
	async function create(): Promise<void> {
		onDone();
		try {
			const name = await (await client()).volumes.create({offerId: offer.id, sizeGb});
			say({text: `Volume ${name} is there, and is charged from now on.`, isError: false});
		} catch (error) {
			say({text: sentence(messageOf(error)), isError: true});
		}
		onDone();
	}
	return (
		<ConfirmDialog
			question={{
				verb: 'create',
				noun: 'volume',
				targets: [
					{
						id: offer.id,
						name: '',
						detail: `${sizeGb} GB on machine ${offer.machine_id ?? '-'}  ${offer.geolocation ?? ''}`,
						state: '',
						level: 1,
					},
				],
			}}
			facts={[
				['Money', `${money(perMonth(offer))} a month, charged until you delete it.`],
				['Where', 'Only instances of this machine can mount it.'],
			]}
			size={size}
			say={say}
			onConfirm={() => void create()}
			onCancel={onBack}
		/>
	);
}

type Wanted = {
	readonly sizeGb: number;
	/** Two letters; undefined for anywhere. */
	readonly country: string | undefined;
};

/** Reads "50" and "50 SE"; a sentence without its full stop where it says neither. */
export function readWanted(text: string): Wanted | string {
	const [size = '', country, ...rest] = text.trim().split(/\s+/);
	const sizeGb = Number(size);
	if (!Number.isSafeInteger(sizeGb) || sizeGb < 1) return 'expected a size in whole GB, at least 1';
	if (rest.length > 0) return 'expected a size and a country, like 50 SE';
	if (country !== undefined && !/^[A-Za-z]{2}$/.test(country)) {
		return 'expected a country as two letters, like SE';
	}
	return {sizeGb, country: country?.toUpperCase()};
}

/** The cheapest room first: of volumes the price is what differs most. */
export function searchFor({sizeGb, country}: Wanted): Partial<VolumeSearch> {
	const place =
		country === undefined
			? []
			: ([{field: 'geolocation', operator: 'eq', value: country}] as const);
	return {
		filter: [{field: 'disk_space', operator: 'gte', value: sizeGb}, ...place],
		order: [['storage_cost', 'asc']],
		limit: 64,
		sizeGb,
	};
}
