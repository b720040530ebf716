import {useQuery} from '@tanstack/react-query';
import {useMemo, useRef, useState} from 'react';
import type {Client} from '../../../client/client.ts';
import type {FoundVolumeOffers} from '../../../client/nouns/volumes.ts';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import type {Volume, VolumeOffer} from '../../../contract/nouns/volumes.ts';
import {Notice} from '../../ui/notice.tsx';
import {createList} from '../../list/list.ts';
import {money, sentence} from '../../../renter/text/format.ts';
import {volumeSpaceQuery} from '../../queries/account.ts';
import {useServices} from '../../services/services.tsx';
import {Prompt, ConfirmDialog, notifyOutcome} from '../dialogs.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {askAgain, unreadNotice} from '../../list/unreadable.ts';
import {useFitting, ListScreen} from '../../list/list-view.tsx';
import {
	perMonth,
	volumeSpaceBindings,
	volumeSpaceColumns,
	type VolumeSpaceTarget,
} from './volumes.ts';
import type {VolumeSearch} from '../../../contract/nouns/volume-search.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	/** The volume that a clone is made of; undefined for an empty one. */
	readonly source: Volume | undefined;
	readonly onClose: () => void;
	/** The service answered, by when another question may be open. */
	readonly onChanged: () => void;
};

/** Asks how large a volume shall be, shows if there is space, and makes it after a review. */
export function NewVolume({source, size, say, onClose, onChanged}: Props) {
	const least = Math.max(1, Math.ceil(source?.disk_space ?? 1));
	const [words, setWords] = useState(source === undefined ? '50' : String(least));
	const [isAsking, setAsking] = useState(true);
	const isSent = useRef(false);
	const [chosen, setChosen] = useState<VolumeOffer>();
	const wanted = parseVolumeRequest(words, least);
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
					const read = parseVolumeRequest(text, least);
					return typeof read === 'string' ? sentence(read) : undefined;
				}}
				onSend={text => {
					isSent.current = true;
					setWords(text);
					setAsking(false);
				}}
				onClose={() => {
					// The prompt closes before it sends, too.
					queueMicrotask(() => {
						if (!isSent.current) onClose();
					});
				}}
			/>
		);
	}
	if (chosen !== undefined) {
		const back = () => setChosen(undefined);
		const how = {offer: chosen, source, sizeGb: wanted.sizeGb, size, say, onChanged};
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
	const [list] = useState(() => createList(volumeSpaceColumns, (offer: VolumeOffer) => offer.id));
	const {sizeGb, country} = wanted;
	const search = useMemo(() => searchFor({sizeGb, country}), [sizeGb, country]);
	const {data: found, error, refetch} = useQuery(volumeSpaceQuery(client, search));
	const {offers: rows, unreadable = noneUnreadable} = found ?? {};
	const columns = useFitting(volumeSpaceColumns, size.columns);
	const target: VolumeSpaceTarget = {
		take: list.act(onTake),
		missing: () => noOffer(list.current()),
		search: onSearch,
		refresh: () => void askAgain(refetch, {noun: 'volume offers', width: size.columns, say}),
		close: onClose,
	};
	return (
		<ListScreen
			isModal
			title="Room for a volume"
			heading={`ROOM FOR ${sizeGb} GB`}
			bindings={volumeSpaceBindings}
			note={() => `${country ?? 'anywhere'}, the cheapest first`}
			about={aboutOffer}
			{...{list, columns, target, rows, unreadable, size}}
			instead={<RoomNotice {...{found, error, wanted, size}} />}
		/>
	);
}

/** Reason why the volume space cannot be taken; undefined if it can. */
function noOffer(offer: VolumeOffer | undefined): string | undefined {
	if (offer === undefined) return 'there is no room listed';
	return perMonth(offer) === undefined ? 'the service does not say what it costs' : undefined;
}

type RoomNoticeProps = Pick<RoomProps, 'wanted' | 'size'> & {
	readonly found: FoundVolumeOffers | undefined;
	readonly error: Error | null;
};

/** Notice in place of an empty list of volume space. */
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

function aboutOffer(): string {
	return ' Only instances of the same machine can mount it: choose where you will rent.';
}

type ReviewProps = Omit<Props, 'onClose'> & {
	readonly offer: VolumeOffer;
	readonly sizeGb: number;
	readonly onBack: () => void;
	readonly onDone: () => void;
};

/** Shows cost and location of a volume or a clone, before it is created. */
function ReviewVolume(props: ReviewProps) {
	const {offer, source, sizeGb, size, say, onBack, onDone, onChanged} = props;
	const {client} = useServices();
	async function create(): Promise<void> {
		onDone();
		await notifyOutcome(say, async () => makeVolume(await client(), props));
		onChanged();
	}
	return (
		<ConfirmDialog
			question={{
				verb: source === undefined ? 'create' : 'clone',
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
				...(source === undefined
					? []
					: [['Of', `Volume ${source.id} ${source.label ?? ''}`.trimEnd()] as const]),
				[
					'Money',
					source === undefined
						? `${money(perMonth(offer))} a month, charged until you delete it.`
						: `${money(perMonth(offer))} a month, charged from now on.`,
				],
				['Where', 'Only instances of this machine can mount it.'],
			]}
			size={size}
			say={say}
			onConfirm={() => void create()}
			onCancel={onBack}
		/>
	);
}

async function makeVolume(client: Client, {offer, source, sizeGb}: ReviewProps): Promise<string> {
	const wanted = {offerId: offer.id, sizeGb, mostPerGb: offer.storage_cost ?? undefined};
	if (source === undefined) {
		const name = await client.volumes.create(wanted);
		return `Volume ${name} is there, and is charged from now on.`;
	}
	const id = await client.volumes.copy({...wanted, sourceId: source.id});
	return `Volume V.${id} is being made, and is charged from now on.`;
}

type Wanted = {
	readonly sizeGb: number;
	/** Two letters; undefined for anywhere. */
	readonly country: string | undefined;
};

/** Reads "50" and "50 SE"; a sentence without its full stop for other texts. */
export function parseVolumeRequest(text: string, least = 1): Wanted | string {
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

/** The cheapest space first: volumes differ most in price. */
function searchFor({sizeGb, country}: Wanted): Partial<VolumeSearch> {
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
