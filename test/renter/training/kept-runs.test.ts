import {appendFileSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {comparedRuns} from '../../../source/renter/training/compared-runs.ts';
import {openRunBook} from '../../../source/renter/training/kept-runs.ts';
import type {RunReading} from '../../../source/renter/training/run-reading.ts';
import {openTrainingLog} from '../../../source/renter/training/training-log.ts';
import {fleetRow} from '../../helpers/fleet/fleet-rows.ts';
import {openFolder} from '../../helpers/folder.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const DAY = 86_400_000;

/** A look at a log of these steps. */
function lookAt(steps: readonly number[], loss: (step: number) => string = String): RunReading {
	const lines = steps.map(step => `step ${step}/100000 loss ${loss(step)}`);
	return {
		training: openTrainingLog()(lines, NOW),
		verdict: 'LEARNING',
		isAgreed: true,
		rest: undefined,
		endsEarlyBy: undefined,
	};
}

const upTo = (count: number) => Array.from({length: count}, (_, at) => at + 1);

function openBook() {
	const folder = openFolder();
	const file = join(folder.path, 'state', 'runs.jsonl');
	return {file, book: openRunBook(file), [Symbol.dispose]: () => folder[Symbol.dispose]()};
}

const stepsOf = (book: ReturnType<typeof openRunBook>, now = NOW) =>
	book.runs(now).map(({id, steps}) => [id, steps.map(({step}) => step)]);

test('a run is known after a restart, and each of its steps is written once', async () => {
	using kept = openBook();
	await kept.book.note(7, 'train', lookAt(upTo(20)), NOW - 2000);
	await kept.book.note(7, 'train', lookAt(upTo(25)), NOW - 1000);
	// Another program, or a later one, reads the same log.
	const later = openRunBook(kept.file);
	await later.note(7, 'train', lookAt(upTo(30)), NOW);
	expect(stepsOf(later)).toEqual([[7, upTo(30)]]);
	expect(readFileSync(kept.file, 'utf8').match(/\[25,/g)).toHaveLength(1);
	expect(later.runs(NOW)[0]).toMatchObject({label: 'train', of: 100_000, at: NOW});
	expect(statSync(kept.file).mode & 0o777).toBe(0o600);
});

test('a run that went back has its new steps in place of the old ones, and NaN stays NaN', async () => {
	using kept = openBook();
	await kept.book.note(7, '', lookAt(upTo(20)), NOW - 2000);
	await kept.book.note(
		7,
		'',
		lookAt([...upTo(20), 11, 12], step => (step === 12 ? 'nan' : '1')),
		NOW,
	);
	expect(stepsOf(kept.book)).toEqual([[7, upTo(12)]]);
	expect(kept.book.runs(NOW)[0]?.steps.at(-1)?.loss).toBeNaN();
});

test('after thirty days a run is forgotten, and what cannot be read is passed over', async () => {
	using kept = openBook();
	await kept.book.note(7, 'old', lookAt(upTo(3)), NOW - 31 * DAY);
	await kept.book.note(8, 'new', lookAt(upTo(3)), NOW - 29 * DAY);
	appendFileSync(
		kept.file,
		'null\n{"run":9,"at":"x"}\n{"run":9,"at":1,"steps":[["1",2],[1]]}\n{"ru',
	);
	expect(stepsOf(kept.book)).toEqual([[8, [1, 2, 3]]]);
});

test('the file has an end, and so has a run', async () => {
	using kept = openBook();
	const small = openRunBook(kept.file, 20_000);
	for (let turn = 1; turn <= 60; turn++) {
		// oxlint-disable-next-line no-await-in-loop -- one after the other, as they are read
		await small.note(7, 'long', lookAt(upTo(turn * 100)), NOW + turn);
	}
	expect(statSync(kept.file).size + statSync(`${kept.file}.1`).size).toBeLessThan(60_000);
	expect(small.runs(NOW + 100)[0]?.steps.at(-1)?.step).toBe(6000);
	using large = openBook();
	await large.book.note(7, 'long', lookAt(upTo(4000)), NOW);
	await large.book.note(7, 'long', lookAt(upTo(8000).slice(-4000)), NOW);
	expect(large.book.runs(NOW)[0]?.steps.length).toBeLessThanOrEqual(4096);
});

test('runs to compare are those that are read now, then those that were kept, without the own one', () => {
	const rows = [fleetRow({id: 1, label: 'a'}), fleetRow({id: 2, label: 'b'})];
	const readings = new Map([
		[1, lookAt(upTo(5))],
		[2, lookAt(upTo(6))],
	]);
	const old = {label: 'old', at: NOW - DAY, of: 9, steps: []};
	const kept = [2, 3, 1].map(id => ({...old, id}));
	const all = comparedRuns(1, {rows, readings, kept, now: NOW});
	expect(all.map(({id, label, isEnded}) => [id, label, isEnded])).toEqual([
		[2, 'b', false],
		[3, 'old', true],
	]);
});
