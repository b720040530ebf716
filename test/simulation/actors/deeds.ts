/** Deeds by the real client, each in a process of its own, which may be killed. */
import {openClient, type Client} from '../../../source/client/client.ts';
import {MarketError} from '../../../source/client/exchange/errors.ts';
import type {Chance} from '../world/chance.ts';
import {world, type Machine} from '../world/world.ts';
import {befall, count} from '../tried.ts';
import type {Truth} from '../truth.ts';

export type Actor = {
	readonly name: string;
	readonly machine: Machine;
	readonly url: string;
	readonly chance: Chance;
	readonly truth: Truth;
	/** Keys of the actor's accounts, the first and those that were made since. */
	readonly keys: string[];
	/** Ids of accounts, the actor's and others'. */
	readonly ids: number[];
	/** Share of deeds that are killed. */
	readonly kills: number;
};

/** A deed, by a client with one of the actor's keys; undefined where it changed nothing. */
export type Deed = (client: Client, actor: Actor, key: string) => Promise<unknown>;

/** Kinds as often as their weights: `{rent: 6, bid: 3}`. */
export function weighted<Kind extends string>(weights: Readonly<Record<Kind, number>>): Kind[] {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a record are of its type
	const kinds = Object.keys(weights) as Kind[];
	return kinds.flatMap(kind => Array.from({length: weights[kind]}, () => kind));
}

export async function pause(ms: number): Promise<void> {
	return new Promise(resolve => void world().after(ms, resolve));
}

/** A deed that says by itself if its key may do it. */
export const ANY_CALL = 'any call';

/** Kinds of deeds that anybody does. */
export const allDeeds: string[] = [];

type Doing<Kind extends string> = {
	readonly weights: Readonly<Record<Kind, number>>;
	readonly deeds: Readonly<Record<Kind, Deed>>;
	readonly meanMs: number;
};

/** Does one deed after another, for as long as the machine of whoever runs this is there. */
export async function keepDoing<Kind extends string>(
	actor: Actor,
	{weights, deeds, meanMs}: Doing<Kind>,
): Promise<void> {
	const kinds = weighted(weights);
	allDeeds.push(...Object.keys(weights).filter(kind => !allDeeds.includes(kind)));
	const {name} = actor;
	for (;;) {
		await pause(actor.chance.wait(meanMs));
		const kind = actor.chance.pick(kinds);
		// Of its own chance: a deed that is left out moves none after it.
		const chance = world().chance(`${name}, deed ${world().numberOf(name)}`);
		if (world().may(kind, name)) await doOnce({...actor, chance}, kind, deeds[kind]);
	}
}

/** Deeds that only the key of a team can do, and those about what the first account mostly has. */
const needsTeam = new Set(['invitation', 'end of a team']);
const needsInstances = new Set(['prepayment', 'bid', 'copy', 'job', 'destroy, by purse']);

/** A key with which a deed is likely to do something, mostly: any key does it now and then. */
function keyFor(kind: string, {chance, keys, truth}: Actor): string {
	const ofTeams = keys.filter(one => {
		const {isTeam, isEnded} = truth.keys.get(one) ?? {};
		return isTeam === true && isEnded !== true;
	});
	const first = needsInstances.has(kind) ? keys.slice(0, 1) : [];
	const likely = needsTeam.has(kind) ? ofTeams : first;
	return chance.pick(likely.length > 0 && chance.happens(0.8) ? likely : keys);
}

async function doOnce(actor: Actor, kind: string, deed: Deed): Promise<void> {
	const {chance, machine, url, name, truth} = actor;
	const key = keyFor(kind, actor);
	const {isEnded = false, may, account} = truth.keys.get(key) ?? {};
	const tell = (what: string) => world().tell(`${name}: ${kind}, ${what}`);
	return new Promise<void>(resolve => {
		const process = world().begin(machine, `${name}: ${kind}`, async () => {
			const client = openClient({url, key, environment: {}, repeats: 1});
			try {
				const changed = (await deed(client, actor, key)) !== undefined;
				tell(changed ? 'done' : 'nothing to do');
				if (changed) count(`${kind}, done`);
				const isTooMuch = changed && may?.includes(kind) === false;
				if (kind !== ANY_CALL && (isEnded || isTooMuch))
					truth.lies.push(`${kind} by a key of ${account} that may not`);
			} catch (error) {
				if (!(error instanceof MarketError)) throw error;
				tell(error.message.slice(0, 100));
				count(`${kind}, refused or lost`);
			} finally {
				await client.close();
			}
		});
		process.onEnd.push(() => void world().outside(0, resolve));
		if (!chance.happens(actor.kills / 2)) return;
		world().outside(chance.wait(200), () => {
			if (process.isAlive && befall('deed killed', name)) world().end(process);
		});
	});
}
