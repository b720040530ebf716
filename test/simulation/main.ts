/** `npm run simulate`: lives through worlds, one a seed, and says which rules were broken. */
import process from 'node:process';
import {parseArgs} from 'node:util';
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
		pause: {type: 'string', default: '20'},
		plant: {type: 'string'},
		without: {type: 'string', multiple: true, default: []},
		shrink: {type: 'string'},
		log: {type: 'boolean', default: false},
	},
});

takeOverImports(values.plant);
const {liveThrough} = await import('./run.ts');
const {shrink, storyOf} = await import('./shrink.ts');
const {triedTable} = await import('./tried.ts');
const {allDeeds} = await import('./actors/deeds.ts');
const {loadAll} = await import('./takeover/load-all.ts');

/** Seconds of processor time. */
const spent = () => {
	const {user, system} = process.cpuUsage();
	return (user + system) / 1e6;
};
const print = (text: string) => void process.stdout.write(`${text}\n`);
await loadAll();
let isBroken = false;
for (let index = 0; index < Number(values.seeds); index++) {
	const beganAt = spent();
	const plan = {
		seed: Number(values.seed) + index,
		lastsMs: (Number(values.days) * 24 || Number(values.hours)) * 3_600_000,
		people: Number(values.people),
		offers: Number(values.offers),
		faults: Number(values.faults),
		kills: Number(values.kills),
		pauseMs: Number(values.pause) * 1000,
		without: values.without,
	};
	const outcome = await liveThrough(plan);
	const seconds = spent() - beganAt;
	if (values.log) for (const line of outcome.log) print(line);
	const {counted} = outcome;
	const names = values.log
		? [...counted.keys()].toSorted((one, other) => one.localeCompare(other))
		: [];
	for (const what of names) print(`  ${counted.get(what)} ${what}`);
	const rate = Math.round(outcome.steps / seconds);
	print(
		`seed ${outcome.seed}: ${outcome.steps} steps in ${seconds.toFixed(1)} s of processor time (${rate} a second), log ${outcome.digest}`,
	);
	for (const problem of outcome.broken) print(`  BROKEN at step ${outcome.brokenAt}: ${problem}`);
	if (outcome.broken.length === 0) continue;
	isBroken = true;
	// One world is enough to see that a plant is found.
	if (values.plant !== undefined && values.shrink === undefined) break;
	if (values.shrink === undefined) continue;
	const smaller = await shrink(liveThrough, {plan, outcome, most: Number(values.shrink)});
	for (const line of storyOf(smaller)) print(`  ${line}`);
	print(
		`  ${smaller.outcome.parts.length} deeds and faults in ${Math.round(smaller.outcome.livedMs / 1000)} s, found in ${smaller.worlds} worlds`,
	);
}
if (values.shrink === undefined) for (const line of triedTable(allDeeds)) print(line);
// What is printed into a pipe waits for who reads it, and an exit takes what still waits.
process.stdout.write('', () => process.exit(isBroken ? 1 : 0));
