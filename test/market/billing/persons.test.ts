import * as fc from 'fast-check';
import {expect, test, vi} from 'vitest';
import {cloneVolume} from '../../../source/market/volumes/clones.ts';
import {noteCopy} from '../../../source/market/copies/copies.ts';
import {payDeposit} from '../../../source/market/instances/deposits.ts';
import {destroyInstances} from '../../../source/market/instances/destroy.ts';
import {recordPayout, transferCredit} from '../../../source/market/accounts/payments.ts';
import {closeAccount, openAccount} from '../../../source/market/accounts/people.ts';
import {createTeam, endTeam} from '../../../source/market/teams/teams.ts';
import {createVolume, deleteVolume} from '../../../source/market/volumes/volumes.ts';
import {Refusal} from '../../../source/market/base/refusal.ts';
import {makeOffers} from '../../helpers/market/made-offers.ts';
import {addCredit} from '../../../source/market/ledger/accounts-store.ts';
import type {Database} from '../../../source/market/database/database.ts';
import type {InstanceRow} from '../../../source/market/database/instance-tables.ts';
import {insertOffers} from '../../../source/market/offers/store.ts';
import {openBilledWorld} from '../../helpers/market/billing.ts';
import {destroyAll, hearMachines, rentRunning} from '../../helpers/market/instances.ts';
import {allFaults, allMoney} from '../../helpers/market/ledger.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {slowness} from '../../helpers/market/postgres.ts';
import {least, runs} from '../../helpers/property.ts';

vi.setConfig({testTimeout: 120_000 * slowness});

const DAY = 86_400;

/** Persons, and whose each account is. Each begins with an account that provides a machine. */
const PERSONS = 3;

type World = {
	readonly database: Database;
	/** Person of each account. */
	readonly persons: Map<number, number>;
	/** Money of persons that came in, less what went out, from outside and from other persons. */
	readonly flows: number[];
	readonly asks: readonly number[];
};

type Doing = World & {
	readonly account: number;
	readonly other: number;
	readonly instance: InstanceRow | undefined;
	readonly ask: number;
	readonly micros: number;
	readonly now: number;
};

function flow({flows, persons}: World, account: number, micros: number): void {
	const person = persons.get(account) ?? -1;
	flows[person] = (flows[person] ?? 0) + micros;
}

/** All that persons can do with money, and with what costs some. */
const deeds = {
	async open({database, persons, account, now}: Doing) {
		const opening = {kind: 'both', parentId: account, now} as const;
		const {parent_id, owner_id} = await accountOf(database, account);
		if (parent_id !== null || owner_id !== null) return;
		const {id} = await openAccount(database, opening);
		persons.set(id, persons.get(account) ?? -1);
	},
	async team({database, persons, account, micros, now}: Doing) {
		const share = micros % 3 === 0 ? micros : 0;
		const team = {ownerId: account, name: `team ${persons.size}`, micros: share, now};
		const {teamId} = await createTeam(database, team);
		persons.set(teamId, persons.get(account) ?? -1);
	},
	async rent({database, account, ask, micros, now}: Doing) {
		const {credit_micros: credit} = await accountOf(database, account);
		if (credit <= 0) return;
		const price = {gpu_micros: micros * 500, storage_micros: micros, disk_gb: 99.9};
		await rentRunning(database, {ask_id: ask, account_id: account, created_at: now, ...price});
	},
	async prepay({database, instance, micros, now}: Doing) {
		if (instance !== undefined) await payDeposit(database, instance, {micros, now});
	},
	async destroy({database, instance, now}: Doing) {
		if (instance !== undefined) await destroyInstances(database, [instance], now);
	},
	async pay(doing: Doing) {
		const {database, account, micros, now} = doing;
		await addCredit(database, account, {micros, description: 'card', now});
		flow(doing, account, micros);
	},
	async transfer(doing: Doing) {
		const {database, account, other, micros, now} = doing;
		if (account === other) return;
		const [from, to] = [
			{id: account, name: 'one'},
			{id: other, name: 'other'},
		];
		await transferCredit(database, {from, to, micros, now});
		flow(doing, account, -micros);
		flow(doing, other, micros);
	},
	async payout(doing: Doing) {
		const {database, account, now} = doing;
		const {earned_micros: micros} = await accountOf(database, account);
		if (micros <= 0) return;
		await recordPayout(database, {accountId: account, micros, description: 'bank', now});
		flow(doing, account, -micros);
	},
	async reuse({database, account, now}: Doing) {
		const {earned_micros: micros} = await accountOf(database, account);
		if (micros <= 0) return;
		await recordPayout(database, {
			accountId: account,
			micros,
			description: 'x',
			now,
			toCredit: true,
		});
	},
	async store({database, account, ask: offerId, micros, now}: Doing) {
		const sizeGb = 1 + (micros % 20);
		await createVolume(database, {accountId: account, offerId, sizeGb, name: undefined, now});
	},
	async clone(doing: Doing) {
		const {database, account, ask: offerId, now} = doing;
		if ((await volumesOf(database, account)).length === 0) await deeds.store(doing);
		const [volume] = await volumesOf(database, account);
		if (volume === undefined) throw nothing;
		const open = {sizeGb: undefined, name: undefined, mostMicros: undefined, wish: undefined};
		await cloneVolume(database, {accountId: account, sourceId: volume.id, offerId, ...open, now});
	},
	async report({database, micros, now}: Doing) {
		const copies = database.selectFrom('copies').selectAll().where('ended_at', 'is', null);
		const [copy] = await copies.orderBy('id').execute();
		if (copy === undefined) throw nothing;
		const {id, host_account_id: hostAccountId} = copy;
		const faults = ['machine', 'order', undefined] as const;
		const outcome = {failed: micros % 4 > 0, fault: faults[micros % 3]};
		const told = {message: 'told', publicKey: undefined, ended: true, ...outcome};
		await noteCopy(database, {id, hostAccountId, ...told, now});
	},
	async discard({database, account, now}: Doing) {
		for (const {id} of await volumesOf(database, account)) {
			await deleteVolume(database, {id, accountId: account}, now);
		}
	},
	async close({database, account, now}: Doing) {
		const {owner_id} = await accountOf(database, account);
		await (owner_id === null ? closeAccount : endTeam)(database, account, now);
	},
} satisfies Record<string, (doing: Doing) => Promise<void>>;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are all of its keys
const names = Object.keys(deeds) as Array<keyof typeof deeds>;

/** What is not there yet counts as refused. */
const nothing = new Refusal('badArguments', 'There is nothing yet.');

async function accountOf(database: Database, id: number) {
	const accounts = database.selectFrom('accounts').selectAll();
	return accounts.where('id', '=', id).executeTakeFirstOrThrow();
}

async function volumesOf(database: Database, account: number) {
	const volumes = database.selectFrom('volumes').select('id').where('account_id', '=', account);
	return volumes.where('destroyed_at', 'is', null).orderBy('id').execute();
}

/** The world, with a machine and some money of each person. */
async function openPersons() {
	const world = await openBilledWorld();
	const {database} = world;
	await destroyAll(database, TEST_NOW);
	await database.deleteFrom('volumes').execute();
	const persons = new Map<number, number>();
	const flows: number[] = [];
	const [offer] = makeOffers({seed: 3, count: 1, epoch: TEST_NOW});
	if (offer === undefined) throw new Error('one was asked for');
	const machine = await database.selectFrom('machines').selectAll().executeTakeFirstOrThrow();
	const asks = [];
	// A clone may cost as much as a machine.
	const room = {disk_space: 10_000, storage_cost_micros: 100_000_000};
	for (let person = 0; person < PERSONS; person++) {
		const {id} = await openAccount(database, {kind: 'both', now: TEST_NOW});
		persons.set(id, person);
		const provided = {id: 900 + person, account_id: id, name: `m ${person}`};
		await database
			.insertInto('machines')
			.values({...machine, ...provided})
			.execute();
		const ask = {id: 900 + person, machine_id: 900 + person, credit_discount_max: 0.4, ...room};
		await insertOffers(database, [{...offer, ...ask, rentable: 1}]);
		asks.push(ask.id);
		await addCredit(database, id, {micros: 10_000, description: 'card', now: TEST_NOW});
		flows.push(10_000);
	}
	return {...world, persons, flows, asks};
}

/** Money that a person has: debts are none of it. */
async function heldBy({database, persons}: World, person: number): Promise<number> {
	const ids = [...persons].filter(([, of]) => of === person).map(([id]) => id);
	const accounts = await database
		.selectFrom('accounts')
		.selectAll()
		.where('id', 'in', ids)
		.execute();
	const {ahead} = await database
		.selectFrom('instances')
		.select(({fn}) => fn.sum<number | null>('deposit_micros').as('ahead'))
		.where('account_id', 'in', ids)
		.executeTakeFirstOrThrow();
	const held = accounts.map(row => Math.max(0, row.credit_micros) + Math.max(0, row.earned_micros));
	return held.reduce((sum, micros) => sum + micros, ahead ?? 0);
}

/** Fails where a person has taken out more than it put in, and others have spent. */
async function expectHonest(world: World): Promise<void> {
	const spent: number[] = [];
	for (const [person, put] of world.flows.entries()) {
		spent.push(Math.max(0, put - (await heldBy(world, person))));
	}
	for (const [person, put] of world.flows.entries()) {
		const covered = spent.reduce(
			(sum, micros, other) => (other === person ? sum : sum + micros),
			0,
		);
		expect(-put).toBeLessThanOrEqual(covered);
	}
}

const lives = fc.array(
	fc.record({
		name: fc.oneof(
			{weight: 1, arbitrary: fc.constantFrom(...names)},
			{
				weight: 2,
				arbitrary: fc.constantFrom(
					'rent' as const,
					'payout' as const,
					'close' as const,
					'store' as const,
					'clone' as const,
					'report' as const,
				),
			},
		),
		seconds: fc.oneof(fc.integer({min: 0, max: 30}), fc.integer({min: 0, max: 2 * DAY})),
		who: fc.nat({max: 11}),
		which: fc.nat({max: 11}),
		micros: fc.integer({min: 1, max: 30_000_000}),
	}),
	{minLength: 1, maxLength: 30},
);

test('whoever somebody is, money out is at most money in and what others covered', async () => {
	const met = new Map<string, number>();
	await fc.assert(
		fc.asyncProperty(lives, async steps => {
			await using world = await openPersons();
			const {database, persons, asks, flows} = world;
			const outside = await allMoney(database);
			const before = flows.reduce((sum, micros) => sum + micros, 0);
			let now = TEST_NOW;
			const act = async (step: (typeof steps)[number], account: number) => {
				const {name, which, micros} = step;
				const instances = await database
					.selectFrom('instances')
					.selectAll()
					.where('destroyed_at', 'is', null)
					.execute();
				const others = [...persons.keys()];
				const instance = instances[which % Math.max(1, instances.length)];
				const [other = 0, ask = 0] = [others[which % others.length], asks[which % PERSONS]];
				const doing = {...world, account, other, instance, ask, micros, now};
				await deeds[name](doing).then(
					() => met.set(name, (met.get(name) ?? 0) + 1),
					(error: unknown) => {
						if (!(error instanceof Refusal)) throw error;
					},
				);
			};
			for (const step of steps) {
				await world.sweep(now + step.seconds / 2);
				now += step.seconds;
				await hearMachines(database, now);
				await world.sweep(now);
				const accounts = [...persons.keys()];
				await act(step, accounts[step.who % accounts.length] ?? 0);
				expect(await allFaults(database)).toEqual([]);
				await expectHonest(world);
			}
			await destroyAll(database, now);
			now += 2 * DAY;
			await world.sweepAll(now);
			await world.sweepAll(now + 1);
			// Everybody takes all that is to be had.
			for (const account of persons.keys()) {
				await act({name: 'payout', seconds: 0, who: 0, which: 0, micros: 1}, account);
			}
			expect(await allFaults(database)).toEqual([]);
			await expectHonest(world);
			const after = flows.reduce((sum, micros) => sum + micros, 0);
			expect(await allMoney(database)).toBe(outside + after - before);
		}),
		{numRuns: runs(120)},
	);
	const unmet = names.filter(name => (met.get(name) ?? 0) < least(1));
	expect(unmet).toEqual([]);
});
