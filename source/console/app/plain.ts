/** Offers as plain text, for pipes and for terminals that cannot show the console. */
import type {Client} from '../../client/client.ts';
import {MOST_NAMED_AT_ONCE, unreadableSentence} from '../../renter/text/unreadable.ts';
import {type Column, chosenColumns, usualChoice} from '../list/columns.ts';
import {offerColumns} from '../screens/offers/columns.ts';
import {searchOffers} from '../../renter/offers/local-filter.ts';
import {jobOf} from '../../renter/offers/job.ts';
import {defaultSearch} from '../screens/offers/search.ts';
import type {Settings} from '../../renter/settings/default-settings.ts';
import {widthOf} from '../../renter/text/text-width.ts';

export type PlainList = {
	readonly table: string;
	/** Note about offers that could not be read. */
	readonly note: string | undefined;
};

/** A table of every offer of the usual search: titles, then a line each, no escape codes. */
export async function listOffers(client: Client, settings: Settings): Promise<PlainList> {
	const job = jobOf(settings);
	const {offers, unreadable} = await searchOffers(client, defaultSearch(settings), {job});
	const chosen = settings.columns['offers'] ?? usualChoice;
	// Programs behind a pipe name offers by their numbers, and get no drawn lines.
	const choice = {
		...chosen,
		visible: {...chosen.visible, id: true, against: false},
		order: ['id', ...chosen.order],
	};
	return {
		table: writeTable(chosenColumns(offerColumns(job), choice), offers),
		note: unreadableSentence(unreadable, {noun: 'offers', most: MOST_NAMED_AT_ONCE}),
	};
}

/** Rows as text, each column as wide as its widest cell. */
function writeTable<Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[]): string {
	const table = columns.map(({title, align, cell}) => {
		const cells = [title, ...rows.map(row => cell(row, Infinity))];
		const width = Math.max(...cells.map(widthOf));
		return cells.map(text => {
			const space = ' '.repeat(width - widthOf(text));
			return align === 'left' ? text + space : space + text;
		});
	});
	const lines = Array.from({length: rows.length + 1}, (_, line) =>
		table
			.map(column => column[line] ?? '')
			.join('  ')
			.trimEnd(),
	);
	return `${lines.join('\n')}\n`;
}
