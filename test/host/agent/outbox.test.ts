import * as fc from 'fast-check';
import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {ApiError} from '../../../source/client/exchange/errors.ts';
import type {Report} from '../../../source/contract/nouns/host-work.ts';
import {
	addReport,
	createOutbox,
	keepReporting,
	plainText,
	reportRest,
} from '../../../source/host/agent/outbox.ts';

const reports: fc.Arbitrary<Report[]> = fc.array(
	fc
		.record(
			{
				boot: fc.integer({min: 1, max: 3}),
				status: fc.constantFrom('loading', 'running', 'exited', 'failed'),
				status_msg: fc.string(),
				traffic: fc.record({up: fc.nat(), down: fc.nat()}),
			},
			{requiredKeys: ['boot']},
		)
		.map(report => ({...report, instance_id: 1})),
);

/** The statuses in order, each once in a row, with the boots that they are of. */
function changesOf(list: readonly Report[]): readonly string[] {
	const said = list.flatMap(({boot, status}) =>
		status === undefined ? [] : [`${boot} ${status}`],
	);
	return said.filter((each, index) => each !== said[index - 1]);
}

test('reports that are joined lose no change of status, and keep the last word of everything', () => {
	fc.assert(
		fc.property(reports, all => {
			const joined = all.reduce(addReport, []);
			expect(changesOf(joined)).toEqual(changesOf(all));
			expect(Object.assign({}, ...joined)).toEqual(Object.assign({}, ...all));
		}),
	);
});

test('progress is reported once, with its latest message', () => {
	const outbox = createOutbox();
	for (const share of [10, 20, 30]) {
		outbox.add({instance_id: 1, boot: 1, status: 'loading', status_msg: `${share}%`});
	}
	outbox.add({instance_id: 1, boot: 1, status: 'running', status_msg: 'success'});
	outbox.add({instance_id: 1, boot: 1, usage: {gpu_util: 5}});
	expect(outbox.take(10)).toEqual([
		{instance_id: 1, boot: 1, status: 'loading', status_msg: '30%'},
		{instance_id: 1, boot: 1, status: 'running', status_msg: 'success', usage: {gpu_util: 5}},
	]);
	expect(outbox.take(10)).toEqual([]);
});

test('batches together are all that was added, and what is put back comes first again', () => {
	fc.assert(
		fc.property(reports, fc.integer({min: 1, max: 5}), (all, most) => {
			const outbox = createOutbox();
			for (const report of all) outbox.add(report);
			const lost = outbox.take(most);
			outbox.putBack(lost);
			const sent: Report[] = [];
			for (let batch = outbox.take(most); batch.length > 0; batch = outbox.take(most)) {
				expect(batch.length).toBeLessThanOrEqual(most);
				sent.push(...batch);
			}
			expect(changesOf(sent)).toEqual(changesOf(all));
		}),
	);
});

test('waiting ends when something is there, also when a part of it was left', async () => {
	const outbox = createOutbox();
	const {signal} = new AbortController();
	outbox.add({instance_id: 1, boot: 1});
	outbox.add({instance_id: 2, boot: 1});
	expect(outbox.take(1)).toHaveLength(1);
	await outbox.wait(signal);
	expect(outbox.take(1)).toHaveLength(1);
	outbox.add({instance_id: 1, boot: 1, status: 'running'});
	outbox.add({instance_id: 1, boot: 1, status: 'exited'});
	expect(outbox.take(1)).toHaveLength(1);
	await outbox.wait(signal);
	expect(outbox.take(1)).toHaveLength(1);
	let isAwake = false;
	const waiting = outbox.wait(signal).then(() => (isAwake = true));
	await Promise.resolve();
	expect(isAwake).toBe(false);
	outbox.add({instance_id: 3, boot: 1});
	await waiting;
});

test('text that the wire does not carry is made fit for it', () => {
	const outbox = createOutbox();
	outbox.add({instance_id: 1, boot: 1, status_msg: `a\0b\uD800${'x'.repeat(5000)}`});
	const [report] = outbox.take(1);
	expect(report?.status_msg).toMatch(/^ab\uFFFDx+$/);
	expect(report?.status_msg).toHaveLength(1024);
	expect(plainText('a\0\uDC00')).toBe('a\uFFFD');
});

const unheard = {onGone: () => undefined, log: () => undefined};

test.each([
	[400, 'a report that is wrong', (batch: readonly Report[]) => batch.some(isWrong), [5]],
	[413, 'too many at once', (batch: readonly Report[]) => batch.length > 2, []],
	[404, 'no such call', () => true, [1, 2, 3, 4, 5, 6, 7]],
])(
	'of a batch refused by %i for %s the rest arrives, in order',
	async (status, _, refuses, lost) => {
		const outbox = createOutbox();
		const [sent, lines]: [number[], string[]] = [[], []];
		const calls = {
			async report(batch: readonly Report[]) {
				if (refuses(batch)) throw new ApiError('Could not report', refusedBy(status));
				sent.push(...batch.map(({instance_id: id}) => id));
				return [];
			},
		};
		const ids = [1, 2, 3, 4, 5, 6, 7];
		for (const id of ids) outbox.add({instance_id: id, boot: id, status: 'running'});
		const log = (line: string) => lines.push(line);
		await reportRest({calls, outbox, ...unheard, log}, new AbortController().signal);
		expect(sent).toEqual(ids.filter(id => !lost.includes(id)));
		expect(lines).toHaveLength(lost.length === 0 ? 0 : 1);
	},
);

test('what is left of a halved batch as the connection breaks stays, and no more', async () => {
	const outbox = createOutbox();
	const sent: number[] = [];
	let isBroken = false;
	const calls = {
		async report(batch: readonly Report[]) {
			if (isBroken) throw new Error('broken');
			if (batch.length > 2) throw new ApiError('Could not report', refusedBy(413));
			isBroken = true;
			sent.push(...batch.map(({instance_id: id}) => id));
			return [];
		},
	};
	for (const id of [1, 2, 3, 4]) outbox.add({instance_id: id, boot: 1, status: 'running'});
	const reporting = {calls, outbox, ...unheard};
	const {signal} = new AbortController();
	await expect(reportRest(reporting, signal)).rejects.toThrow('broken');
	isBroken = false;
	await reportRest(reporting, signal);
	expect(sent).toEqual([1, 2, 3, 4]);
});

const isWrong = ({instance_id: id}: Report) => id === 5;
const refusedBy = (status: number) => ({status, code: undefined, serverSays: undefined});

test('what somebody waits for is reported at once, and progress is gathered', async () => {
	const outbox = createOutbox();
	const sent: string[] = [];
	const end = new AbortController();
	/** Time does not pass. */
	const scheduler = {now: () => 0, after: () => () => undefined};
	const calls = {
		async report(batch: readonly Report[]) {
			sent.push(...batch.map(({status = ''}) => status));
			return [];
		},
	};
	const patience = {scheduler, random: () => 0, log: () => undefined, signal: end.signal};
	const reporting = keepReporting({calls, outbox, ...unheard}, patience);
	const report = (status: 'loading' | 'running') => outbox.add({instance_id: 1, boot: 1, status});
	report('loading');
	for (let turn = 0; turn < 10; turn++) await setImmediate();
	expect(sent).toEqual([]);
	report('running');
	while (sent.length === 0) await setImmediate();
	expect(sent).toEqual(['loading', 'running']);
	report('running');
	while (sent.length === 2) await setImmediate();
	end.abort();
	await reporting;
});
