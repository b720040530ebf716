import {readNumber} from '../../contract/grammar/filter.ts';
import type {Contract} from '../../contract/index.ts';
import {email as emailSchema} from '../../contract/nouns/operator.ts';
import {detailNames, isNumeric} from '../../contract/nouns/people.ts';
import {transferCredit} from './payments.ts';
import {openAccount, openInvited} from './people.ts';
import {registerKey, readPublicKey} from '../ssh-keys/instance-ssh.ts';
import {refuseOpening} from '../api-keys/grants.ts';
import {Refusal} from '../base/refusal.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import type {Database} from '../database/database.ts';
import type {ApiKey} from '../base/api-key.ts';
import {
	findByEmail,
	findSubaccounts,
	listSubaccounts,
	updateAccount,
	isMember,
} from './people-store.ts';
import {findAccount, type AccountDetails, knownAccount} from '../ledger/accounts-store.ts';
import {writing} from '../database/writing.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['account'];

export const create: Handler<Calls['create']> = async (
	{body},
	{database, clock, caller, signUp},
) => {
	const {email, username, password} = body;
	if (!emailSchema.safeParse(email).success) {
		throw new Refusal('invalidEmail', 'email must be an email address.');
	}
	if (!isSaid(email) || !isSaid(username) || !isSaid(password)) {
		throw new Refusal('missingAuth', 'email, username and password are needed.');
	}
	const now = clock.now();
	const sshKey = isSaid(body.ssh_key) ? readPublicKey(body.ssh_key) : undefined;
	const kind = body.host_only === true ? ('provider' as const) : ('both' as const);
	const opening = {kind, email, username, password, sshKey, now};
	const invitation = body.invitation ?? body.captcha ?? '';
	const opened =
		(body.parent_id ?? null) === null
			? await signUpAs(database, opening, signUp, invitation)
			: await openAccount(database, {
					...opening,
					...(await parentOf(database, caller, body.parent_id)),
					...(body.host_only === true && {kind}),
				});
	const {id, keyId, key} = opened;
	return {id, username, email: email.toLowerCase(), key_id: keyId, api_key: key};
};

function isSaid(text: string | null | undefined): text is string {
	return text !== undefined && text !== null && text !== '';
}

/** Opens an account as the market's setting allows. An invitation also counts in an open market. */
async function signUpAs(
	database: Database,
	opening: Parameters<typeof openAccount>[1],
	signUp: 'closed' | 'invited' | 'open',
	invitation: string,
) {
	if (signUp === 'closed') {
		throw new Refusal('lacksPermission', 'This market opens accounts by its operator alone.');
	}
	if (invitation !== '') return openInvited(database, opening, invitation);
	if (signUp === 'open') return openAccount(database, opening);
	throw new Refusal('lacksPermission', 'This market opens accounts by invitation: it is missing.');
}

/** Parent of a new subaccount, which cannot have subaccounts itself. */
async function parentOf(database: Database, caller: ApiKey | undefined, named: unknown) {
	if (caller === undefined) throw new Refusal('loginRequired', 'This action requires login.');
	refuseOpening(caller);
	const {accountId} = caller;
	if (named !== 'me' && named !== accountId) {
		throw new Refusal('badRequest', 'parent_id must be me.');
	}
	const parent = await knownAccount(database, accountId);
	if (parent.parent_id !== null || parent.owner_id !== null) {
		throw new Refusal('badRequest', 'A subaccount or a team has no subaccounts.');
	}
	return {parentId: accountId, kind: parent.kind};
}

const LONGEST = 255;
const named = ['email', 'username', 'fullname'] as const;

export const change: Handler<Calls['change']> = async ({body}, {database, clock, caller}) => {
	const {accountId} = caller;
	const {ssh_key: sshKey, ...fields} = body;
	const values = new Map(
		Object.entries(fields).map(([name, value]) => [name, fieldOf(name, value)]),
	);
	if (values.size === 0 && sshKey === undefined) {
		throw new Refusal('missingInput', 'There is nothing to change.');
	}
	const key =
		sshKey === undefined ? undefined : readPublicKey(typeof sshKey === 'string' ? sshKey : '');
	const email = values.get('email')?.toLowerCase();
	if (email !== undefined && !emailSchema.safeParse(email).success) {
		throw new Refusal('invalidEmail', 'email must be an email address.');
	}
	await writing(database, async transaction => {
		const account = await knownAccount(transaction, accountId);
		if (account.owner_id !== null && values.has('username')) {
			throw new Refusal('unknownField', 'The name of a team stays.');
		}
		await updateAccount(transaction, accountId, columnsOf(values, account, email));
		if (key !== undefined) await registerKey(transaction, {accountId, key, now: clock.now()});
	});
	return {success: true, msg: 'The account was changed.'};
};

/** @throws Refusal for an unknown field or an invalid value */
function fieldOf(name: string, value: unknown): string {
	if (![...named, ...detailNames].some(known => known === name)) {
		throw new Refusal('unknownField', `${name.slice(0, 64)} is nothing that can be changed.`);
	}
	const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
	const text = isPlain ? String(value) : '';
	if (text === '') throw new Refusal('emptyInput', `${name} is empty.`);
	if (text.length > LONGEST) {
		throw new Refusal('inputTooLong', `${name} has more than ${LONGEST} characters.`);
	}
	if (isNumeric(name) && !(readNumber(text) !== undefined && Number(text) >= 0)) {
		throw new Refusal('invalidCharacters', `${name} must be a number of at least 0.`);
	}
	if (/\p{Cc}/u.test(text) || !text.isWellFormed()) {
		throw new Refusal('invalidCharacters', `${name} has characters that are none of a text.`);
	}
	return text;
}

function columnsOf(
	values: ReadonlyMap<string, string>,
	{details, email: before}: AccountDetails,
	email: string | undefined,
) {
	const [username, fullname] = [values.get('username'), values.get('fullname')];
	const known = detailNames.flatMap(name => {
		const value = values.get(name);
		return value === undefined ? [] : [[name, value] as const];
	});
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else writes it
	const detailsBefore = JSON.parse(details ?? '{}') as Record<string, string>;
	return {
		...(email !== undefined && email !== before && {email, email_proven: 0}),
		...(username !== undefined && {username}),
		...(fullname !== undefined && {fullname}),
		...(known.length > 0 && {
			details: JSON.stringify({...detailsBefore, ...Object.fromEntries(known)}),
		}),
	};
}

export const subaccounts: Handler<Calls['subaccounts']> = async (_, {database, caller}) => {
	const rows = await listSubaccounts(database, caller.accountId);
	return {
		users: rows.map(({credit_micros, created_at, closed_at, ...row}) => ({
			...row,
			credit: credit_micros / MICROS_PER_DOLLAR,
			balance: credit_micros / MICROS_PER_DOLLAR,
			created_at: isoOf(created_at),
			deleted_at: closed_at === null ? null : isoOf(closed_at),
		})),
	};
};

function isoOf(seconds: number): string {
	return new Date(seconds * 1000).toISOString();
}

const LEAST_MICROS = 10_000;

export const transfer: Handler<Calls['transfer']> = async ({body}, {database, clock, caller}) => {
	const dollars = Number(body.amount);
	const micros = Math.round(dollars * MICROS_PER_DOLLAR);
	if (!Number.isSafeInteger(micros) || micros < LEAST_MICROS) {
		throw new Refusal('badArguments', 'amount must be at least 0.01 dollars.');
	}
	const giver = await knownAccount(database, caller.accountId);
	const taker = await recipientOf(database, giver.id, body.recipient);
	if (taker === undefined || taker.kind === 'operator' || taker.id === giver.id) {
		throw new Refusal('invalidRecipient', 'There is no such other account.');
	}
	await refuseBetween(database, caller, {giver, taker});
	// The giver must not learn more about the recipient than the name it used.
	const name = isNumber(body.recipient) ? `account ${taker.id}` : nameOf(taker);
	const [from, to] = [
		{id: giver.id, name: nameOf(giver)},
		{id: taker.id, name},
	] as const;
	await transferCredit(database, {from, to, micros, now: clock.now()});
	return {success: true, msg: `Transferred $${dollars} to ${name}.`};
};

async function recipientOf(
	database: Database,
	giverId: number,
	recipient: string | number,
): Promise<AccountDetails | undefined> {
	if (isNumber(recipient)) return findAccount(database, Number(recipient));
	const email = recipient.trim();
	const found = await findByEmail(database, email);
	if (found?.email_proven === 1) return found;
	// The giver knows its own subaccounts, whose emails nobody proves.
	const [own, ...others] = await findSubaccounts(database, giverId, email);
	if (others.length === 0) return own;
	throw new Refusal('invalidRecipient', 'Several of your subaccounts have it: name one by its id.');
}

function isNumber(recipient: string | number): recipient is number | `${number}` {
	return typeof recipient === 'number' || /^\d{1,15}$/.test(recipient.trim());
}

/** Refuses transfers to a team by others than members, and from it by others than its owner. */
async function refuseBetween(
	database: Database,
	caller: ApiKey,
	{giver, taker}: {readonly giver: AccountDetails; readonly taker: AccountDetails},
): Promise<void> {
	if (giver.owner_id !== null && caller.memberId !== giver.owner_id) {
		throw new Refusal('ownerOnly', 'The owner of a team alone gives its credit away.');
	}
	if (taker.owner_id === null) return;
	if (await isMember(database, {teamId: taker.id, accountId: giver.id})) return;
	throw new Refusal('invalidRecipient', 'Credit of a team comes from its members alone.');
}

function nameOf({id, email, email_proven}: AccountDetails): string {
	return email_proven === 1 && email !== null ? email : `account ${id}`;
}
