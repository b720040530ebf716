/** `npm run simulate`: lives through worlds, one a seed, and says which rules were broken. */
import process from 'node:process';
import {parseArgs} from 'node:util';
import type {Plan} from './passing.ts';
import {plants} from './plants.ts';
import {takeOverImports} from './takeover/hooks.ts';

const {values} = parseArgs({
	options: {
		seed: {type: 'string', default: '1'},
		seeds: {type: 'string', default: '1'},
		hours: {type: 'string', default: '1'},
		days: {type: 'string', default: '0'},
		people: {type: 'string', default: '3'},
		offers: {type: 'string', default: '40'},
		faults: {type: 'string', default: '0.15'},
		kills: {type: 'string', default: '0.1'},
		pause: {type: 'string'},
		plant: {type: 'string'},
		without: {type: 'string', multiple: true, default: []},
		shrink: {type: 'string'},
		postgres: {type: 'boolean', default: false},
		log: {type: 'boolean', default: false},
	},
});

takeOverImports(values.plant);
const {liveThrough} = await import('./run.ts');
const {shrink, storyOf} = await import('./shrink.ts');
const {triedTable} = await import('./tried.ts');
const {allDeeds} = await import('./actors/deeds.ts');
const {loadAll} = await import('./takeover/load-all.ts');
const {beginPostgres, endPostgres} = await import('./takeover/places.ts');

/** Seconds of processor time. */
const spent = () => {
	const {user, system} = process.cpuUsage();
	return (user + system) / 1e6;
};
const print = (text: string) => void process.stdout.write(`${text}\n`);
/** Such a market is searched for what happens between transactions, so that people do more at once. */
const isOnPostgres = values.postgres || plants[values.plant ?? '']?.isOnPostgres === true;
const pause = values.pause ?? (isOnPostgres ? '5' : '20');

function planOf(seed: number): Plan {
	return {
		seed,
		lastsMs: (Number(values.days) * 24 || Number(values.hours)) * 3_600_000,
		people: Number(values.people),
		offers: Number(values.offers),
		faults: Number(values.faults),
		kills: Number(values.kills),
		pauseMs: Number(pause) * 1000,
		without: values.without,
		isOnPostgres,
	};
}

/** Lives through a world, and says what came of it: true where a rule was broken. */
async function liveOnce(plan: Plan): Promise<boolean> {
	const beganAt = spent();
	const outcome = await liveThrough(plan);
	const seconds = spent() - beganAt;
	const {seed, steps, counted, log, broken, brokenAt, digest} = outcome;
	if (values.log) {
		for (const line of log) print(line);
		const names = [...counted.keys()].toSorted((one, other) => one.localeCompare(other));
		for (const what of names) print(`  ${counted.get(what)} ${what}`);
	}
	const rate = Math.round(steps / seconds);
	print(
		`seed ${seed}: ${steps} steps in ${seconds.toFixed(1)} s of processor time (${rate} a second), log ${digest}`,
	);
	for (const problem of broken) print(`  BROKEN at step ${brokenAt}: ${problem}`);
	if (broken.length === 0) return false;
	if (values.shrink === undefined) return true;
	const smaller = await shrink(liveThrough, {plan, outcome, most: Number(values.shrink)});
	for (const line of storyOf(smaller)) print(`  ${line}`);
	print(
		`  ${smaller.outcome.parts.length} deeds and faults in ${Math.round(smaller.outcome.livedMs / 1000)} s, found in ${smaller.worlds} worlds`,
	);
	return true;
}

async function search(): Promise<boolean> {
	await loadAll();
	if (isOnPostgres) await beginPostgres();
	let hasBroken = false;
	for (let index = 0; index < Number(values.seeds); index++) {
		hasBroken = (await liveOnce(planOf(Number(values.seed) + index))) || hasBroken;
		// One world is enough to see that a plant is found.
		if (hasBroken && values.plant !== undefined) break;
	}
	if (values.shrink === undefined) for (const line of triedTable(allDeeds)) print(line);
	return hasBroken;
}

let isBroken = true;
try {
	isBroken = await search();
} finally {
	await endPostgres();
}
// What is printed into a pipe waits for who reads it, and an exit takes what still waits.
process.stdout.write('', () => process.exit(isBroken ? 1 : 0));
