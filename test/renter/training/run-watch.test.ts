import {expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import type {FleetRow, FleetState} from '../../../source/renter/fleet/fleet-state.ts';
import {unseenFleet} from '../../../source/renter/fleet/fleet-state.ts';
import {createPolling} from '../../../source/renter/state/polling.ts';
import {createStore} from '../../../source/renter/state/store.ts';
import {createRunWatch} from '../../../source/renter/training/run-watch.ts';
import type {Event} from '../../../source/renter/words/alert.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {fleetRow} from '../../helpers/fleet/fleet-rows.ts';

const START = Date.UTC(2026, 10, 23, 12);

/** Lines of a log: so many steps, and what comes behind them. */
function stepsTo(count: number, ...more: readonly string[]): string {
	const steps = Array.from({length: count}, (_, at) => {
		const time = new Date(START - (count - at) * 1000).toISOString();
		return `${time} step ${at + 1}/1000 loss ${(4 - at / 100).toFixed(3)}`;
	});
	return [...steps, ...more].join('\n');
}

/** A watch of instances whose logs are told, with the time in hand. */
function openWatch(rows: readonly FleetRow[] = [fleetRow({id: 7, label: 'train'})]) {
	const timers = createHandScheduler(START);
	const logs = new Map<number, string>();
	const asked: number[] = [];
	const told: Event[] = [];
	const instances = {
		async logs(id: number) {
			asked.push(id);
			const text = logs.get(id);
			if (text === undefined) throw new Error('no log');
			return text;
		},
	};
	const watch = createRunWatch({
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a client that has logs alone
		client: async () => ({instances}) as unknown as Client,
		fleet: {state: createStore<FleetState>({...unseenFleet, rows})},
		polling: createPolling(timers),
		now: timers.now,
		notify: {send: event => told.push(event) > 0},
	});
	return {watch, logs, asked, told, pass: async (seconds: number) => timers.pass(seconds * 1000)};
}

test('nothing is read before somebody wants it, and then every half a minute', async () => {
	const {watch, logs, asked, pass} = openWatch();
	logs.set(7, stepsTo(30));
	await pass(120);
	expect(asked).toEqual([]);
	watch.keep([7]);
	await pass(95);
	expect(asked).toEqual([7, 7, 7, 7]);
	expect(watch.state.get().get(7)?.training.step).toBe(30);
});

test('a log that is wanted later is read at once, and then with the others', async () => {
	const {watch, logs, asked, pass} = openWatch([
		fleetRow({id: 7, label: 'train'}),
		fleetRow({id: 8, label: 'other'}),
	]);
	logs.set(7, stepsTo(30));
	watch.keep([7]);
	await pass(5);
	// One that cannot be read is not asked for again and again.
	watch.keep([7, 8]);
	await pass(10);
	expect(asked).toEqual([7, 8]);
	await pass(30);
	expect(asked).toHaveLength(4);
});

test('a log without a run is read every five minutes, and one that cannot be read again', async () => {
	const {watch, logs, asked, pass} = openWatch();
	watch.keep([7]);
	await pass(31);
	expect(asked).toHaveLength(2);
	logs.set(7, 'hello');
	await pass(250);
	expect(asked).toHaveLength(3);
});

test('a loss that is no number is told once, after two looks that agree', async () => {
	const {watch, logs, told, pass} = openWatch();
	logs.set(7, stepsTo(30));
	watch.keep([7]);
	await pass(1);
	logs.set(7, stepsTo(30, 'step 31/1000 loss nan'));
	await pass(30);
	expect(told).toEqual([]);
	await pass(30);
	expect(told).toMatchObject([{kind: 'run-nan', instance: 7}]);
	expect(told[0]?.text).toBe(
		'7 train has a loss that is no number. Its last step is 31. V shows its run.',
	);
	await pass(300);
	expect(told).toHaveLength(1);
});

test('a run that ends is told, and one that was done before is not', async () => {
	const {watch, logs, told, pass} = openWatch([fleetRow({id: 7}), fleetRow({id: 8})]);
	logs.set(7, stepsTo(30)).set(8, stepsTo(30, 'Training complete'));
	watch.keep([7, 8]);
	await pass(1);
	logs.set(7, stepsTo(30, 'Training complete'));
	await pass(70);
	expect(told.map(({kind, instance}) => [kind, instance])).toEqual([['run-done', 7]]);
});

/** A log, and the bar of an epoch behind it. */
const epoch = (text: string) =>
	`${text}\n 50%|██ | 5/10 [00:05<00:05, loss=0.6]\n100%|█████| 10/10 [00:10<00:00, loss=0.5]`;

test('the end of an epoch is told as what it is, and the end of the run once it is said', async () => {
	const {watch, logs, told, pass} = openWatch([fleetRow({id: 7})]);
	logs.set(7, 'boot');
	watch.keep([7]);
	await pass(1);
	logs.set(7, epoch('boot'));
	await pass(400);
	expect(told.map(({text}) => text)).toEqual([
		'7 has made the 10 steps that its log counts, and goes on costing. Its last step is 10. V shows its run.',
	]);
	logs.set(7, `${epoch(epoch('boot'))}\nTraining complete`);
	await pass(70);
	expect(told.slice(1).map(({text}) => text)).toEqual([
		'7 is done with its run, and goes on costing. Its last step is 10. V shows its run.',
	]);
});

test('a second run in a log that was done at first is told as it ends', async () => {
	const {watch, logs, told, pass} = openWatch([fleetRow({id: 7})]);
	const first = stepsTo(30, 'Training complete');
	logs.set(7, first);
	watch.keep([7]);
	await pass(70);
	logs.set(7, `${first}\nstep 1/1000 loss 4\nstep 2/1000 loss 4`);
	await pass(70);
	logs.set(7, `${first}\nstep 1/1000 loss 4\nstep 2/1000 loss 4\nTraining complete`);
	await pass(70);
	expect(told.map(({kind}) => kind)).toEqual(['run-done']);
});

test('a stopped instance is not read', async () => {
	const {watch, asked, pass} = openWatch([
		fleetRow({id: 7, actual_status: 'exited', intended_status: 'stopped'}),
	]);
	watch.keep([7]);
	await pass(100);
	expect(asked).toEqual([]);
});
