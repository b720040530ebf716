/** `rentty keys`: the SSH keys of instances, and the API keys of the account. */
import type {AccountChange, CallerAddress} from '../contract/nouns/account.ts';
import {isoDay} from '../renter/text/format.ts';
import {
	type Context,
	type Command,
	readNumberOption,
	getConsent,
	yesOption,
} from './base/command.ts';
import type {Cap} from '../contract/grammar/caps.ts';
import {CommandError, exitCodes} from './base/failure.ts';
import {
	refuseMissing,
	refuseUnreadable,
	warnOfUnreadable,
	writeList,
	writeRows,
	type PrintedColumn,
} from './base/output.ts';
import {readNamedFile, UsageError} from '../renter/text/usage-error.ts';
import type {ApiKeyRecord} from '../contract/nouns/api-keys.ts';
import {parsePublicKey} from '../contract/rules/public-key.ts';
import {isRegistered} from '../renter/connect/keys.ts';
import type {SshKey} from '../contract/nouns/ssh-keys.ts';
import {forgetKeys} from './base/recent-facts.ts';

export const keys: Command = {
	name: 'keys',
	summary: 'list SSH keys, register and remove them',
	takes: '[list | add FILE | remove ID | new NAME | history | addresses]',
	names: 'files',
	about: [
		'Lists the SSH keys of the account, registers the public key of a file (- for standard input), or',
		'removes one by its number. A registered key enters what is rented afterwards. history lists what',
		'the API keys of the account changed, or were refused: which key, from where, and what was sent',
		'less its secrets. addresses lists where they called from.',
		'new makes an API key and writes its value, which is shown this once. With --cap the market lets it,',
		'and the keys that it makes, rent and spend no more: $1/hour, $5/day, $100 in all, 2 instances,',
		'4 GPUs, 12h leases, in SE NO, with commas between them.',
	],
	options: {
		api: {about: 'list the API keys instead, without their values'},
		cap: {value: 'LIMITS', about: "what a new API key may spend at most: '$5/day, 2 instances'"},
		limit: {value: 'NUMBER', about: 'how many changes history lists (default: 50)'},
		...yesOption,
	},
	run,
};

async function run(context: Context): Promise<number> {
	const [subcommand = 'list', what, ...others] = context.words;
	if (others.length > 0) throw new UsageError('rentty keys takes one key at a time.');
	switch (subcommand) {
		case 'list':
			return context.isGiven('api') ? listApiKeys(context) : listKeys(context);
		case 'add':
			return addKey(context, what);
		case 'remove':
			return removeKey(context, what);
		case 'new':
			return newApiKey(context, what);
		case 'history':
		case 'addresses':
			if (what !== undefined) throw new UsageError(`rentty keys ${subcommand} takes no words.`);
			return subcommand === 'history' ? listChanges(context) : listAddresses(context);
		default:
			throw new UsageError(
				`rentty keys takes list, add, remove, new, history or addresses, and not ${subcommand}.`,
			);
	}
}

async function listKeys({client: open, output, isJson, signal}: Context): Promise<number> {
	const {keys: found, unreadable} = await (await open()).sshKeys.list({signal});
	if (found.length === 0) refuseUnreadable(unreadable, 'SSH keys');
	const columns = found.every(isRegistered) ? keyColumns : [...keyColumns, deletedColumn];
	if (isJson) for (const key of found) output.json(recordOf(key));
	else if (found.length > 0) writeRows(output, columns, found);
	if (!isJson && !found.some(isRegistered)) {
		output.say(
			'rentty: No SSH key is registered: rentty keys add ~/.ssh/id_ed25519.pub registers one.',
		);
	}
	warnOfUnreadable(output, unreadable, 'SSH keys');
	return exitCodes.fine;
}

async function listApiKeys(context: Context): Promise<number> {
	const client = await context.client();
	const {keys: rows, unreadable} = await client.apiKeys.list({signal: context.signal});
	const {writeCap} = await caps();
	const capColumn: PrintedColumn<ApiKeyRecord> = {
		title: 'CAP',
		cell: ({cap}) => (cap == null ? undefined : writeCap(cap)),
	};
	const columns = [...apiKeyColumns, capColumn];
	return writeList(context, {
		rows,
		unreadable,
		noun: 'API keys',
		columns,
		record: ({id, name, cap}) => ({id, name: name ?? null, cap: cap ?? null}),
	});
}

/** Loaded on demand: a shell asks for commands at every Tab. */
const caps = async () => import('../contract/grammar/caps.ts');

async function newApiKey(context: Context, name: string | undefined): Promise<number> {
	if (name === undefined) throw new UsageError('rentty keys new needs a name for the key.');
	const {writeCap} = await caps();
	const cap = await readLimits(context.textOf('cap'));
	const {signal, output, isJson} = context;
	const {apiKeys} = await context.changer();
	const {id, key, cap: kept} = await apiKeys.create({name, cap}, {signal});
	if (cap !== undefined && (kept === undefined || writeCap(kept) !== writeCap(cap))) {
		await apiKeys.delete(id, {signal});
		throw new CommandError(
			exitCodes.failed,
			'This service keeps no caps: the key was made without one, and deleted at once.',
		);
	}
	if (isJson) output.json({id, name, key, cap: kept ?? null});
	else output.line(key);
	return exitCodes.fine;
}

/** @throws UsageError */
async function readLimits(text: string | undefined): Promise<Cap | undefined> {
	if (text === undefined) return undefined;
	const {CapError, readCap} = await caps();
	try {
		return readCap(text);
	} catch (error) {
		if (error instanceof CapError) throw new UsageError(`--cap: ${error.message}`);
		throw error;
	}
}

async function addKey(context: Context, file: string | undefined): Promise<number> {
	if (file === undefined) throw new UsageError('rentty keys add needs a file with a public key.');
	const {text} = parsePublicKey(readNamedFile(file, file === '-' ? 0 : file));
	const client = await context.changer();
	const key = await client.sshKeys.create(text, {signal: context.signal});
	if (context.isJson) context.output.json(recordOf(key));
	else context.output.line(String(key.id));
	return exitCodes.fine;
}

async function removeKey(context: Context, id: string | undefined): Promise<number> {
	if (id === undefined || !/^\d{1,15}$/.test(id)) {
		throw new UsageError('rentty keys remove needs the number of a key: rentty keys lists all.');
	}
	const {signal, output, isJson} = context;
	const client = await context.changer();
	const {keys: found, unreadable} = await client.sshKeys.list({signal});
	const key = found.filter(isRegistered).find(one => String(one.id) === id);
	if (key === undefined) {
		const where = {unreadable, noun: 'SSH keys', command: 'keys', state: 'Nothing was removed.'};
		return refuseMissing(`There is no SSH key ${id}`, where);
	}
	await getConsent(context, {lines: [`  ${shortKey(key)}`], question: 'Remove this key?'});
	await client.sshKeys.delete(key.id, {signal});
	forgetKeys(context);
	if (isJson) output.json({id: key.id, outcome: 'removed'});
	else output.line(`${id} removed`);
	return exitCodes.fine;
}

function recordOf(key: SshKey) {
	return {
		id: key.id,
		key: keyText(key) ?? null,
		created_at: key.created_at ?? null,
		// Only some services list keys that were deleted.
		...(!isRegistered(key) && {deleted_at: key.deleted_at}),
	};
}

function keyText({key, public_key: publicKey}: SshKey): string | undefined {
	return key ?? publicKey ?? undefined;
}

/** Type, end of the data and comment of a key. */
function shortKey(key: SshKey): string {
	const [type = '', blob = '', ...comment] = (keyText(key) ?? '').split(' ');
	return [type, `..${blob.slice(-12)}`, ...comment].join(' ').trim();
}

const keyColumns: ReadonlyArray<PrintedColumn<SshKey>> = [
	{title: 'ID', isNumber: true, cell: ({id}) => String(id)},
	{title: 'KEY', cell: shortKey},
	{title: 'SINCE', cell: ({created_at: at}) => at ?? undefined},
];

/** Text in place of a deleted key. */
const deletedColumn: PrintedColumn<SshKey> = {
	title: 'DELETED',
	cell(key) {
		const {deleted_at: at} = key;
		if (isRegistered(key)) return undefined;
		return typeof at === 'number' ? isoDay(at) : String(at);
	},
};

const apiKeyColumns: ReadonlyArray<PrintedColumn<ApiKeyRecord>> = [
	{title: 'ID', isNumber: true, cell: ({id}) => String(id)},
	{title: 'NAME', cell: ({name}) => name ?? undefined},
];

const USUAL_CHANGES = 50;

/** Changes that the account's API keys made, or were refused. */
async function listChanges(context: Context): Promise<number> {
	const {output, isJson, signal} = context;
	const limit = readNumberOption(context, 'limit', {least: 1, isWhole: true}) ?? USUAL_CHANGES;
	const client = await context.client();
	const found: AccountChange[] = [];
	for (let before: number | undefined; found.length < limit;) {
		const {changes, unreadable} = await client.account.changes({before}, {signal});
		if (changes.length === 0) refuseUnreadable(unreadable, 'changes');
		warnOfUnreadable(output, unreadable, 'changes');
		found.push(...changes);
		const last = changes.at(-1)?.id;
		// A service without pages sends the same records again.
		if (last === undefined || (before !== undefined && last >= before)) break;
		before = last;
	}
	const shown = found.slice(0, limit);
	if (isJson) for (const change of shown) output.json(changeRecord(change));
	else if (shown.length > 0) writeRows(output, changeColumns, shown);
	else output.say('rentty: No key of the account has changed anything yet.');
	if (found.length > limit) output.say('rentty: There are more of them: --limit lists them, too.');
	return exitCodes.fine;
}

/** Addresses from which the account's keys called. */
async function listAddresses(context: Context): Promise<number> {
	const client = await context.client();
	const {results: rows, unreadable} = await client.account.addresses({signal: context.signal});
	const listed = {noun: 'addresses', columns: addressColumns, record: addressRecord};
	return writeList(context, {rows, unreadable, ...listed});
}

function addressRecord({ip_address: address, first_seen: first, last_seen: last}: CallerAddress) {
	return {address: address ?? null, first_seen: first ?? null, last_seen: last ?? null};
}

function changeRecord({id, user_id, api_key_id, ip_address, created_at, ...rest}: AccountChange) {
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

const changeColumns: ReadonlyArray<PrintedColumn<AccountChange>> = [
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

const addressColumns: ReadonlyArray<PrintedColumn<CallerAddress>> = [
	{title: 'ADDRESS', cell: ({ip_address: address, ip}) => address ?? ip ?? undefined},
	{title: 'FIRST', cell: ({first_seen: at}) => at ?? undefined},
	{title: 'LAST', cell: ({last_seen: at}) => at ?? undefined},
];
