import {Box, Text} from 'ink';
import {useMemo, useState, useLayoutEffect} from 'react';
import type {FoundOffers} from '../../../client/nouns/offers.ts';
import type {ColumnChoice} from '../../../renter/settings/default-settings.ts';
import {count, sentence} from '../../../renter/text/format.ts';
import type {Message} from '../../ui/message.ts';
import type {Router, StackEntry, ScreenProps} from '../../services/router.ts';
import {nextSet, asShown, type Column} from '../../list/columns.ts';
import {askAgain, unreadNotice} from '../../list/unreadable.ts';
import {type OfferListTarget, emptyListBindings, offerListBindings} from './bindings.ts';
import {type OfferList, offerListAt, defaultSearch} from './search.ts';
import {type SavedKeys, openSavedKeys} from './saved/saved.ts';
import {usePane, useAsked, useOffers, useOfferColumns, usePreview} from './use-offers.ts';
import {jointRule} from '../../ui/rules.ts';
import {Notice} from '../../ui/notice.tsx';
import {ListScope, useColumnChoice} from '../../list/list-view.tsx';
import {isFromLastTime} from '../../../renter/offers/memory.ts';
import {
	useServices,
	useSettings,
	useTerminal,
	useOfferServices,
	useTime,
} from '../../services/services.tsx';
import {ColumnChooser} from '../../list/overlays.tsx';
import {offerColumns} from './columns.ts';
import {jobOf} from '../../../renter/offers/job.ts';
import {
	LINES_AROUND_OFFERS,
	listBand,
	ruleBand,
	type OfferListLayout,
	statusLine,
} from './bands.ts';
import {QueryArea, RequestView} from './query/query-area.tsx';
import {WhyZeroPanel} from './query/why-zero-panel.tsx';
import {useSaved, SavedOverOffers} from './saved/saved-view.tsx';
import type {Offer} from '../../../contract/nouns/offers.ts';
import type {Unreadable} from '../../../contract/grammar/unreadable.ts';
import {Bands, useStore} from '../../ui/painted.tsx';
import type {List} from '../../list/list.ts';

export function OffersScreen(props: ScreenProps) {
	const {stackEntry, router, say, size} = props;
	const {theme} = useServices();
	const [isChoosing, setIsChoosing] = useState(false);
	const view = useOfferList({...props, isChoosing, chooseColumns: () => setIsChoosing(true)});
	const {asked, query, columns, shown, beside, isSavedShown, height, target} = view;
	const {columns: width} = size;
	const hasPane = beside.width > 0 && (query.data?.length ?? 0) > 0;
	const body = {width, height: height + 2};
	return (
		<ListScope
			title="Offers"
			list={view.list}
			columns={shown}
			bindings={query.data?.length === 0 ? emptyListBindings : offerListBindings}
			router={router}
			target={target}
		>
			<Box flexDirection="column">
				<QueryArea
					{...{stackEntry, width}}
					here={query.here}
					status={statusLine(view, {theme, width})}
				/>
				<Text wrap="truncate">
					{jointRule(theme, width, {at: hasPane ? width - beside.width : 0, sign: '┬'})}
				</Text>
				{isChoosing ? (
					<ColumnChooser
						{...{
							columns: asShown(columns, shown),
							unsent: view.unsent,
							theme,
							...view.choosing,
							...body,
						}}
						onChange={view.choosing.setChoice}
						onClose={() => setIsChoosing(false)}
					/>
				) : isSavedShown ? (
					<SavedOverOffers {...{stackEntry, say, ...body}} />
				) : asked.isRequestShown ? (
					<RequestView {...{stackEntry, search: query.sent, ...body}} />
				) : query.data === undefined || query.data.length === 0 ? (
					<NoOffers {...{stackEntry, query, isEditing: asked.isEditing, ...body}} />
				) : (
					<OfferRows
						list={view.rows}
						{...{all: columns, columns: shown, width, height, pane: beside.pane}}
						beside={beside.width}
						drag={beside.drag}
						isOld={isFromLastTime(query.dataUpdatedAt)}
						unreadable={query.unreadable}
					/>
				)}
			</Box>
		</ListScope>
	);
}

type ListOptions = ScreenProps & {
	readonly isChoosing: boolean;
	readonly chooseColumns: () => void;
};

/** Search, its result, and the handlers of the list's keys. */
function useOfferList({stackEntry, router, size, say, isChoosing, chooseColumns}: ListOptions) {
	const {copy} = useTerminal();
	const settings = useSettings();
	const list = offerListAt(stackEntry);
	const {table} = list;
	const isSavedShown = useSaved(stackEntry);
	const usual = useMemo(() => defaultSearch(settings), [settings]);
	const asked = useAsked(stackEntry, usual);
	const job = useMemo(() => jobOf(settings), [settings]);
	const kinds = useStore(list.kinds);
	const columns = useMemo(() => offerColumns(job, kinds), [job, kinds]);
	const isCovered = isChoosing || asked.isEditing || asked.isRequestShown || isSavedShown;
	const {search, withOwn} = asked;
	const query = useOffers({list, asked: search, withOwn, columns, job, isCovered, say});
	const choosing = useColumnChoice('offers');
	const {choice, presentChoice, setChoice} = choosing;
	const {data, refetch} = query;
	const beside = usePane(stackEntry, size.columns);
	const room = size.columns - beside.width;
	const inView = {columns, choice, asked: asked.search, data, width: room};
	const {shown, unsent} = useOfferColumns(table, inView);
	const height = size.rows - LINES_AROUND_OFFERS - asked.facetLines;
	const preview = usePreview(stackEntry, {table, columns, job, ...query});

	const width = size.columns;
	const screen = {list, router, say, copy, refetch, pane: beside, width};
	const acting = listTarget({...screen, presentChoice, setChoice, chooseColumns});
	return {
		settings,
		asked,
		query,
		columns,
		choosing,
		shown,
		unsent,
		beside,
		isSavedShown,
		height,
		/** The rows to show: those that the typed words leave, or all. */
		rows: preview ?? table,
		list: table,
		target: {...acting, ...openSavedKeys(stackEntry)},
	};
}

type NoOffersProps = {
	readonly stackEntry: StackEntry;
	readonly query: ReturnType<typeof useOffers>;
	/** The keys are for the words, and not for the advice of an empty list. */
	readonly isEditing: boolean;
	readonly width: number;
	readonly height: number;
};

function NoOffers({stackEntry, query, isEditing, ...frame}: NoOffersProps) {
	const {data, unreadable, error, search, isFetching, isPlaceholderData} = query;
	if (isFetching && (data === undefined || isPlaceholderData || error !== null)) {
		return <Notice title="Searching offers" {...frame} />;
	}
	if (error !== null) {
		const lines = ['Nothing was changed, and nothing is charged for searching.', 'R tries again.'];
		return <Notice title={sentence(error.message)} lines={lines} {...frame} />;
	}
	const unread = unreadNotice(unreadable, 'offers', frame.height);
	if (unread !== undefined) return <Notice {...unread} {...frame} />;
	if (isEditing) return <Notice title="No offer matches at present." {...frame} />;
	const size = {columns: frame.width, rows: frame.height};
	return <WhyZeroPanel {...{stackEntry, search, size}} />;
}

type Props = Omit<OfferListLayout, 'theme'> & {
	readonly list: List<Offer>;
	/** All columns, those out of view too. */
	readonly all: ReadonlyArray<Column<Offer>>;
	readonly unreadable: Unreadable;
};

function OfferRows({list, all, unreadable, ...look}: Props) {
	const {columns, width, height, isOld, pane, beside, drag} = look;
	const {theme} = useServices();
	const {hosts, priceWatches} = useOfferServices();
	const {after} = useTime().timers;
	const settings = useSettings();
	useLayoutEffect(() => list.resize(height), [list, height]);
	const band = useMemo(() => {
		const seen = {hosts, watched: priceWatches.states, settings, after};
		const shown = {theme, columns, width, height, isOld, pane, beside};
		return listBand(list, seen, drag === undefined ? shown : {...shown, drag});
	}, [
		list,
		hosts,
		priceWatches,
		settings,
		after,
		theme,
		columns,
		width,
		height,
		isOld,
		pane,
		beside,
		drag,
	]);
	const rule = useMemo(
		() => ruleBand(list, all, {theme, width, unreadable, job: jobOf(settings), beside}),
		[list, all, theme, width, unreadable, settings, beside],
	);
	return <Bands bands={[band, rule]} />;
}

type Options = {
	readonly list: OfferList;
	readonly router: Router;
	readonly say: (message: Message) => void;
	readonly refetch: () => Promise<{
		readonly error: Error | null;
		readonly data: FoundOffers | undefined;
	}>;
	/** Columns that a message has. */
	readonly width: number;
	readonly presentChoice: () => ColumnChoice;
	readonly setChoice: (choice: ColumnChoice) => void;
	readonly chooseColumns: () => void;
	readonly copy: (text: string) => void;
	readonly pane: Pick<ReturnType<typeof usePane>, 'next' | 'unavailable'>;
};

function listTarget(options: Options): Omit<OfferListTarget, keyof SavedKeys> {
	const {list, router, say, presentChoice, setChoice, chooseColumns, copy, pane} = options;
	const {refetch, width} = options;
	const {table, isPaused} = list;
	const tell = (text: string) => say({text, isError: false});
	return {
		nextSet() {
			const next = nextSet(presentChoice());
			setChoice(next);
			tell(`Columns: ${next.set}. W chooses them one by one.`);
		},
		chooseColumns,
		copy: table.act(({id}) => copy(String(id))),
		nextPane: pane.next,
		paneUnavailable: pane.unavailable,
		pause() {
			isPaused.set(!isPaused.get());
			tell(isPaused.get() ? 'Refreshing is paused; R refreshes, p resumes.' : 'Refreshing again.');
		},
		prices: () => router.go({name: 'prices'}),
		open: table.act(({id}) => router.go({name: 'offer', id})),
		rent: table.act(({id}) => router.go({name: 'rent', offerId: id})),
		rentUnavailable: () =>
			table.current() === undefined ? 'there is no offer to rent' : undefined,
		/** Applies held changes of rows, and asks again. */
		async refresh() {
			const lost = table.apply();
			table.settle();
			if (lost > 0) tell(`Of the marked offers ${count(lost)} are gone, and are marked no more.`);
			await askAgain(refetch, {noun: 'offers', width, say});
		},
		compare: () => router.go({name: 'compare', ids: toCompare(list)}),
		compareUnavailable: () =>
			toCompare(list).length < 2 ? 'mark the offers to compare with Space' : undefined,
	};
}

/** The marked offers; a single marked one with the one under the cursor. */
function toCompare({table}: OfferList): readonly number[] {
	const marked = table.selected();
	const current = table.current();
	const offers = marked.length === 1 && current !== undefined ? [...marked, current] : marked;
	return [...new Set(offers.map(({id}) => id))];
}
