import {useQuery} from '@tanstack/react-query';
import {Box, Text} from 'ink';
import {useState} from 'react';
import {costFields} from '../../../../contract/nouns/offer-cost.ts';
import {lineWithout, searchPartsOf} from '../../../../renter/offers/words/parse.ts';
import {
	findWhyZero,
	type WhyZero,
	type ResultWithoutConditions,
} from '../../../../renter/offers/words/why-zero.ts';
import type {WordSearch} from '../../../../renter/offers/words/fields.ts';
import type {Offer} from '../../../../contract/nouns/offers.ts';
import {Notice} from '../../../ui/notice.tsx';
import {sentence, count, money} from '../../../../renter/text/format.ts';
import {KeyScope} from '../../../ui/key-scope.tsx';
import type {StackEntry} from '../../../services/router.ts';
import {useServices, useSettings} from '../../../services/services.tsx';
import {priced, searchOffers} from '../../../../renter/offers/local-filter.ts';
import type {Size} from '../../../terminal/terminal.ts';
import {queryAt} from './query.ts';
import {jobOf} from '../../../../renter/offers/job.ts';
import {whyZeroBindings} from './bindings.ts';
import {spread} from '../../../ui/chrome.ts';
import {fit, printable, widthOf} from '../../../../renter/text/text-width.ts';
import type {Theme} from '../../../ui/theme.ts';

/** Most rows, each with its digit. */
const MOST_ROWS = 5;
/** Least width for whole sentences. */
const ROOMY = 72;

/** Rows of words to leave out: single ones, those that help first, or pairs where none does. */
function rowsOf({singles, pairs}: WhyZero): readonly ResultWithoutConditions[] {
	const helping = singles.filter(finding => finding.count > 0);
	if (helping.length === 0 && pairs.length > 0) return pairs.slice(0, MOST_ROWS);
	return [...helping, ...singles.filter(finding => finding.count === 0)].slice(0, MOST_ROWS);
}

type Explanation = {
	readonly theme: Theme;
	readonly width: number;
	readonly conditions: number;
	readonly chosen: number;
	/** The wanted disk, and the count of offers for a smaller one, where known. */
	readonly diskGb?: number | undefined;
	readonly smallerDisk?: number | undefined;
};

function whyZeroLines(
	why: WhyZero,
	{theme, width, conditions, chosen, diskGb, smallerDisk}: Explanation,
): readonly string[] {
	const rows = rowsOf(why);
	const helps = rows.some(finding => finding.count > 0);
	const isPair = rows.some(({without}) => without.length > 1);
	const labels = rows.map(labelOf);
	const room = Math.min(Math.floor(width / 2), Math.max(12, ...labels.map(widthOf)));
	const calls = `${why.calls} ${why.calls === 1 ? 'call' : 'calls'}`;
	const asked = width < ROOMY ? `(${calls})` : `(checked just now, ${calls})  `;
	return [
		'',
		theme.style('heading', fit(` No offer matches ${allOf(conditions)}.`, width)),
		'',
		spread(width, ` ${introduction(isPair, helps)}`, asked),
		'',
		...rows.map((finding, index) => {
			const line = rowLine(finding, index, room, theme.glyphs.cursor, index === chosen);
			return index === chosen ? theme.style('strong', fit(line, width)) : fit(line, width);
		}),
		'',
		...diskLines(diskGb, smallerDisk),
		...restLines(why, rows).map(line => fit(` ${line}`, width)),
	];
}

function allOf(conditions: number): string {
	if (conditions === 1) return 'this condition';
	return conditions === 2 ? 'both conditions' : `all ${conditions} conditions`;
}

function introduction(isPair: boolean, helps: boolean): string {
	if (isPair) return 'No single word helps. Leave two out:';
	return helps ? 'Leave one out and you get:' : 'Leaving one or two out does not help:';
}

function labelOf({without}: ResultWithoutConditions): string {
	return printable(without.map(({label}) => label).join(' + '));
}

function rowLine(
	finding: ResultWithoutConditions,
	index: number,
	room: number,
	cursor: string,
	isChosen: boolean,
): string {
	const mark = isChosen ? cursor : ' ';
	const amount = `${count(finding.count)}${finding.isLeast && finding.count > 0 ? '+' : ''}`;
	const start = ` ${mark} ${index + 1}  ${fit(labelOf(finding), room)}  -> ${fit(amount, 6, 'right')}`;
	if (finding.count === 0) return start;
	const word = finding.count === 1 && !finding.isLeast ? 'offer ' : 'offers';
	return `${start} ${word}${bestOf(finding)}`;
}

/** The cheapest of them, with its disk. */
function bestOf({best}: ResultWithoutConditions): string {
	if (best?.dph_total === undefined || best.dph_total === null) return '';
	const gpus = typeof best.num_gpus === 'number' ? ` (${best.num_gpus}x)` : '';
	return `   best ${money(best.dph_total)}/h with disk${gpus}`;
}

function diskLines(diskGb: number | undefined, smallerDisk = 0): readonly string[] {
	if (diskGb === undefined || smallerDisk === 0) return [];
	const offers = smallerDisk === 1 ? '1 offer' : `${count(smallerDisk)} offers`;
	return [` For a smaller disk than ${diskGb}G there is: ${offers} (diskGb in the settings).`];
}

function restLines(
	{singles, untried}: WhyZero,
	rows: readonly ResultWithoutConditions[],
): readonly string[] {
	const shown = new Set(rows.flatMap(({without}) => without));
	const rest = singles.filter(({without}) => without.every(part => !shown.has(part))).map(labelOf);
	const isAbout = rest.length > 0 && rows.every(({without}) => without.length === 1);
	return [
		...(isAbout ? [`Leaving out ${rest.join(' or ')} alone gives 0.`] : []),
		...(untried.length > 0
			? [
					`Not tried, to spare the service: ${untried.map(({label}) => printable(label)).join(' ')}.`,
				]
			: []),
		'Nothing was filtered silently: every word is in the line above.',
		'',
		'm  tell me when one appears, while rentty runs',
		'b  keep this search for later',
	];
}

type Props = {
	readonly stackEntry: StackEntry;
	readonly search: WordSearch;
	readonly size: Size;
};

/** Panel in place of the rows where a search found none. */
export function WhyZeroPanel({stackEntry, search, size}: Props) {
	const parts = searchPartsOf(queryAt(stackEntry).asked.get().parsed);
	const {data, error} = useWhyZero(stackEntry, search);
	const frame = {width: size.columns, height: size.rows};
	if (parts.length === 0) {
		const disk = search.diskGb === undefined ? '' : ` with ${search.diskGb} GB of disk`;
		return (
			<Notice
				title={`The service has no offer${disk} at present.`}
				lines={['R searches again.']}
				{...frame}
			/>
		);
	}
	if (error !== null) {
		const lines = [`Which word keeps them away could not be found out: ${sentence(error.message)}`];
		return <Notice title="No offer matches at present." lines={lines} {...frame} />;
	}
	if (data === undefined) {
		const lines = ['Looking for the word that keeps them away.'];
		return <Notice title="No offer matches at present." lines={lines} {...frame} />;
	}
	const about = {...data, diskGb: search.diskGb, conditions: parts.length};
	return <Explained stackEntry={stackEntry} about={about} size={size} />;
}

function useWhyZero(stackEntry: StackEntry, search: WordSearch) {
	const {client} = useServices();
	const job = jobOf(useSettings());
	const {words, parsed} = queryAt(stackEntry).asked.get();
	const parts = searchPartsOf(parsed);
	return useQuery({
		// The words are a part of the key, as findings name positions in the line.
		queryKey: ['why zero', words, {...search, columns: undefined, order: undefined}, job],
		enabled: parts.length > 0,
		queryFn: async ({signal}) => {
			const service = await client();
			const ask = async (wanted: WordSearch) => {
				const columns = [...(wanted.columns ?? []), ...costFields];
				const {offers} = await searchOffers(service, {...wanted, columns}, {job, signal});
				return offers.map(offer => priced(offer, job));
			};
			const why = await findWhyZero({search, parts, ask});
			return {why, smallerDisk: await countWithSmallerDisk(why, search, ask)};
		},
	});
}

/**
 * Count of offers for a smaller disk. The disk is a condition too, though no word; it is requested
 * only where no word is to blame.
 */
async function countWithSmallerDisk(
	why: WhyZero,
	search: WordSearch,
	ask: (search: WordSearch) => Promise<readonly Offer[]>,
): Promise<number | undefined> {
	const isWordToBlame = [...why.singles, ...why.pairs].some(word => word.count > 0);
	if (isWordToBlame || search.diskGb === undefined) return undefined;
	return (await ask({...search, diskGb: undefined, columns: ['id']})).length;
}

type ExplainedProps = Pick<Props, 'stackEntry' | 'size'> & {
	readonly about: Omit<Explanation, 'theme' | 'width' | 'chosen'> & {readonly why: WhyZero};
};

function Explained({stackEntry, about, size: {columns, rows}}: ExplainedProps) {
	const {theme} = useServices();
	const {asked, ask} = queryAt(stackEntry);
	const [chosen, setChosen] = useState(0);
	const findings = rowsOf(about.why);
	const leaveOut = (row: number) => {
		const finding = findings[row];
		if (finding !== undefined) ask(lineWithout(asked.get().words, finding.without));
	};
	const target = {
		leaveOut,
		choose: () => leaveOut(chosen),
		move: (step: 1 | -1) => setChosen(Math.max(0, Math.min(chosen + step, findings.length - 1))),
		noRow: (row: number) =>
			row < findings.length ? undefined : `there is no ${row + 1} in the list`,
	};
	const lines = whyZeroLines(about.why, {...about, theme, width: columns, chosen});
	return (
		<KeyScope title="No results" bindings={whyZeroBindings} target={target}>
			<Box flexDirection="column" width={columns} height={rows} flexShrink={0} overflow="hidden">
				<Text wrap="truncate">{lines.join('\n')}</Text>
			</Box>
		</KeyScope>
	);
}
