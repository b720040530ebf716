import {expect, test} from 'vitest';
import {guarded, MADE} from '../../helpers/commands/guarded.ts';

const END = MADE + 3600;
const lease = (fields: string) => `train [lease1 ${fields}]`;
const idles = {gpu_util: 0, cpu_util: 0, disk_usage: 3, inside: 'bytes=5000 sessions=0\n'};

test.for([
	['its deadline', {label: lease(`e${END} td`)}, 3590],
	['idling', {label: lease('i30 td'), ...idles}, 0],
	['its cost', {label: lease('c1 td'), dph_base: 120}, 10],
] as const)('a guard that is killed after each look ends by %s', async ([, given, start]) => {
	const world = guarded(given);
	await world.looks(start);
	for (let killed = 0; killed < 6 && world.calls.length === 0; killed++) {
		world.restart();
		await world.looks(11);
	}
	expect(world.calls).toEqual(['destroy 7']);
});

test.for([3 * 3600, -3 * 3600])(
	"a service's clock that jumps by %d s while guards are killed ends nothing early, and is told once",
	async seconds => {
		const world = guarded({label: lease(`e${END} td`)});
		await world.looks(1800, 30);
		world.jump(seconds);
		for (let looks = 0; looks < 58; looks++) {
			world.restart();
			await world.looks(30);
		}
		expect(world.calls).toEqual([]);
		// The pause in which the clock was set back counts for nothing.
		for (let looks = 0; looks < 3; looks++) {
			world.restart();
			await world.looks(30);
		}
		expect(world.calls).toEqual(['destroy 7']);
		expect(world.told.filter(({kind}) => kind === 'clock')).toHaveLength(1);
	},
);

test('looks before a jump of the clock prove nothing after it', async () => {
	const world = guarded({label: lease(`e${END} td`)});
	await world.looks(60, 3541);
	world.jump(60);
	world.restart();
	await world.looks(11);
	expect(world.calls).toEqual([]);
	await world.looks(11);
	expect(world.calls).toEqual(['destroy 7']);
});

test('looks that cannot be read begin anew, and hold nothing secret', async () => {
	const secret = 'curl -u me:s3cret';
	const label = lease(`e${END} td b60/300`);
	const extra_env = [['RENTTY_BEFORE', secret] as const];
	const world = guarded({label, extra_env, jupyter_token: 's3cret', inside: 'code=0\n'});
	await world.looks(60, 30);
	expect(world.restart()).toContain('"id":7');
	expect(world.restart()).not.toContain('s3cret');
	for (const broken of ['', '{', '{"clock":{}}', '[]']) {
		world.restart(broken);
		expect((await world.looks(30))?.problem).toBeUndefined();
	}
});

test('a clock that is wrong at the first look, or right after it, ends nothing', async () => {
	for (const looks of [[], [12]]) {
		const world = guarded({label: lease(`e${END} td`)});
		await world.looks(...looks);
		world.jump(3 * 3600);
		await world.looks(12, 12, 12, 60, 60);
		expect(world.calls).toEqual([]);
		expect(new Set(world.told.map(({kind}) => kind))).toEqual(new Set(['clock']));
		world.jump(-3 * 3600);
		await world.looks(60, 3600, 12);
		expect(world.calls).toEqual(['destroy 7']);
	}
});
