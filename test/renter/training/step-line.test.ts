import {expect, test} from 'vitest';
import {readEpochHeading, readStepLine} from '../../../source/renter/training/step-line.ts';

const lines: ReadonlyArray<readonly [written: string, facts: object | undefined]> = [
	['step 40  loss 2.5111', {step: 40, loss: 2.5111}],
	[
		'step 18,460/24,000 | loss: 1.87 | lr: 6.4e-5 | grad_norm 0.41 | 413k tok/s',
		{step: 18_460, of: 24_000, loss: 1.87, rate: 6.4e-5, gradient: 0.41, tokensPerSecond: 413_000},
	],
	[
		"{'loss': 1.2345, 'grad_norm': 0.5, 'learning_rate': 4e-05, 'epoch': 0.16}",
		{loss: 1.2345, gradient: 0.5, rate: 4e-5, epoch: 0.16},
	],
	[
		' 12%|█▏        | 120/1000 [00:10<01:13, 11.97it/s]',
		{step: 120, of: 1000, secondsPerStep: 1 / 11.97, isBar: true},
	],
	[
		'\r 1%| | 10/1000 [00:01<02:00,  2.50s/it]\r 2%| | 20/1000 [00:02<02:00,  2.50s/it, loss=2.1]',
		{step: 20, of: 1000, loss: 2.1, secondsPerStep: 2.5},
	],
	[
		'Epoch 3:  45%|████▌     | 90/200 [00:09<00:11,  9.6it/s, v_num=0, train_loss=0.301]',
		{epoch: 3, step: 690, of: undefined, loss: 0.301, secondsPerStep: 1 / 9.6},
	],
	['Epoch 2/5 - 45/100 [====>.....] - loss: 0.3311', {epoch: 2, step: 145, of: 500, loss: 0.3311}],
	['iter 100: loss 2.3120, time 231.20ms, mfu 4.20%', {step: 100, loss: 2.312}],
	[
		' iteration      100/    1000 | consumed samples: 800 | learning rate: 1.500E-04 | lm loss: 9.123450E+00 | grad norm: 1.2',
		{step: 100, of: 1000, rate: 1.5e-4, loss: 9.12345, gradient: 1.2},
	],
	['{"step": 7, "train/loss": 2.5, "lr": 0.001, "other": [1]}', {step: 7, loss: 2.5, rate: 0.001}],
	['{"step": 8, "loss": NaN}', {step: 8, loss: NaN}],
	['[2026-11-21 12:00:01] step: 10 loss: nan', {step: 10, loss: NaN}],
	['Saving model checkpoint to out/checkpoint-18000', {isCheckpoint: true, step: 18_000}],
	["{'eval_loss': 1.9, 'eval_runtime': 3.2, 'epoch': 1.0}", undefined],
	['Running evaluation', {isEvaluation: true}],
	["{'train_runtime': 93.1, 'train_loss': 1.4, 'epoch': 3.0}", {isDone: true}],
	['Training complete', {isDone: true}],
	['\u001B[32mstep 5\u001B[0m loss 2', {step: 5, loss: 2}],
	['Server listening on 0.0.0.0 port 22.', undefined],
	['GET /step/12/lossless 200', undefined],
	['Downloading shards: 100%|██████████| 3/3 [00:01<00:00]', {step: 3, of: 3, isBar: true}],
	['2026/11/21 12:00:01 ready', undefined],
];

test.for(lines)('%s', ([written, facts]) => {
	const read = readStepLine(written);
	const said =
		read && Object.fromEntries(Object.entries(read).filter(([, one]) => one !== undefined));
	const wanted =
		facts && Object.fromEntries(Object.entries(facts).filter(([, one]) => one !== undefined));
	expect(said).toEqual(wanted);
});

test('lines of any length and content are read in time that follows from their length', () => {
	const hostile = [
		'a'.repeat(1e6),
		'1/'.repeat(5e5),
		'loss '.repeat(2e5),
		'{'.repeat(1e6),
		'9,'.repeat(5e5),
		'\u001B['.repeat(5e5),
	];
	for (const line of hostile) expect(() => readStepLine(line)).not.toThrow();
});

test.each([
	['Epoch 3', {epoch: 3}],
	['Epoch 1/10', {epoch: 1, of: 10}],
	['Epoch 2 of 5: loss 0.41, accuracy 0.9', {epoch: 2, of: 5}],
	['Epoch 2/5 - 45/100 [====>.....] - loss: 0.3311', undefined],
	["{'loss': 1.2345, 'epoch': 0.16}", undefined],
])('the heading of an epoch in %s is %j', (written, heading) => {
	expect(readEpochHeading(written)).toEqual(heading);
});
