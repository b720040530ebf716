import {expect, test} from 'vitest';
import {tidyAtRest} from '../../../source/console/app/rest.ts';
import type {Input} from '../../../source/console/terminal/input/input-filter.ts';

/** A console whose time passes by hand, and whose heap has what the test says. */
function atRest(usedBytes: number) {
	let now = 0;
	let plan: {readonly at: number; readonly run: () => void} | undefined;
	let press: ((input: Input) => void) | undefined;
	const world = {usedBytes, collected: 0};
	const stop = tidyAtRest(
		{
			onInput(listener) {
				press = listener;
				return () => (press = undefined);
			},
		},
		(ms, run) => {
			const mine = {at: now + ms, run};
			plan = mine;
			return () => {
				if (plan === mine) plan = undefined;
			};
		},
		{
			usedBytes: () => world.usedBytes,
			collect() {
				world.collected += 1;
				world.usedBytes = 20_000_000;
			},
		},
	);
	return Object.assign(world, {
		stop,
		press: () => press?.({kind: 'key', key: 'j', isBurst: false}),
		pass(ms: number) {
			for (const end = now + ms; ; now = Math.min(end, plan?.at ?? end)) {
				if (plan === undefined || plan.at > now) {
					if (now === end) return;
					continue;
				}
				const {run} = plan;
				plan = undefined;
				run();
			}
		},
	});
}

test('garbage is collected once nobody has typed for four seconds', () => {
	const console = atRest(45_000_000);
	for (let times = 0; times < 10; times++) {
		console.pass(3000);
		console.press();
	}
	expect(console.collected).toBe(0);
	console.pass(4000);
	expect(console.collected).toBe(1);
});

test('it is not collected again before there is more of it', () => {
	const console = atRest(45_000_000);
	console.pass(4000);
	console.press();
	console.pass(1_000_000);
	expect(console.collected).toBe(1);
	console.usedBytes = 29_000_000;
	console.pass(10_000);
	expect(console.collected).toBe(2);
});

test('nothing is collected for a console that was left', () => {
	const console = atRest(45_000_000);
	console.stop();
	console.press();
	console.pass(1_000_000);
	expect(console.collected).toBe(0);
});
