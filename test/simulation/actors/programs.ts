/** Other programs of an account: any call that the service has, about records that there are, by plain HTTP. */
import {contract} from '../../../source/contract/index.ts';
import {isReading, type Endpoint} from '../../../source/contract/grammar/endpoint.ts';
import {
	kinds,
	operationOf,
	partsFor,
	written,
	type Operation,
	type Records,
} from '../../helpers/rights/records.ts';
import {send} from '../takeover/network.ts';
import {count} from '../tried.ts';
import type {KeyFacts, Truth} from '../truth.ts';
import type {Chance} from '../world/chance.ts';
import {world} from '../world/world.ts';
import {ANY_CALL, keepDoing, type Actor, type Deed} from './deeds.ts';

/** Calls that others make here, and those that no key of an account can make. */
const others = new Set([
	'account.create',
	'operator.closeAccount',
	'operator.deleteKey',
	'payments.receive',
	'relays.agent',
	'relays.ports',
	'teams.delete',
	'teams.join',
]);

const operations: readonly Operation[] = Object.entries(contract)
	.flatMap(([noun, endpoints]) =>
		Object.entries(endpoints).map(([name, endpoint]: [string, Endpoint]) =>
			operationOf(noun, name, endpoint),
		),
	)
	.filter(({name}) => !others.has(name));

/** Name of the operator's program. */
export const OPERATORS = "the operator's program";

const isOperators = ({endpoint}: Operation) => endpoint.permission === 'operator';
const changing = operations.filter(({endpoint}) => !isReading(endpoint));

/** Numbers of an account's records, by their kinds; `?` is the account. */
const owned: Readonly<Record<(typeof kinds)[number], string>> = {
	account: 'select id from accounts',
	// The first is the key of the person's commands.
	apiKey: `select id from api_keys where account_id = ? and deleted_at is null
		and instance_id is null and id > (select min(id) from api_keys where account_id = ?)`,
	bid: 'select id from instances where account_id = ? and destroyed_at is null and is_bid = 1',
	copy: 'select id from copies where source_host_account_id = ? or host_account_id = ?',
	hosted: 'select id from instances where host_account_id = ? and destroyed_at is null',
	idle: 'select id from accounts',
	instance: 'select id from instances where account_id = ? and destroyed_at is null',
	job: 'select id from scheduled_jobs where account_id = ?',
	machine: 'select id from machines where account_id = ?',
	member: 'select account_id as id from team_members where team_id = ?',
	offer: 'select id from offers where rentable = 1',
	priceIncrease: `select price_increases.id from price_increases
		join instances on instances.id = instance_id where account_id = ? and state = 'open'`,
	relay: 'select id from relays',
	rentedMachine: `select machine_id as id from instances where account_id = ? and destroyed_at is null`,
	// Those of invitations allow what is known of their keys.
	role: `select id from team_roles where team_id = ? and name not like 'r%'`,
	sshKey: 'select id from ssh_keys where account_id = ?',
	task: 'select id from tasks where host_account_id = ? and answer is null',
	template: 'select id from templates where creator_id = ?',
	volume: 'select id from volumes where account_id = ? and destroyed_at is null',
	webhook: 'select id from webhooks where account_id = ?',
};

/** Number of a record that nobody has. */
const NOTHING = 999_999;
const ATTEMPTS = 5;

/** One record of each kind, and a number that nothing has where there is none. */
function recordsOf({rows}: Truth, account: number, chance: Chance): Records {
	const found = kinds.map(kind => {
		const sql = owned[kind];
		const values = [...sql.matchAll(/\?/g)].map(() => account);
		const ids = rows(sql, ...values).map(({id}) => Number(id));
		return [kind, ids.length === 0 ? NOTHING : chance.pick(ids.toSorted(byNumber))] as const;
	});
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an entry for each kind
	return Object.fromEntries(found) as Records;
}

const byNumber = (one: number, other: number) => one - other;

/** What a call may bring about, by a key that may, is asked for from here on. */
function ask({name}: Operation, {instance, hosted}: Records, truth: Truth): void {
	if (name.startsWith('instances.destroy')) truth.asked.set(instance, name);
	if (name.startsWith('instances.change')) truth.stopped.add(instance);
	if (name.startsWith('hosts.') || name.startsWith('machines.')) truth.lied.add(hosted);
}

/** What a call has brought about. */
function noteDeed({name}: Operation, {apiKey}: Records, truth: Truth): void {
	if (name !== 'apiKeys.delete' && name !== 'apiKeys.reset') return;
	for (const facts of truth.keys.values()) if (facts.id === apiKey) facts.isEnded = true;
}

/** Rules of keys that a call breaks where it is done. */
function breach({name, endpoint}: Operation, facts: KeyFacts): string | undefined {
	const {permission, keyless} = endpoint;
	if (permission === undefined || keyless === true) return undefined;
	if (facts.isEnded === true) return `${name} by an ended key of ${facts.account}`;
	const isAllowed = permission === 'any key' || facts.permissions?.includes(permission) !== false;
	return isAllowed ? undefined : `${name} by a key of ${facts.account} without ${permission}`;
}

/** Parts of a call; most orders go without a volume, which is seldom where they are. */
function partsOf(operation: Operation, of: Records, chance: Chance): ReturnType<typeof partsFor> {
	const parts = partsFor(operation, of, 'word');
	if (parts.body?.['volume_info'] === undefined || chance.happens(0.3)) return parts;
	const price = chance.happens(0.7) ? null : 1;
	return {...parts, body: {...parts.body, volume_info: undefined, price}};
}

type Drawing = {
	readonly truth: Truth;
	readonly chance: Chance;
	readonly account: number;
	readonly isOperator: boolean;
};

/** A call, mostly about records that there are. */
function drawCall({truth, chance, account, isOperator}: Drawing) {
	const of = recordsOf(truth, account, chance);
	for (let attempt = 1; ; attempt++) {
		const all = chance.happens(0.8) ? changing : operations;
		const operation = chance.pick(all.filter(one => isOperators(one) === isOperator));
		const request = written(operation, partsOf(operation, of, chance));
		const isEmpty = `${request.path} ${request.body}`.includes(String(NOTHING));
		if (!isEmpty || attempt === ATTEMPTS) return {operation, of, request};
	}
}

const anyCall: Deed = async (_client, {url, truth, chance, name: actor}, key) => {
	const isOperator = actor === OPERATORS;
	const facts = {account: 0, ...truth.keys.get(key)};
	if (!truth.isOpen()) return undefined;
	const drawn = drawCall({truth, chance, account: facts.account, isOperator});
	const {operation, of, request} = drawn;
	const broken = breach(operation, facts);
	if (broken === undefined) ask(operation, of, truth);
	const {path, method, body = null} = request;
	world().tell(`${actor}: ${method} ${path.replace(/\?$/, '')}`);
	const {status, text} = await send(url, {
		method,
		path,
		headers: {authorization: `Bearer ${key}`, 'content-type': 'application/json'},
		body,
	}).catch(() => ({status: 0, text: ''}));
	world().say(`${actor}: ${operation.name} → ${status} ${text.slice(0, 150)}`);
	if (status !== 200 || /"success": ?false/.test(text)) return undefined;
	noteDeed(operation, of, truth);
	if (broken !== undefined) truth.lies.push(broken);
	count(`${operation.name} by a program`);
	return operation.name;
};

/** Calls anything as long as its machine is there. */
export async function callAnything(program: Actor, meanMs: number): Promise<void> {
	return keepDoing(program, {weights: {[ANY_CALL]: 1}, deeds: {[ANY_CALL]: anyCall}, meanMs});
}
