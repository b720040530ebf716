/** Deeds with money and accounts: one person, several accounts, by the real client. */
import type {Client} from '../../../source/client/client.ts';
import {world} from '../world/world.ts';
import {keepDoing, type Actor, type Deed} from './deeds.ts';

const weights = {
	transfer: 6,
	'sub-account': 2,
	team: 3,
	'end of a team': 1,
	invitation: 4,
	joining: 4,
	'another key': 3,
	'end of a key': 1,
	prepayment: 6,
	'rent, by purse': 6,
	bid: 3,
	'destroy, by purse': 4,
	'price increase': 2,
	copy: 3,
	job: 2,
	'lease of the market': 3,
};

async function oneOf(client: Client, {chance}: Actor): Promise<number | undefined> {
	const {instances} = await client.instances.list();
	return instances.length === 0 ? undefined : chance.pick(instances).id;
}

/** A deed about an instance, where there is one. */
const about =
	(act: (client: Client, id: number, actor: Actor) => Promise<unknown>): Deed =>
	async (client, actor) => {
		const id = await oneOf(client, actor);
		if (id === undefined) return undefined;
		await act(client, id, actor);
		return 'done';
	};

/** Permissions of keys and roles that are not to do everything, and the kinds of deeds that they allow. */
const limits = [
	[['instance_read', 'billing_read', 'user_read', 'machine_read', 'team_read'], []],
	[
		['user_read', 'user_write'],
		['another key', 'end of a key', 'sub-account', 'joining'],
	],
] as const;

const folder = {kind: 'instance', path: '/root/data'} as const;

const granted = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, true]));

const deeds: Readonly<Record<keyof typeof weights, Deed>> = {
	/** Some of it, or all that there is. */
	async transfer(client, {chance, ids}) {
		const {balance = 0} = await client.account.current();
		const all = Math.floor((balance ?? 0) * 100) / 100;
		const amount = all > 0 && chance.happens(0.2) ? all : chance.whole(1, 2000) / 100;
		return client.account.transfer({recipient: chance.pick(ids), amount});
	},
	async 'sub-account'(client, {keys, ids, truth, chance}) {
		const username = `s${chance.whole(1, 1e9)}`;
		const [email, password] = [`${username}@example.com`, 'a long password'];
		const made = await client.account.create({parent_id: 'me', username, email, password});
		truth.keys.set(made.api_key, {account: made.id});
		keys.push(made.api_key);
		ids.push(made.id);
		return made;
	},
	async team(client, {keys, ids, truth, chance}) {
		const made = await client.teams.create({
			team_name: `team ${chance.whole(1, 1e9)}`,
			transfer_credit: chance.whole(0, 300) / 100,
		});
		truth.keys.set(made.api_key, {account: made.team_id, isTeam: true});
		keys.push(made.api_key);
		ids.push(made.team_id);
		return made;
	},
	async 'end of a team'(client, {truth}, key) {
		const ended = await client.teams.delete();
		truth.endKeys(truth.keys.get(key)?.account);
		return ended;
	},
	async invitation(client, {ids, truth, chance}, key) {
		const role = `r${chance.whole(1, 1e9)}`;
		await client.teams.addRole({name: role, permissions: granted(limits[0][0])});
		const account = chance.pick(ids);
		const {token} = await client.teams.invite({role, user_id: account});
		truth.invitations.push({token, account, team: truth.keys.get(key)?.account ?? 0, by: key});
		return token;
	},
	async joining(client, {keys, truth, chance}, key) {
		await client.account.current();
		if (truth.invitations.length === 0) return undefined;
		const isEnded = (by: string) => truth.keys.get(by)?.isEnded === true;
		const own = truth.invitations.filter(one => one.account === truth.keys.get(key)?.account);
		const over = own.filter(({by}) => isEnded(by));
		const likely = over.length > 0 && chance.happens(0.5) ? over : own;
		const some = likely.length > 0 && chance.happens(0.7) ? likely : truth.invitations;
		const {token, account, team, by} = chance.pick(some);
		const wasEnded = isEnded(by);
		const {api_key: value} = await client.teams.join(token);
		if (wasEnded) truth.lies.push(`the key that invited to ${team} had ended`);
		if (truth.keys.get(key)?.account !== account) truth.lies.push(`not invited to ${team}`);
		const [permissions, may] = limits[0];
		truth.keys.set(value, {account: team, may, permissions});
		keys.push(value);
		return value;
	},
	async 'another key'(client, {keys, truth, chance}, by) {
		const facts = truth.keys.get(by);
		const [permissions, may] = chance.happens(0.5) ? chance.pick(limits) : [];
		const {id, key} = await client.apiKeys.create({
			name: `k${chance.whole(1, 1e9)}`,
			...(permissions && {permissions: granted(permissions)}),
		});
		// A key that a limited one makes may no more than that.
		truth.keys.set(key, {
			account: facts?.account ?? 0,
			id,
			may: facts?.may ?? may,
			permissions: facts?.permissions ?? permissions,
		});
		keys.push(key);
		return key;
	},
	async 'end of a key'(client, {truth, chance}) {
		const {keys} = await client.apiKeys.list();
		// The first is the key of the person's commands.
		const [, ...made] = keys.toSorted((one, other) => one.id - other.id);
		if (made.length === 0) return undefined;
		const {id} = chance.pick(made);
		await client.apiKeys.delete(id);
		for (const facts of truth.keys.values()) if (facts.id === id) facts.isEnded = true;
		return id;
	},
	prepayment: about(async (client, id, {chance}) =>
		client.instances.prepay(id, chance.whole(1, 500) / 100),
	),
	async 'rent, by purse'(client, {chance}) {
		const {offers} = await client.offers.search({limit: 50});
		// Machines of the provider have no made-up host: who owns one rents it as well.
		const own = offers.filter(({gpu_name: name}) => name === 'RTX 4090');
		const wanted = own.length > 0 && chance.happens(0.5) ? own : offers;
		if (wanted.length === 0) return undefined;
		const bid = chance.happens(0.4) ? {price: chance.whole(1, 300) / 100} : {};
		return client.instances.rent(chance.pick(wanted), {image: 'ubuntu:24.04', disk: 10, ...bid});
	},
	bid: about(async (client, id, {chance}) =>
		client.instances.changeBid(id, chance.whole(1, 400) / 100),
	),
	'destroy, by purse': about(async (client, id, {truth}) => {
		truth.asked.set(id, 'purse');
		await client.instances.destroy(id);
	}),
	async 'price increase'(client, {chance}) {
		const {pending_price_increases: increases} = await client.instances.priceIncreases();
		const [increase] = increases;
		if (increase === undefined) return undefined;
		const id = increase.pending_price_increase_id;
		return chance.happens(0.5)
			? client.instances.acceptPriceIncrease(id)
			: client.instances.rejectPriceIncrease(id);
	},
	/** Of a folder, from one instance into another; where none runs that could be one end, it is rented. */
	async copy(client, actor, key) {
		const {chance} = actor;
		const {instances} = await client.instances.list();
		const ends = instances.filter(({actual_status: status}) => status === 'running');
		const [source, ...others] = ends.toSorted(() => chance.next() - 0.5);
		if (source === undefined || others.length === 0) {
			await deeds['rent, by purse'](client, actor, key);
			return undefined;
		}
		await client.copies.start({...folder, id: source.id}, {...folder, id: chance.pick(others).id});
		return 'done';
	},
	job: about(async (client, id, {chance, truth}) => {
		const [path, request_body] = chance.pick([
			['', {state: 'stopped'}],
			['', {state: 'running'}],
			['reboot/', {}],
			['bid_price/', {price: 0.5}],
		] as const);
		if ('state' in request_body && request_body.state === 'stopped') truth.stopped.add(id);
		const now = Math.floor(Date.now() / 1000);
		await client.scheduledJobs.create({
			api_endpoint: `/api/v0/instances/${path}${id}/`,
			request_method: 'PUT',
			instance_id: id,
			request_body,
			frequency: 'HOURLY',
			start_time: now + chance.whole(1, 600),
			end_time: now + 86_400,
		});
	}),
	'lease of the market': about(async (client, id, {chance}) => {
		if (chance.happens(0.3)) return client.instances.removeLease(id);
		const ends_at = Math.floor(Date.now() / 1000) + chance.whole(30, 3600);
		return client.instances.setLease(id, {ends_at, action: chance.pick(['stop', 'destroy'])});
	}),
};

/** Deals with money as long as its machine is there. */
export async function deal(purse: Actor, meanMs: number): Promise<void> {
	world().say(`${purse.name} begins`);
	return keepDoing(purse, {weights, deeds, meanMs});
}
