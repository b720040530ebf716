/** What befalls machines, beside what their processes do. */
import {networkHere} from '../takeover/network.ts';
import {befall} from '../tried.ts';
import type {Chance} from '../world/chance.ts';
import type {Machine, World} from '../world/world.ts';

/** A clock is set by seconds or hours, a network parts, a disk takes nothing. */
export function trouble(world: World, machines: readonly Machine[], chance: Chance): void {
	const {parted} = networkHere();
	const machine = chance.pick(machines);
	const {name} = machine;
	const isMarket = name.startsWith('market');
	const hits = (share: number, kind: string) =>
		chance.happens(share) && befall(kind, name, {machine: name});
	if (hits(0.002, 'clock set')) {
		// That of a market ends what is due by it: a time server corrects it by little.
		const most = isMarket ? 8000 : chance.pick([4000, 60_000, 7_200_000]);
		machine.offsetMs += Math.round((chance.next() - 0.5) * most);
		world.tell(`${name}: its clock is set`);
	}
	const way = chance.pick(['from', 'to', 'both'] as const);
	if (!isMarket && hits(0.003, `network parted, ${way}`)) {
		parted.set(name, way);
		world.outside(chance.wait(60_000), () => parted.delete(name));
		world.tell(`${name}: nothing arrives ${way === 'both' ? 'from or to it' : `${way} it`}`);
	}
	const [kind, code] = chance.pick([
		['disk full', 'ENOSPC'],
		['disk read-only', 'EROFS'],
	] as const);
	if (hits(0.004, kind)) {
		machine.refuses = code;
		world.outside(chance.wait(30_000), () => {
			machine.refuses = undefined;
		});
		world.tell(`${name}: ${kind}`);
	}
}
