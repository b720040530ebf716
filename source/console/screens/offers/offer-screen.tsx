import {useQuery} from '@tanstack/react-query';
import {Box, Text} from 'ink';
import type {Offer} from '../../../contract/offers.ts';
import {ruleLine, spread} from '../../chrome.ts';
import {Facts} from '../../components/facts.tsx';
import {Notice} from '../../components/notice.tsx';
import {sentence} from '../../format.ts';
import {KeyScope} from '../../key-scope.tsx';
import {offersQuery} from '../../live.ts';
import {useServices} from '../../services.tsx';
import type {Router} from '../../router.ts';
import {printable} from '../../terminal/output/text-width.ts';
import type {ScreenProps} from '../place.ts';
import {offerBindings} from './bindings.ts';
import type {OfferTarget} from './bindings.ts';
import {factsOf} from './facts.ts';
import {listBehind} from './list.ts';
import {searchForOffer} from './search.ts';

/** Title and two rules. */
const LINES_AROUND = 3;

type Props = Omit<ScreenProps, 'place'> & {readonly id: number};

/** One offer: what it costs, what it is, and what could go wrong. */
export function OfferScreen({router, size, id}: Props) {
	const {settings, theme} = useServices();
	const list = listBehind(router.stack.get());
	const {offer, isGone, error, refresh} = useOffer(id, list);
	const room = {width: size.columns, height: size.rows - LINES_AROUND};
	const title = `Offers > ${id}${offer === undefined ? '' : `  ${nameOf(offer)}`}`;
	const position = list?.position() ?? '';
	return (
		<KeyScope title="Offer" bindings={offerBindings} target={stepper(list, router, refresh)}>
			<Box flexDirection="column">
				<Text wrap="truncate">{spread(size.columns, title, isGone ? 'gone' : position)}</Text>
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
				{offer === undefined ? (
					<OfferNotice id={id} error={error} isGone={isGone} {...room} />
				) : (
					<Facts sections={factsOf(offer, settings.diskGb)} theme={theme} {...room} />
				)}
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
			</Box>
		</KeyScope>
	);
}

type List = ReturnType<typeof listBehind>;

/** Everything the service says of an offer, and until that is here, what the list knows of it. */
function useOffer(id: number, list: List) {
	const {client, settings} = useServices();
	const {data, error, refetch} = useQuery(offersQuery(client, searchForOffer(id, settings)));
	const listed = list?.current();
	return {
		offer: data?.[0] ?? (listed?.id === id ? listed : undefined),
		isGone: data?.length === 0,
		error,
		refresh: () => void refetch(),
	};
}

const movement = (by: 1 | -1) => (by === 1 ? 'down' : 'up');

/** Goes to the offers before and after this one in the list that it was come from. */
function stepper(list: List, router: Router, refresh: () => void): OfferTarget {
	return {
		canStep: by => list?.canMove(movement(by)) ?? false,
		step(by) {
			list?.move(movement(by));
			const next = list?.current();
			if (next !== undefined) router.replace({name: 'offer', id: next.id});
		},
		refresh,
	};
}

function nameOf({num_gpus: gpus, gpu_name: name}: Offer): string {
	return `${gpus ?? '?'}x ${printable(name ?? '')}`;
}

type NoticeProps = {
	readonly id: number;
	readonly error: Error | null;
	readonly isGone: boolean;
	readonly width: number;
	readonly height: number;
};

function OfferNotice({id, error, isGone, ...room}: NoticeProps) {
	if (error !== null) {
		return <Notice title={sentence(error.message)} lines={['R tries again.']} {...room} />;
	}
	if (!isGone) return <Notice title={`Asking for offer ${id}`} {...room} />;
	const lines = [
		'Someone else took it, or it was unlisted. Nothing was created, nothing is charged.',
	];
	return <Notice title={`Offer ${id} is gone.`} lines={lines} {...room} />;
}
