import {expect, test} from 'vitest';
import {openTrainingLog} from '../../../source/renter/training/training-log.ts';
import {openVerdict, restOf, judgeTraining} from '../../../source/renter/training/verdict.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

/** Lines of a run, one a second until now, with the loss of each step. */
function linesWith(loss: (step: number) => number, count = 200, of = 1000): readonly string[] {
	return Array.from({length: count}, (_, at) => {
		const time = new Date(NOW - (count - at) * 1000).toISOString();
		return `${time} step ${at + 1}/${of} loss ${loss(at + 1)} lr 1e-4`;
	});
}

const untimed = (step: number) => `step ${step}/1000 loss ${4 - step / 1000}`;
const upTo = (last: number) => Array.from({length: last}, (_, at) => untimed(at + 1));

type Surroundings = {readonly later?: number; readonly use?: number; readonly isRunning?: boolean};

function judge(lines: readonly string[], {later = 0, use, isRunning = true}: Surroundings = {}) {
	const training = openTrainingLog()(lines, NOW);
	return judgeTraining({training, now: NOW + later, since: NOW, use, isRunning});
}

const noise = (step: number) => 0.02 * Math.sin(step * 1.7);
const falling = (step: number) => 4 - step / 100 + noise(step);

test('a verdict says what the loss does', () => {
	expect(judge(linesWith(falling))).toBe('LEARNING');
	expect(judge(linesWith(step => 2 + noise(step)))).toBe('FLAT');
	expect(judge(linesWith(step => 2 + Math.max(0, step - 150) / 20 + noise(step)))).toBe('RISING');
	expect(judge(linesWith(step => (step > 190 ? Number.NaN : falling(step))))).toBe('NAN');
	expect(judge(linesWith(falling, 10))).toBe('STARTING');
	expect(judge(linesWith(falling, 200, 200))).toBe('DONE');
	expect(judge(['Server listening on 0.0.0.0 port 22.'])).toBe('NO RUN');
	expect(judge([...linesWith(falling), 'Running validation'])).toBe('EVALUATING');
});

test('a run without steps is silent, idle or busy after twelve times its usual pause', () => {
	const lines = linesWith(falling);
	expect(judge(lines, {later: 29_000})).toBe('LEARNING');
	expect(judge(lines, {later: 40_000})).toBe('SILENT');
	expect(judge(lines, {later: 40_000, use: 97})).toBe('BUSY NO STEP');
	expect(judge(lines, {later: 40_000, use: 0})).toBe('IDLE');
	expect(judge(lines, {isRunning: false})).toBe('SILENT');
});

test('one look alone raises no alarm', () => {
	const training = openTrainingLog()(linesWith(falling), NOW);
	const verdict = openVerdict();
	const evidence = {training, since: NOW, use: undefined, isRunning: true};
	expect(verdict({...evidence, now: NOW}).verdict).toBe('LEARNING');
	expect(verdict({...evidence, now: NOW + 60_000}).verdict).toBe('LEARNING');
	expect(verdict({...evidence, now: NOW + 63_000}).verdict).toBe('SILENT');
});

test('the rest of a run is told by its measured pace, with its money', () => {
	const training = openTrainingLog()(linesWith(falling), NOW);
	expect(restOf(training, 3.6)).toEqual({seconds: 800, dollars: 0.8});
	expect(restOf(openTrainingLog()(linesWith(falling, 10), NOW), 3.6)).toBeUndefined();
});

test('steps without times are timed by the looks that found them', () => {
	const read = openTrainingLog();
	expect(read(upTo(30), NOW)).toMatchObject({step: 30, secondsPerStep: undefined});
	read(upTo(40), NOW + 5000);
	expect(read(upTo(60), NOW + 10_000)).toMatchObject({step: 60, secondsPerStep: 0.25});
});

test('a run that begins anew from a checkpoint goes on from there', () => {
	const read = openTrainingLog();
	const before = linesWith(falling);
	read([...before, 'Saving model checkpoint to out/checkpoint-150'], NOW);
	const after = read([...before, 'step 151/1000 loss 2.4 lr 1e-4'], NOW + 3000);
	expect(after).toMatchObject({step: 151, restartedFrom: 200});
	expect(after.steps.map(({step}) => step)).not.toContain(160);
});

test('bars of an evaluation are no steps of the run', () => {
	const bar = ' 10%|█         | 20/180 [00:01<00:09]';
	expect(openTrainingLog()([...linesWith(falling), bar], NOW)).toMatchObject({step: 200, of: 1000});
});

test('kept steps are bounded, and their ends stay', () => {
	const training = openTrainingLog()(linesWith(falling, 20_000, 1e6), NOW);
	expect(training.steps.length).toBeLessThanOrEqual(4096);
	expect([training.steps[0]?.step, training.steps.at(-1)?.step]).toEqual([1, 20_000]);
});

const loading = 'Loading checkpoint shards: 100%|██████████| 4/4 [00:08<00:00,  2.1s/it]';
const bar = (step: number, of = 1000) => `${step / 10}%|█ | ${step}/${of} [00:10<01:13, 11.97it/s]`;
const loss = (figure: number) => `{'loss': ${figure}, 'learning_rate': 4e-05, 'epoch': 0.1}`;

test.each<readonly [string, readonly string[]]>([
	['a download', ['Downloading: 100%|##########| 5/5 [00:10<00:00]']],
	['loading', [loading]],
	['loading, and then the losses', [loading, loss(2.1), loss(2)]],
	['one epoch', ['Epoch 0', bar(1000)]],
	['one epoch of ten', ['Epoch 1/10', '500/500 [====] - 60s 120ms/step - loss: 0.69']],
	['one epoch, before its mean loss', [bar(1000), 'mean loss: 0.6']],
])('the full bar of %s is not the end of a run', (_, lines) => {
	expect(judge(lines)).not.toBe('DONE');
	expect(judge(lines, {later: 3_600_000})).not.toBe('DONE');
});

test.each<readonly [string, readonly string[]]>([
	['its bar', [loading, bar(10), loss(2.1), bar(1000)]],
	['the bar of its last epoch', ['Epoch 10/10', '500/500 [====] - 60s 120ms/step - loss: 0.1']],
])('a run has made all its steps when %s is full', (_, lines) => {
	expect(judge(lines)).toBe('DONE');
});

test('the bar of what was loaded before is no position of the run', () => {
	const training = openTrainingLog()([loading, bar(10), loss(2.1), bar(20)], NOW);
	expect(training).toMatchObject({step: 20, of: 1000});
	expect(openTrainingLog()([loading, 'step 7/90'], NOW)).toMatchObject({step: 7, of: 90});
});
