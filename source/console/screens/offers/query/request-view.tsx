import {Box, Text} from 'ink';
import {useState} from 'react';
import {printOfferSearch, type OfferSearch} from '../../../../contract/nouns/offer-search.ts';
import {ruleLine, spread} from '../../../ui/chrome.ts';
import {wrapText} from '../../../ui/wrap.ts';
import {KeyScope} from '../../../ui/key-scope.tsx';
import type {Place} from '../../../services/router.ts';
import {useServices, useTerminal} from '../../../services/services.tsx';
import {queryAt} from '../query-state.ts';
import {requestBindings} from './bindings.ts';

type Props = {
	readonly place: Place;
	readonly search: OfferSearch;
	readonly width: number;
	readonly height: number;
};

/** Title and rule. */
const LINES_ABOVE = 2;

/** The request with which the list was asked for, exactly as it was sent. */
export function RequestView({place, search, width, height}: Props) {
	const {theme} = useServices();
	const {copy} = useTerminal();
	const [page, setPage] = useState(0);
	const body = printOfferSearch(search);
	const lines = requestLines(body, width);
	const room = height - LINES_ABOVE;
	const pages = Math.max(1, Math.ceil(lines.length / room));
	const shown = Math.min(page, pages - 1);
	const target = {
		close: () => queryAt(place).isRequestShown.set(false),
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

/** JSON with a line for each key; what is too long for a line goes on in the next. */
export function requestLines(
	body: Readonly<Record<string, unknown>>,
	width: number,
): readonly string[] {
	const entries = Object.entries(body).map(([key, value], index, {length}) => {
		const comma = index < length - 1 ? ',' : '';
		return ` ${JSON.stringify(key)}: ${written(value)}${comma}`;
	});
	return ['{', ...entries, '}'].flatMap(text => wrapText(text, width));
}

/** JSON with blanks behind the commas of a list, where its lines can be broken. */
function written(value: unknown): string {
	if (!Array.isArray(value)) return JSON.stringify(value);
	return `[${value.map(item => JSON.stringify(item)).join(', ')}]`;
}
