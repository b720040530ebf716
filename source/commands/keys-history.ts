/** `rentty keys history` and `rentty keys addresses`: what the API keys of the account did, and from where. */
import type {AccountChange, CallerAddress} from '../contract/nouns/account-history.ts';
import {isoDay} from '../renter/text/format.ts';
import type {Context} from './command.ts';
import {numberOf} from './command-line.ts';
import {exitCodes} from './failure.ts';
import {writeRows, type Column} from './output.ts';
import {refuseUnreadable, tellUnreadable} from './unreadable.ts';

const USUAL_CHANGES = 50;

export async function listChanges(context: Context): Promise<number> {
	const {output, isJson, signal} = context;
	const limit = numberOf(context, 'limit', {least: 1, isWhole: true}) ?? USUAL_CHANGES;
	const client = await context.client();
	const found: AccountChange[] = [];
	for (let before: number | undefined; found.length < limit;) {
		const {changes, unreadable} = await client.account.changes(before, {signal});
		if (changes.length === 0) refuseUnreadable(unreadable, 'changes');
		tellUnreadable(output, unreadable, 'changes');
		found.push(...changes);
		const last = changes.at(-1)?.id;
		// A service that pages in no way answers the same once more.
		if (last === undefined || (before !== undefined && last >= before)) break;
		before = last;
	}
	const shown = found.slice(0, limit);
	if (isJson) for (const change of shown) output.json(recordOf(change));
	else if (shown.length > 0) writeRows(output, changeColumns, shown);
	else output.say('rentty: No key of the account has changed anything yet.');
	if (found.length > limit) output.say('rentty: There are more of them: --limit lists them, too.');
	return exitCodes.fine;
}

export async function listAddresses({client: open, output, isJson, signal}: Context) {
	const {results, unreadable} = await (await open()).account.addresses({signal});
	if (results.length === 0) refuseUnreadable(unreadable, 'addresses');
	if (!isJson) writeRows(output, addressColumns, results);
	else {
		for (const {ip_address: address, first_seen: first, last_seen: last} of results) {
			output.json({address: address ?? null, first_seen: first ?? null, last_seen: last ?? null});
		}
	}
	tellUnreadable(output, unreadable, 'addresses');
	return exitCodes.fine;
}

function recordOf({id, user_id, api_key_id, ip_address, created_at, ...rest}: AccountChange) {
	return {
		id,
		at: created_at ?? null,
		key: api_key_id ?? null,
		user: user_id ?? null,
		address: ip_address ?? null,
		call: rest.api_route ?? null,
		sent: rest.args ?? null,
		status: rest.status ?? null,
	};
}

/** Day and minute in UTC. */
function minuteOf(seconds: number): string {
	return `${isoDay(seconds)} ${new Date(seconds * 1000).toISOString().slice(11, 16)}`;
}

const changeColumns: ReadonlyArray<Column<AccountChange>> = [
	{title: 'WHEN', cell: ({created_at: at}) => (at == null ? undefined : minuteOf(at))},
	{title: 'KEY', isNumber: true, cell: ({api_key_id: id}) => (id == null ? undefined : String(id))},
	{
		title: 'FROM',
		cell: ({ip_address: address}) => (address === '' ? 'a job' : (address ?? undefined)),
	},
	{
		title: 'STATUS',
		isNumber: true,
		cell: ({status}) => (status == null ? undefined : String(status)),
	},
	{title: 'CALL', cell: ({api_route: route}) => route?.replace('/api/v0/', '')},
	{title: 'SENT', cell: ({args}) => (args === '{}' ? '' : (args ?? undefined))},
];

const addressColumns: ReadonlyArray<Column<CallerAddress>> = [
	{title: 'ADDRESS', cell: ({ip_address: address, ip}) => address ?? ip ?? undefined},
	{title: 'FIRST', cell: ({first_seen: at}) => at ?? undefined},
	{title: 'LAST', cell: ({last_seen: at}) => at ?? undefined},
];
