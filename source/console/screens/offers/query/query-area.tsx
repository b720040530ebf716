import {useQuery} from '@tanstack/react-query';
import {Text, Box} from 'ink';
import {useEffect, type ReactNode, useState} from 'react';
import {PER_GPU} from '../../../../renter/words/tests.ts';
import type {OfferWord, SearchField} from '../../../../renter/offers/words/fields.ts';
import {countryOf} from '../../../../contract/grammar/filter-match.ts';
import {printable} from '../../../../renter/text/text-width.ts';
import type {Samples} from '../../../../renter/words/complete.ts';
import type {Filter} from '../../../../contract/grammar/filter.ts';
import {printOfferSearch, type OfferSearch} from '../../../../contract/nouns/offer-search.ts';
import type {Offer} from '../../../../contract/nouns/offers.ts';
import {KeyScope} from '../../../ui/key-scope.tsx';
import {gpuNamesQuery, cachedOffers} from '../../../queries/offers.ts';
import type {StackEntry} from '../../../services/router.ts';
import {useOfferServices, useServices, useTerminal} from '../../../services/services.tsx';
import type {Key} from '../../../terminal/input/keys.ts';
import {tableAt} from '../search.ts';
import {
	queryAt,
	type QueryState,
	chooseFacet,
	openEdit,
	pasteText,
	typeKey,
	type OfferQueryEdit,
	askedLine,
	meaningLine,
} from './query.ts';
import {
	chipsBindings,
	appliedFilterBindings,
	offerFilterBindings,
	queryBindings,
	type OfferFilterTarget,
	requestBindings,
} from './bindings.ts';
import {facetLines} from './facets.ts';
import {queryTarget} from './query-target.ts';
import {fieldLine} from '../../../list/query-edit.ts';
import {useStore} from '../../../ui/painted.tsx';
import {spread} from '../../../ui/chrome.ts';
import {ruleLine} from '../../../ui/rules.ts';
import {wrapText} from '../../../../renter/text/wrap.ts';

type Props = {
	readonly stackEntry: StackEntry;
	readonly width: number;
	/** Status below the words while they are not being edited. */
	readonly status: string;
	/** Conditions that are tested here and not by the service. */
	readonly here: Filter<SearchField>;
};

/** The two lines that show and edit the query, and the facets while they are open. */
export function QueryArea({stackEntry, width, status, here}: Props) {
	const {theme} = useServices();
	const {queries} = useOfferServices();
	const state = queryAt(stackEntry);
	const asked = useStore(state.asked);
	const edit = useStore(state.edit);
	const gpus = useStore(state.gpus);
	useGpuNames(state, edit !== undefined);
	useEffect(() => queries.add(asked.words), [queries, asked]);
	const look = {theme, width, gpus, here};
	const target: OfferFilterTarget = {
		open: () => state.edit.set(openEdit(state.asked.get().words, gpus)),
		showRequest: () => state.isRequestShown.set(true),
		clear: () => void state.ask(''),
	};
	const bindings = asked.words === '' ? offerFilterBindings : appliedFilterBindings;
	return (
		<KeyScope title="Filter" bindings={edit === undefined ? bindings : noBindings} target={target}>
			<QueryKeys {...{stackEntry, state, edit}}>
				<Text wrap="truncate">
					{edit === undefined
						? askedLine(asked, look)
						: fieldLine(edit, look, edit.chip === undefined)}
				</Text>
				<Text wrap="truncate">{edit === undefined ? status : meaningLine(edit, look)}</Text>
				{edit !== undefined && edit.facets.length > 0 && (
					<Text wrap="truncate">{facetLines(edit.facets, edit.parsed, look).join('\n')}</Text>
				)}
			</QueryKeys>
		</KeyScope>
	);
}

const noBindings: readonly never[] = [];

/** Short names are compared with the GPUs that the service has. */
function useGpuNames({gpus}: QueryState, isWanted: boolean): void {
	const {client} = useServices();
	const {data} = useQuery({...gpuNamesQuery(client), enabled: isWanted});
	useEffect(() => {
		if (data !== undefined) gpus.set(data.names);
	}, [gpus, data]);
}

type KeysProps = {
	readonly stackEntry: StackEntry;
	readonly state: QueryState;
	readonly edit: OfferQueryEdit | undefined;
	readonly children: ReactNode;
};

/**
 * Keys of the open line. The store decides, not the drawn frame: on a slow link the words come together
 * with the key that opens the line.
 */
function QueryKeys({stackEntry, state, edit, children}: KeysProps) {
	const {live} = useServices();
	const {queries} = useOfferServices();
	/** Values seen from the service: its GPUs, and the offers of earlier replies. */
	const samples: Samples<SearchField> = {
		gpus: state.gpus.get(),
		valuesOf: field => knownValues(cachedOffers(live), field),
	};
	const offers = () => tableAt(stackEntry).state.get().shown;
	const target = queryTarget({state, samples, history: queries.lines, offers});
	const isOnChips = edit?.chip !== undefined;
	const bindings = isOnChips ? chipsBindings : queryBindings;

	/** Gives a key to the open line; false if it is closed or has no use for it. */
	function takeKey(key: Key): boolean {
		const now = state.edit.get();
		if (now === undefined) return false;
		const known = now.chip === undefined ? queryBindings : chipsBindings;
		const binding = known.find(({keys}) => keys.includes(key));
		if (binding !== undefined) {
			void binding.run(target);
			return true;
		}
		const takes = now.chip === undefined ? typeKey : chooseFacet;
		const typed = takes(now, key, state.gpus.get());
		if (typed !== undefined) state.edit.set(typed);
		return typed !== undefined || now.chip !== undefined;
	}
	return (
		<KeyScope
			isModal={isOnChips}
			title={isOnChips ? 'Words' : 'Query line'}
			bindings={edit === undefined ? noBindings : bindings}
			target={target}
			onText={takeKey}
			onPaste={text => {
				const now = state.edit.get();
				if (now !== undefined) state.edit.set(pasteText(now, text, state.gpus.get()));
				return now !== undefined;
			}}
		>
			{children}
		</KeyScope>
	);
}

/** Most candidates for Tab. */
const MOST_VALUES = 40;

function knownValues(offers: Iterable<Offer>, field: OfferWord): readonly string[] {
	const values = new Set<string>();
	for (const offer of offers) {
		const value = field.field === PER_GPU ? undefined : writtenValue(offer[field.field], field);
		if (value !== undefined) values.add(value);
	}
	const sorted = field.type === 'number' ? byNumber(values) : [...values].toSorted();
	return sorted.slice(0, MOST_VALUES);
}

function byNumber(values: ReadonlySet<string>): readonly string[] {
	return [...values].toSorted((a, b) => Number(a) - Number(b));
}

function writtenValue(value: unknown, {type, unit}: OfferWord): string | undefined {
	if (typeof value === 'number') {
		if (unit === 'memory') return String(Math.round(value / 1024));
		return unit === 'none' ? String(value) : undefined;
	}
	if (typeof value !== 'string' || value === '') return undefined;
	return type === 'place' ? countryOf(value)?.toUpperCase() : printable(value);
}

type RequestProps = {
	readonly stackEntry: StackEntry;
	readonly search: OfferSearch;
	readonly width: number;
	readonly height: number;
};

/** Title and rule. */
const LINES_ABOVE = 2;

export function RequestView({stackEntry, search, width, height}: RequestProps) {
	const {theme} = useServices();
	const {copy} = useTerminal();
	const [page, setPage] = useState(0);
	const body = printOfferSearch(search);
	const lines = requestLines(body, width);
	const room = height - LINES_ABOVE;
	const pages = Math.max(1, Math.ceil(lines.length / room));
	const shown = Math.min(page, pages - 1);
	const target = {
		close: () => queryAt(stackEntry).isRequestShown.set(false),
		copy: () => copy(JSON.stringify(body)),
		page: (step: 1 | -1) => setPage(Math.max(0, Math.min(shown + step, pages - 1))),
	};
	return (
		<KeyScope isModal title="Request" bindings={requestBindings} target={target}>
			<Box flexDirection="column" width={width} height={height} flexShrink={0}>
				<Text wrap="truncate">
					{spread(width, 'REQUEST  POST /api/v0/bundles/', `page ${shown + 1}/${pages}`)}
				</Text>
				<Text wrap="truncate">{ruleLine(theme, width)}</Text>
				<Text wrap="truncate">{lines.slice(shown * room, (shown + 1) * room).join('\n')}</Text>
			</Box>
		</KeyScope>
	);
}

/** JSON with a line for each key; longer ones are wrapped. */
function requestLines(body: Readonly<Record<string, unknown>>, width: number): readonly string[] {
	const entries = Object.entries(body).map(([key, value], index, {length}) => {
		const comma = index < length - 1 ? ',' : '';
		return ` ${JSON.stringify(key)}: ${written(value)}${comma}`;
	});
	return ['{', ...entries, '}'].flatMap(text => wrapText(printable(text), width));
}

/** JSON with blanks behind the commas of a list, where its lines can be broken. */
function written(value: unknown): string {
	if (!Array.isArray(value)) return JSON.stringify(value);
	return `[${value.map(item => JSON.stringify(item)).join(', ')}]`;
}
