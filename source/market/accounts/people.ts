/** Opening accounts, by the operator, by invitation or by anybody, and closing them. */
import {randomBytes, scrypt} from 'node:crypto';
import {promisify} from 'node:util';
import type {PublicKey} from '../../contract/rules/public-key.ts';
import {Refusal} from '../base/refusal.ts';
import {registerKey} from '../ssh-keys/instance-ssh.ts';
import type {AccountKind} from '../base/api-key.ts';
import type {Database} from '../database/database.ts';
import {createKey, deleteKeysOfAccount} from '../api-keys/store.ts';
import {
	countLeft,
	findByEmail,
	insertAccount,
	updateAccount,
	useInvitation,
} from './people-store.ts';
import {writing} from '../database/writing.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {chargeAccount} from '../billing/charging.ts';
import {refuseDebts} from '../billing/debts.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {addCredit, readPayer, soleAccount, knownAccount} from '../ledger/accounts-store.ts';

export type AccountOpening = {
	readonly kind: AccountKind;
	readonly email?: string | undefined;
	/**
	 * True if the email is proven to be the new account's.
	 *
	 * @default false
	 */
	readonly isEmailProven?: boolean;
	readonly username?: string | undefined;
	readonly password?: string | undefined;
	readonly parentId?: number;
	readonly sshKey?: PublicKey | undefined;
	readonly now: number;
};

type Opened = {readonly id: number; readonly keyId: number; readonly key: string};

/**
 * Opens an account, with a key that is shown once.
 *
 * @throws Refusal if another account has proven this email, and the new one proves it, too
 */
export async function openAccount(database: Database, opening: AccountOpening): Promise<Opened> {
	const password = opening.password === undefined ? null : await hashPassword(opening.password);
	return writing(database, async transaction => insert(transaction, opening, password));
}

/**
 * Opens an account by an invitation, which is used up and may set the kind of account. An invitation
 * to an email proves that email.
 *
 * @throws Refusal for an unknown, expired or another person's invitation
 */
export async function openInvited(
	database: Database,
	opening: AccountOpening,
	token: string,
): Promise<Opened> {
	const password = opening.password === undefined ? null : await hashPassword(opening.password);
	return writing(database, async transaction => {
		const {email = null, now} = opening;
		const used = {token, toTeam: false, email: email?.toLowerCase() ?? null, accountId: null, now};
		const invitation = await useInvitation(transaction, used);
		if (invitation === undefined) {
			throw new Refusal('lacksPermission', 'This invitation is not valid, or not any more.');
		}
		const kind = invitation.kind ?? opening.kind;
		const isEmailProven = invitation.email !== null;
		return insert(transaction, {...opening, kind, isEmailProven}, password);
	});
}

async function insert(
	database: Database,
	{kind, email, isEmailProven = false, username, parentId, sshKey, now}: AccountOpening,
	password: string | null,
): Promise<Opened> {
	// An email that is only claimed must not reveal that another account has it.
	if (isEmailProven && email !== undefined) await refuseProven(database, email);
	const id = await insertAccount(database, {
		created_at: now,
		kind,
		email: email?.toLowerCase() ?? null,
		email_proven: isEmailProven ? 1 : 0,
		username: username ?? null,
		password,
		parent_id: parentId ?? null,
	});
	if (parentId !== undefined) {
		await refuseTooMany(database, 'subaccount', {accountId: parentId, now});
	}
	if (sshKey !== undefined) await registerKey(database, {accountId: id, key: sshKey, now});
	const {id: keyId, value: key} = await createKey(database, {accountId: id, name: 'first', now});
	return {id, keyId, key};
}

async function refuseProven(database: Database, email: string): Promise<void> {
	if ((await findByEmail(database, email))?.email_proven !== 1) return;
	throw new Refusal('userExists', 'There is an account with this email.');
}

/**
 * Closes an account: its keys end, and its money stays where it is.
 *
 * @throws Refusal if it has instances, volumes, machines or unpayable debts
 */
export async function closeAccount(database: Database, id: number, now: number): Promise<void> {
	await chargeAccount(database, id, now);
	await writing(database, async transaction => {
		await knownAccount(transaction, id);
		await refuseInUse(transaction, id, 'accountInUse');
		await refuseDebts(transaction, id, 'accountInUse');
		await deleteKeysOfAccount(transaction, id, {now});
		await updateAccount(transaction, id, {closed_at: now});
	});
}

/** @throws Refusal if an account has instances, volumes or machines */
export async function refuseInUse(
	database: Database,
	id: number,
	reason: 'accountInUse' | 'teamInUse',
): Promise<void> {
	const left = Object.entries(await countLeft(database, id)).filter(([, count]) => count > 0);
	if (left.length === 0) return;
	const what = left.map(([name, count]) => `${count} ${name}`).join(', ');
	throw new Refusal(reason, `It still has ${what}: nothing was closed.`);
}

const hashed = promisify<string, Buffer, number, Buffer>(scrypt);

/** Salt and hash of a password, which itself is not kept. */
async function hashPassword(password: string): Promise<string> {
	const salt = randomBytes(16);
	return `${salt.toString('hex')} ${(await hashed(password, salt, 32)).toString('hex')}`;
}

/** Fills the renting account's credit up to so many dollars. */
export async function topUp(database: Database, dollars: number, now: number): Promise<void> {
	const {id} = await soleAccount(database, 'renter', now);
	const micros = Math.round(dollars * MICROS_PER_DOLLAR);
	await chargeAccount(database, id, now);
	const missing = micros - (await readPayer(database, id)).creditMicros;
	if (missing <= 0) return;
	await addCredit(database, id, {micros: missing, description: 'Filled up', now});
}

type OwnAccount = {
	readonly name: string;
	readonly role: 'renter' | 'host';
	/** Dollars of credit for a new account. */
	readonly credit: number;
	readonly now: number;
};

/** Makes a key for the account of a role, opened if missing. */
export async function makeRoleKey(database: Database, opening: OwnAccount): Promise<string> {
	return keyOf(database, await soleAccount(database, opening.role, opening.now), opening);
}

/** Makes the first key of a new account; undefined if another process has opened it. */
export async function makeFirstKey(
	database: Database,
	opening: OwnAccount,
): Promise<string | undefined> {
	const account = await soleAccount(database, opening.role, opening.now);
	return account.isNew ? keyOf(database, account, opening) : undefined;
}

type Account = Awaited<ReturnType<typeof soleAccount>>;

async function keyOf(
	database: Database,
	{id, isNew}: Account,
	{name, role, credit, now}: OwnAccount,
): Promise<string> {
	if (isNew && role === 'renter' && credit > 0) {
		const micros = Math.round(credit * MICROS_PER_DOLLAR);
		await addCredit(database, id, {micros, description: 'Opening credit', now});
	}
	return (await createKey(database, {accountId: id, name, now})).value;
}
