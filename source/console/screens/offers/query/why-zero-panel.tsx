import {useQuery} from '@tanstack/react-query';
import {Box, Text} from 'ink';
import {useState} from 'react';
import {costFields} from '../../../../contract/offer-cost.ts';
import {lineWithout, partsOf} from '../../../../renter/offers/words/parts.ts';
import {findWhyZero, type WhyZero} from '../../../../renter/offers/words/why-zero.ts';
import type {OfferSearch} from '../../../../contract/offer-search.ts';
import type {Offer} from '../../../../contract/offers.ts';
import {Notice} from '../../../components/notice.tsx';
import {sentence} from '../../../../renter/format.ts';
import {KeyScope} from '../../../key-scope.tsx';
import type {Place} from '../../../router.ts';
import {useServices, useSettings} from '../../../services.tsx';
import {priced, searchOffers} from '../../../../renter/offers/local-filter.ts';
import type {Size} from '../../../terminal/terminal.ts';
import {askedAt} from '../asked.ts';
import {jobOf} from '../../../../renter/offers/job.ts';
import {whyZeroBindings} from './bindings.ts';
import {rowsOf, whyZeroLines, type Explanation} from './why-zero-lines.ts';

type Props = {
	readonly place: Place;
	/** The search that found nothing. */
	readonly search: OfferSearch;
	readonly size: Size;
};

/** Panel in place of the rows where a search found none. */
export function WhyZeroPanel({place, search, size}: Props) {
	const parts = partsOf(askedAt(place).asked.get().parsed);
	const {data, error} = useWhyZero(place, search);
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
	return <Explained place={place} about={about} size={size} />;
}

function useWhyZero(place: Place, search: OfferSearch) {
	const {client} = useServices();
	const job = jobOf(useSettings());
	const {words, parsed} = askedAt(place).asked.get();
	const parts = partsOf(parsed);
	return useQuery({
		// The words are a part of it: what was found out names places in the line.
		queryKey: ['why zero', words, {...search, columns: undefined, order: undefined}, job],
		enabled: parts.length > 0,
		queryFn: async ({signal}) => {
			const service = await client();
			const ask = async (wanted: OfferSearch) => {
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
	search: OfferSearch,
	ask: (search: OfferSearch) => Promise<readonly Offer[]>,
): Promise<number | undefined> {
	const isWordToBlame = [...why.singles, ...why.pairs].some(({count}) => count > 0);
	if (isWordToBlame || search.diskGb === undefined) return undefined;
	return (await ask({...search, diskGb: undefined, columns: ['id']})).length;
}

type ExplainedProps = Pick<Props, 'place' | 'size'> & {
	readonly about: Omit<Explanation, 'theme' | 'width' | 'chosen'> & {readonly why: WhyZero};
};

function Explained({place, about, size: {columns, rows}}: ExplainedProps) {
	const {theme} = useServices();
	const {asked, ask} = askedAt(place);
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
