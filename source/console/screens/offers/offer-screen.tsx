import {useQuery} from '@tanstack/react-query';
import {Box, Text} from 'ink';
import {useState} from 'react';
import type {Job} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import type {Router, ScreenProps} from '../../services/router.ts';
import {equalOffers, equalsLine, Facts, scrolledFacts, offerSections} from './facts.tsx';
import {listBehind} from './search.ts';
import {type OfferTarget, offerBindings} from './bindings.ts';
import {noneUnreadable, type UnreadRecord} from '../../../contract/grammar/unreadable.ts';
import {spread} from '../../ui/chrome.ts';
import {ruleLine} from '../../ui/rules.ts';
import {Notice} from '../../ui/notice.tsx';
import {gigabytesOfMb, formatGpus, known, sentence} from '../../../renter/text/format.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {offersQuery, ownRentsQuery} from '../../queries/offers.ts';
import {
	useOfferServices,
	useServices,
	useSettings,
	useTerminal,
	useTime,
} from '../../services/services.tsx';
import {printable} from '../../../renter/text/text-width.ts';
import {formatTier} from './compare.ts';
import {jobOf} from '../../../renter/offers/job.ts';
import {listPricing} from './use-offers.ts';
import {spokenTime} from '../../../renter/instance/times.ts';
import {openSavedKeys} from './saved/saved.ts';
import {useSaved, SavedOverOffer} from './saved/saved-view.tsx';
import {searchForOffer} from '../../../renter/offers/search.ts';
import {createStore, type Readable} from '../../../renter/state/store.ts';
import type {ListState} from '../../list/state.ts';
import {useStore} from '../../ui/painted.tsx';

/** Title, equal offers and two rules. */
const LINES_AROUND = 4;

type Props = ScreenProps & {readonly id: number};

export function OfferScreen({stackEntry, router, size, say, id}: Props) {
	const {theme} = useServices();
	const {hosts} = useOfferServices();
	const {now} = useTime();
	const {copy} = useTerminal();
	const job = jobOf(useSettings());
	const [top, setTop] = useState(0);
	const list = listBehind(router.stack.get());
	const state = useStore(list?.state ?? noState);
	const {offer, isGone, broken, error, refetch} = useOffer(id, router);
	async function refresh(): Promise<void> {
		const {error: failure} = await refetch();
		if (failure !== null) say({text: sentence(failure.message), isError: true});
	}
	const {watch} = openSavedKeys(stackEntry);
	const isSavedShown = useSaved(stackEntry);
	const room = {width: size.columns, height: size.rows - LINES_AROUND};
	const sections =
		offer === undefined
			? []
			: offerSections(offer, {job, host: hosts.of(offer.host_id), now: now()});
	const target = {
		...offerTarget({id, offer, list, router, job, refresh}),
		watch,
		copy: () => copy(String(id)),
		scroll: (lines: number) => setTop(scrolledFacts(sections, room, top + lines)),
	};
	const yours = useYours(id, isGone);
	const status = statusOf(id, list, {isGone, yours, broken});
	return (
		<KeyScope title="Offer" bindings={offerBindings} target={target}>
			<Box flexDirection="column">
				<Text wrap="truncate">{spread(size.columns, titleOf(id, offer), status)}</Text>
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
				{isSavedShown ? (
					<SavedOverOffer {...{stackEntry, say, offer, id, ...room}} />
				) : offer === undefined ? (
					<OfferNotice {...{id, error, isGone, yours, broken, ...room}} />
				) : (
					<Facts {...{sections, theme, top, ...room}} />
				)}
				<Text wrap="truncate">
					{offer === undefined || state === undefined
						? ' '
						: equalsLine(theme, size.columns, equalOffers(offer, state.rows, job), job)}
				</Text>
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
			</Box>
		</KeyScope>
	);
}

/** The state of a missing list. */
const noState: Readable<ListState<Offer> | undefined> = createStore(undefined);

type List = ReturnType<typeof listBehind>;

/** Most equal offers compared with one, where none are marked. */
const EQUALS_TO_COMPARE = 2;

type OfferTargetOptions = {
	readonly id: number;
	readonly offer: Offer | undefined;
	readonly list: List;
	readonly router: Router;
	readonly job: Job;
	readonly refresh: () => Promise<void>;
};

function isAtCursor(list: List, id: number): boolean {
	return list?.current()?.id === id;
}

const movement = (by: 1 | -1) => (by === 1 ? 'down' : 'up');
const elsewhere = 'the cursor of the list is on another offer';

/** Handlers of an offer's keys: its neighbours in the list, its mark there, and a comparison. */
function offerTarget({
	id,
	offer,
	list,
	router,
	job,
	refresh,
}: OfferTargetOptions): Omit<OfferTarget, 'watch' | 'copy' | 'scroll'> {
	const markUnavailable = () => (isAtCursor(list, id) ? undefined : elsewhere);
	return {
		stepUnavailable(by) {
			if (!isAtCursor(list, id)) return elsewhere;
			if (list?.canMove(movement(by)) === true) return undefined;
			return `this is the ${by === 1 ? 'last' : 'first'} offer of the list`;
		},
		step(by) {
			list?.move(movement(by));
			const next = list?.current();
			if (next !== undefined) router.replace({name: 'offer', id: next.id});
		},
		rent: () => router.go({name: 'rent', offerId: id}),
		rentUnavailable: () =>
			offer === undefined ? 'it is not known whether there is this offer' : undefined,
		mark: () => list?.markHere(),
		markUnavailable,
		compare: () => router.go({name: 'compare', ids: [id, ...othersOf(id, offer, list, job)]}),
		compareUnavailable: () =>
			othersOf(id, offer, list, job).length === 0
				? 'no other offer is marked, and the list has no equal one'
				: undefined,
		refresh,
	};
}

/** Offers to compare with: the marked ones, else the cheapest equal ones. */
function othersOf(id: number, offer: Offer | undefined, list: List, job: Job): readonly number[] {
	const marked = (list?.selected() ?? []).filter(other => other.id !== id);
	const equals = offer === undefined ? [] : equalOffers(offer, list?.state.get().rows ?? [], job);
	return (marked.length > 0 ? marked : equals.slice(0, EQUALS_TO_COMPARE)).map(other => other.id);
}

type Answer = {
	readonly isGone: boolean;
	/** "yours, rented 20 min ago", where that is why it is gone. */
	readonly yours: string | undefined;
	readonly broken: UnreadRecord | undefined;
};

function statusOf(id: number, list: List, {isGone, yours, broken}: Answer): string {
	return [
		...(isGone ? [yours ?? 'GONE'] : []),
		...(broken === undefined ? [] : [`not read: ${broken.why}`]),
		...(list?.state.get().selected.has(id) === true ? ['marked'] : []),
		...(isAtCursor(list, id) ? [list?.position() ?? ''] : []),
	].join('  ');
}

/** The service's record of an offer; until it is read, the one of the list. */
function useOffer(id: number, {stack}: Router) {
	const {client} = useServices();
	const job = jobOf(useSettings());
	const terms = {diskGb: job.diskGb, pricing: listPricing(stack.get())};
	const {data, error, refetch} = useQuery(offersQuery(client, searchForOffer(id, terms), job));
	const {offers, unreadable = noneUnreadable} = data ?? {};
	const listed = listBehind(stack.get())
		?.state.get()
		.rows.find(row => row.id === id);
	const [sent] = offers ?? [];
	const [broken] = unreadable.first;
	const isMissing = offers?.length === 0 && broken === undefined;
	const isGone = isMissing || sent?.rentable === false;
	return {offer: sent ?? listed, isGone, broken: sent ? undefined : broken, error, refetch};
}

/** Own rent behind an offer that is gone. */
function useYours(id: number, isGone: boolean): string | undefined {
	const {client} = useServices();
	const {now} = useTime();
	const {data} = useQuery({...ownRentsQuery(client, now), enabled: isGone});
	const own = isGone ? data?.get(id) : undefined;
	if (own === undefined) return undefined;
	return `yours, rented ${spokenTime(now().getTime() - own.at)} ago`;
}

/** Title of an offer: name and location, in one line. */
function titleOf(id: number, offer: Offer | undefined): string {
	if (offer === undefined) return `Offers > ${id}`;
	const where = known(printable)(offer.geolocation);
	return `Offers > ${id}  ${formatGpus(offer)} ${gigabytesOfMb(offer.gpu_ram)}  ${where}  ${formatTier(offer)}`;
}

type NoticeProps = Answer & {
	readonly id: number;
	readonly error: Error | null;
	readonly width: number;
	readonly height: number;
};

function OfferNotice({id, error, isGone, yours, broken, ...room}: NoticeProps) {
	if (error !== null) {
		return <Notice title={sentence(error.message)} lines={['R tries again.']} {...room} />;
	}
	if (broken !== undefined) {
		const title = `What the service sent for offer ${id} could not be read: ${broken.why}.`;
		return <Notice title={title} lines={['R tries again.']} {...room} />;
	}
	if (!isGone) return <Notice title={`Asking for offer ${id}`} {...room} />;
	if (yours !== undefined) return <Notice title={`Offer ${id} is ${yours}.`} {...room} />;
	const lines = [
		'Someone else took it, or it was unlisted. Nothing was created, nothing is charged.',
	];
	return <Notice title={`Offer ${id} is gone.`} lines={lines} {...room} />;
}
