import {useQuery} from '@tanstack/react-query';
import {useMemo, useRef, useState} from 'react';
import type {FoundRoom} from '../../../client/nouns/volumes.ts';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import type {Volume, VolumeOffer} from '../../../contract/nouns/volumes.ts';
import {Notice} from '../../ui/notice.tsx';
import {createList} from '../../list/list.ts';
import {sentence} from '../../../renter/text/format.ts';
import {roomQuery} from '../../queries/volumes.ts';
import {useServices} from '../../services/services.tsx';
import {Prompt} from '../prompt.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {askAgain, unreadNotice} from '../../list/unreadable.ts';
import {roomBindings, type RoomTarget} from './bindings.ts';
import {roomColumns} from './columns.ts';
import {ReviewVolume} from './review-volume.tsx';
import {ListScope, useFitting, useRows} from '../../list/list-scope.tsx';
import {TitledList} from '../../list/list-rows.tsx';
import type {VolumeSearch} from '../../../contract/nouns/volume-search.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	/** The volume that a clone is made of; undefined for an empty one. */
	readonly source: Volume | undefined;
	readonly onClose: () => void;
};

/** Asks how large a volume shall be, shows where there is room, and makes it after a review. */
export function NewVolume({source, size, say, onClose}: Props) {
	const least = Math.ceil(source?.disk_space ?? 1);
	const [words, setWords] = useState(source === undefined ? '50' : String(least));
	const [isAsking, setAsking] = useState(true);
	const isSent = useRef(false);
	const [chosen, setChosen] = useState<VolumeOffer>();
	const wanted = readWanted(words, least);
	if (isAsking || typeof wanted === 'string') {
		return (
			<Prompt
				title={source === undefined ? 'New volume' : `Clone of volume ${source.id}`}
				name="GB"
				initial={words}
				lines={[
					'Its size in GB, and where: 50 is anywhere, 50 SE is in Sweden.',
					'Nothing is made or charged yet: the next screen shows where there is room.',
				]}
				size={size}
				refuse={text => {
					const read = readWanted(text, least);
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
		const how = {offer: chosen, source, sizeGb: wanted.sizeGb, size, say};
		return <ReviewVolume {...how} onBack={back} onDone={onClose} />;
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

type Wanted = {
	readonly sizeGb: number;
	/** Two letters; undefined for anywhere. */
	readonly country: string | undefined;
};

/** Reads "50" and "50 SE"; a sentence without its full stop where it says neither. */
export function readWanted(text: string, least = 1): Wanted | string {
	const [size = '', country, ...rest] = text.trim().split(/\s+/);
	const sizeGb = Number(size);
	if (!Number.isSafeInteger(sizeGb) || sizeGb < least) {
		return `expected a size in whole GB, at least ${least}`;
	}
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
