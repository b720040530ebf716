/** A guard on each person's machine, begun again where it was killed. */
import {befall} from '../tried.ts';
import type {Machine, World} from '../world/world.ts';
import {beginCommand} from './commands.ts';
import type {Person} from './person.ts';

const MEAN_LIFE_MS = 600_000;
const MEAN_PAUSE_MS = 30_000;

/** @param heads Machine of those who act: once they rest, no guard is killed */
export function keepGuard(world: World, person: Person, heads: Machine): void {
	const chance = world.chance(`guard of ${person.name}`);
	const about = {machine: person.machine.name};
	if (!world.may('guard', person.name)) return;
	const awake = world.begin(
		heads,
		`${person.name}: awake`,
		async () => new Promise(() => undefined),
	);
	const begin = () => {
		const {process, texts} = beginCommand(person, ['guard', 'run']);
		let isKilled = false;
		process.onEnd.push(() => {
			world.say(`${person.name}: the guard ended: ${texts.err.trim().slice(0, 200)}`);
			if (!isKilled) world.crashes.push(`${person.name}: the guard ended by itself: ${texts.err}`);
			world.outside(chance.wait(MEAN_PAUSE_MS), begin);
		});
		if (person.kills === 0) return;
		world.outside(chance.wait(MEAN_LIFE_MS), () => {
			if (!awake.isAlive || !process.isAlive || !befall('guard killed', person.name, about)) return;
			world.tell(`${person.name}: the guard is killed`);
			isKilled = true;
			world.end(process);
		});
	};
	begin();
}
