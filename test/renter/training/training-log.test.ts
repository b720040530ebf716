import {expect, test} from 'vitest';
import {openTrainingLog} from '../../../source/renter/training/training-log.ts';

const lineOf = (step: number) => `step ${step}/100000 loss ${(9 - step / 20_000).toFixed(4)}`;
const linesOf = (count: number) => Array.from({length: count}, (_, at) => lineOf(at + 1));

/** Elements that are walked over by iteration, by `slice` and by `filter` while something is done. */
function walked(act: () => void): number {
	let count = 0;
	const {prototype} = Array;
	// oxlint-disable-next-line typescript/unbound-method -- they are put back below
	const {slice, filter, [Symbol.iterator]: iterate} = prototype;
	const counting = (of: (...given: never[]) => unknown) =>
		function (this: unknown[], ...given: never[]): unknown {
			count += this.length;
			return Reflect.apply(of, this, given) as unknown;
		};
	Object.assign(prototype, {slice: counting(slice), filter: counting(filter)});
	Object.defineProperty(prototype, Symbol.iterator, {value: counting(iterate), writable: true});
	try {
		act();
	} finally {
		Object.assign(prototype, {slice, filter});
		Object.defineProperty(prototype, Symbol.iterator, {value: iterate, writable: true});
	}
	return count;
}

test('a log of so many steps is walked over once, and not once for each of its steps', () => {
	const [some, many] = [500, 4000].map(count => {
		const lines = linesOf(count);
		return walked(() => void openTrainingLog()(lines, 0)) / count;
	});
	expect(some).toBeGreaterThan(1);
	// Each line costs what it costs in a short log.
	expect(many).toBeLessThan(1.5 * (some ?? 0));
});

test('a bar that draws on over its line is no restart', () => {
	const read = openTrainingLog();
	const bar = ['loading', '10/100 loss=2.5'];
	read(bar, 0);
	const drawn = read(['loading', `${bar[1]}\r11/100 loss=2.4`], 1000);
	expect([drawn.step, drawn.restartedFrom, drawn.steps.length]).toEqual([11, undefined, 2]);
});

test('steps before a restart stay, those behind it are made again, and earlier looks keep theirs', () => {
	const read = openTrainingLog();
	const first = read(linesOf(20), 0);
	expect(first.steps.map(({step}) => step)).toEqual(linesOf(20).map((_, at) => at + 1));
	const again = read([...linesOf(20), lineOf(11), lineOf(12)], 1000);
	expect(again.steps.map(({step}) => step)).toEqual(linesOf(12).map((_, at) => at + 1));
	expect(again.restartedFrom).toBe(20);
	expect(first.steps).toHaveLength(20);
});

test('of very many steps the older ones are thinned, and the last ones are all there', () => {
	const {steps, lines} = openTrainingLog()(linesOf(9000), 0);
	expect(lines).toBe(9000);
	expect(steps.length).toBeLessThanOrEqual(4096);
	expect(steps.slice(-1000).map(({step}) => step)).toEqual(
		Array.from({length: 1000}, (_, at) => 8001 + at),
	);
	expect(steps[0]?.step).toBe(1);
});
