/** The time of a world: what goes wrong in it, what is looked at, and the rest in the end. */
import {pause} from './actors/deeds.ts';
import {look, type Person} from './actors/person.ts';
import {trouble} from './actors/trouble.ts';
import {brokenNow, doubleWishes} from './rules.ts';
import {networkHere} from './takeover/network.ts';
import {isAnyBrief} from './tried.ts';
import type {Truth} from './truth.ts';
import type {Chance} from './world/chance.ts';
import type {Machine, World} from './world/world.ts';

export type Plan = {
	readonly seed: number;
	/** Simulated milliseconds of ordinary life. */
	readonly lastsMs: number;
	readonly people: number;
	readonly offers: number;
	/** Share of changes that do not go well on their way. */
	readonly faults: number;
	/** Share of commands that are killed; without any, nothing is. */
	readonly kills: number;
	/** Mean milliseconds between two deeds of a person. */
	readonly pauseMs: number;
	/** Kinds, actors and names of what does not happen. */
	readonly without?: readonly string[];
	/** True where nothing is judged at rest. */
	readonly isRestless?: boolean;
	/** True where two markets share a real PostgreSQL. */
	readonly isOnPostgres?: boolean;
};

/** Takes rules that were broken, and answers all so far, with the step of the first. */
export type Judge = (problems: readonly string[]) => {
	readonly broken: readonly string[];
	readonly brokenAt: number | undefined;
};

type Passing = {
	readonly plan: Plan;
	readonly judge: Judge;
	readonly truth: Truth;
	/** Those that something befalls. */
	readonly people: readonly Person[];
	readonly servers: ReadonlyArray<{readonly kill: () => void}>;
	readonly machines: readonly Machine[];
	/** Called at each look. */
	readonly watch: () => void;
};

const LOOK_MS = 2000;

/** How many times as often something goes wrong while an instance is in a brief state. */
const BRIEF_TIMES = 4;

/** Share of changes beyond which hardly anything would be done. */
const MOST_FAULTS = 0.4;

/** Draws nothing where there is no choice. */
function oneOf<Item>(items: readonly Item[], chance: Chance): Item | undefined {
	return items.length > 1 ? chance.pick(items) : items[0];
}

/** Lets time pass, in which the market is killed now and then, and looks at what always holds. */
export async function passTime(world: World, passing: Passing): Promise<void> {
	const {plan, judge, truth, people, servers, machines, watch} = passing;
	const chance = world.chance('trouble');
	const {rates} = networkHere();
	const until = world.now() + plan.lastsMs;
	let nextKill = world.now() + chance.wait(600_000);
	while (world.now() < until && judge([]).broken.length === 0 && world.crashes.length === 0) {
		await world.runUntil(world.now() + LOOK_MS);
		truth.look();
		watch();
		// What lasts for seconds only is met by as many faults as the rest.
		const times = isAnyBrief() ? BRIEF_TIMES : 1;
		const changes = Math.min(MOST_FAULTS, plan.faults * times);
		Object.assign(rates, {changes, reads: changes / 4, kills: plan.kills * 5});
		if (times > 1) nextKill -= LOOK_MS * times;
		if (world.now() > nextKill && plan.kills > 0) {
			nextKill = world.now() + chance.wait(600_000);
			oneOf(servers, chance)?.kill();
		}
		for (let time = 0; time < times; time++) {
			trouble(world, machines, world.chance(`trouble ${world.numberOf('trouble')}`));
		}
		judge(truth.lies);
		if (!truth.isUnclear()) judge([...brokenNow(truth), ...people.flatMap(doubleWishes)]);
	}
	Object.assign(rates, {changes: 0, reads: 0, kills: 0});
	networkHere().parted.clear();
	for (const machine of machines) machine.refuses = undefined;
}

async function passQuietly(world: World, ms: number, watch: () => void): Promise<void> {
	for (let passed = 0; passed < ms; passed += LOOK_MS) {
		await world.runUntil(world.now() + LOOK_MS);
		watch();
	}
}

/** Nothing goes wrong any more: all that is open comes to its end. */
export async function rest(
	world: World,
	{people, heads, watch}: Pick<Passing, 'people' | 'watch'> & {readonly heads: Machine},
): Promise<void> {
	for (const process of heads.processes.values()) world.end(process);
	await passQuietly(world, 180_000, watch);
	for (const person of people) {
		const calm = {...person, kills: 0};
		world.begin(heads, `${person.name} at rest`, async () => {
			await look(calm);
			await pause(60_000);
			await look(calm);
		});
	}
	await passQuietly(world, 240_000, watch);
}
