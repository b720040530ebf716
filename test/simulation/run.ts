/** One world from one seed, from its beginning to its rest. */
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {employ} from './actors/agents.ts';
import {keepConsole} from './actors/consoles.ts';
import {keepGuard} from './actors/guards.ts';
import {
	keepMarket,
	openAccounts,
	withBooks,
	URL_OF_MARKET,
	type Accounts,
} from './actors/market.ts';
import type {Actor} from './actors/deeds.ts';
import {deal} from './actors/money.ts';
import {operate, stray} from './actors/operator.ts';
import {callAnything, OPERATORS} from './actors/programs.ts';
import {live, type Person} from './actors/person.ts';
import {keepAgent, publishMachines, trade} from './actors/provider.ts';
import {
	brokenBy,
	brokenNow,
	gains,
	lateInMarket,
	leftRows,
	leftWaiting,
	missingMoney,
	unaskedEnds,
	waitingNow,
} from './rules.ts';
import {forgetDatabases} from './takeover/database.ts';
import {folderOf, placeDisks} from './takeover/disk.ts';
import {takeOverGlobals} from './takeover/globals.ts';
import {openNetwork} from './takeover/network.ts';
import {makePlace, readerAt, type Reader} from './takeover/places.ts';
import {watchMeters} from './meters.ts';
import {passTime, rest, type Judge, type Plan} from './passing.ts';
import {noteFaults, takeCounted} from './tried.ts';
import {watchTruth, type Truth} from './truth.ts';
import type {Part} from './world/record.ts';
import {openWorld, type Machine, type World} from './world/world.ts';

/** Files in memory, where a machine has such a folder. */
const MEMORY = '/dev/shm';

export type Outcome = {
	readonly seed: number;
	/** Rules that were broken, as sentences. */
	readonly broken: readonly string[];
	/** Step at which the first was. */
	readonly brokenAt: number | undefined;
	readonly steps: number;
	readonly log: readonly string[];
	/** Lines of the log about deeds and faults. */
	readonly story: readonly string[];
	readonly parts: readonly Part[];
	/** Milliseconds of life that passed, and if all came to rest after it. */
	readonly livedMs: number;
	readonly isRested: boolean;
	readonly digest: string;
	/** What happened, and how often. */
	readonly counted: ReadonlyMap<string, number>;
};

export async function liveThrough(plan: Plan): Promise<Outcome> {
	const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'rentty-world-'));
	const place = plan.isOnPostgres === true ? await makePlace() : '/machine/market/market.db';
	const reader = readerAt(place);
	const world = openWorld(plan.seed, new Set(plan.without));
	placeDisks(folder);
	takeOverGlobals();
	openNetwork();
	takeCounted();
	const judge = createJudge(world);
	let livedMs = 0;
	let isRested = false;
	try {
		({livedMs, isRested} = await life(world, {plan, judge, folder, place, reader}));
	} finally {
		judge(world.crashes.map(crash => `crash: ${crash}`));
		forgetDatabases();
		await reader.close();
		rmSync(folder, {recursive: true, force: true});
	}
	const {log, steps, story, parts} = world;
	const digest = createHash('sha256').update(log.join('\n')).digest('hex').slice(0, 16);
	const counted = takeCounted();
	const passed = {log, story, parts, digest, counted, livedMs, isRested};
	return {seed: plan.seed, ...judge([]), steps: steps(), ...passed};
}

/** Takes rules that were broken, and answers all so far. */
function createJudge(world: World): Judge {
	const broken: string[] = [];
	let brokenAt: number | undefined;
	return (problems: readonly string[]) => {
		for (const problem of problems.filter(one => !broken.includes(one))) {
			broken.push(problem);
			brokenAt ??= world.steps();
			world.tell(`BROKEN: ${problem}`);
		}
		return {broken, brokenAt};
	};
}

type Life = {
	readonly plan: Plan;
	readonly judge: Judge;
	readonly folder: string;
	readonly place: string;
	readonly reader: Reader;
};

const LONGEST_OPENING_MS = 120_000;

/** Mean milliseconds by which the market sweeps late: a busy machine's, and a faster world. */
const LATE_MS = 3000;

async function life(world: World, {plan, judge, folder, place, reader}: Life) {
	const machineOf = (name: string): Machine => {
		const machine = world.machine(name);
		mkdirSync(join(folder, folderOf(machine), 'tmp'), {recursive: true});
		return machine;
	};
	const {offers, isOnPostgres = false} = plan;
	// Several processes share a PostgreSQL, and the address.
	const serverMachines = ['market', ...(isOnPostgres ? ['market 2'] : [])].map(machineOf);
	const servers = serverMachines.map(machine => {
		machine.lateMs = LATE_MS;
		return keepMarket(world, {machine, offers, place});
	});
	for (const one of servers) {
		one.begin();
		do await world.runUntil(world.now() + 2000);
		while (one.present.market === undefined && world.now() < LONGEST_OPENING_MS);
	}
	const truth = watchTruth(reader);
	const meters = watchMeters(truth);
	const accounts = await openAccounts(world, servers, plan.people);
	for (const {id, key} of [...accounts.people, accounts.provider, accounts.stranger]) {
		truth.keys.set(key, {account: id});
	}
	const people = accounts.people.map((account, index) =>
		personOf(world, {account, index, truth, machine: machineOf(`p${index + 1}`), plan}),
	);
	noteFaults(truth, people);
	const ids = [...accounts.people, accounts.provider, accounts.stranger].map(({id}) => id);
	const actorOf = (name: string, key: string, at = name): Actor => ({
		machine: machineOf(at),
		url: URL_OF_MARKET,
		name,
		chance: world.chance(name),
		truth,
		keys: [key],
		ids: [...ids],
		kills: plan.kills,
	});
	const hosts = await beginHosts(world, {accounts, actorOf, plan});
	const heads = machineOf('heads');
	beginPeople(world, {people, heads, actorOf, plan, accounts});
	const beganAt = world.now();
	const began = waitingNow();
	const machines = [...serverMachines, ...hosts, ...people.map(({machine}) => machine)];
	await passTime(world, {plan, judge, truth, people, servers, machines, watch: meters.look});
	const livedMs = world.now() - beganAt;
	if (plan.isRestless === true || judge([]).broken.length > 0) return {livedMs, isRested: false};
	await rest(world, {people, heads, watch: meters.look});
	while (truth.isUnclear()) await world.runUntil(world.now() + 5);
	judge([...brokenNow(truth), ...people.flatMap(brokenBy)]);
	judge([...truth.lies, ...unaskedEnds(truth), ...gains(truth)]);
	const clocksSet = world.story.filter(line => /market(?: 2)?: its clock is set/.test(line)).length;
	judge(meters.judge(clocksSet));
	judge([...lateInMarket(truth), ...leftWaiting(truth, began), ...leftRows(truth)]);
	const [market] = serverMachines;
	const money = withBooks(world, {machine: market, place}, missingMoney);
	judge(await world.runUntilDone(money));
	return {livedMs, isRested: true};
}

type Placing = {
	readonly account: Accounts['people'][number];
	readonly index: number;
	readonly truth: Truth;
	readonly machine: Machine;
	readonly plan: Plan;
};

function personOf(world: World, {account, index, truth, machine, plan}: Placing): Person {
	const name = `p${index + 1}`;
	return {
		machine,
		url: URL_OF_MARKET,
		key: account.key,
		name,
		accountId: account.id,
		chance: world.chance(name),
		wishes: [],
		truth,
		kills: plan.kills,
	};
}

type Hosting = {
	readonly accounts: Accounts;
	readonly actorOf: (name: string, key: string, at?: string) => Actor;
	readonly plan: Plan;
};

/** Machines of the provider, beside those that the market makes up. */
const MACHINES = 2;

/** Begins the host of all that the market made up, and a provider with machines of its own. */
async function beginHosts(world: World, {accounts, actorOf, plan}: Hosting) {
	const provider = actorOf('provider', accounts.provider.key);
	const host = actorOf('host', accounts.host.key);
	world.begin(provider.machine, 'publishing', async () => publishMachines(provider, MACHINES));
	await world.runUntil(world.now() + 3000);
	for (const one of [host, provider]) keepAgent(one);
	await world.runUntil(world.now() + 3000);
	const desk = actorOf('desk', accounts.provider.key);
	world.begin(desk.machine, 'trade', async () => trade(desk, plan.pauseMs * 3));
	return [host.machine, provider.machine];
}

type Living = {
	readonly people: readonly Person[];
	readonly heads: Machine;
};

function beginPeople(
	world: World,
	{people, heads, actorOf, plan, accounts}: Living & Hosting,
): void {
	const {pauseMs} = plan;
	for (const person of people) {
		world.begin(heads, person.name, async () => live(person, pauseMs));
		keepGuard(world, person, heads);
		keepConsole(person, heads, pauseMs * 4);
		const agent = {...person, chance: world.chance(`${person.name}'s agent`)};
		world.begin(heads, `${person.name}: agent`, async () => employ(agent, pauseMs * 3));
	}
	const owners = [...people, {name: 'provider', key: accounts.provider.key}];
	for (const {name, key} of owners) {
		const purse = actorOf(`${name}'s purse`, key, 'purses');
		world.begin(heads, purse.name, async () => deal(purse, pauseMs * 1.5));
		const program = {
			...purse,
			name: `${name}'s program`,
			chance: world.chance(`${name}'s program`),
		};
		world.begin(heads, program.name, async () => callAnything(program, pauseMs));
	}
	const operator = actorOf('operator', accounts.operator.key);
	world.begin(heads, operator.name, async () => operate(operator, pauseMs * 4));
	const program = actorOf(OPERATORS, accounts.operator.key, 'operator');
	world.begin(heads, program.name, async () => callAnything(program, pauseMs * 10));
	const stranger = actorOf('stranger', accounts.stranger.key);
	world.begin(heads, stranger.name, async () => stray(stranger, pauseMs * 2));
}
