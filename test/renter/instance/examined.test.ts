import {appendFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openExaminedBook, type LastExamination} from '../../../source/renter/instance/examined.ts';
import {openFolder} from '../../helpers/folder.ts';

const found = (
	at: number,
	grade: LastExamination['grade'],
	evidence = 'is slowed down',
): LastExamination => ({
	at,
	grade,
	gpus: [{index: 1, health: 'watch', evidence}],
});

test('an examination is known to every program, the last one of an instance alone', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'state', 'health.jsonl');
	const [console, doctor] = [openExaminedBook(file), openExaminedBook(file)];
	expect(console.known()(7)).toBeUndefined();
	await doctor.note(7, found(1000, 'bad'));
	await doctor.note(8, found(1000, 'ok'));
	expect(console.known()(7)).toEqual(found(1000, 'bad'));
	await console.note(7, found(2000, 'wrn'));
	expect(doctor.known()(7)).toEqual(found(2000, 'wrn'));
	expect(doctor.known()(8)?.grade).toBe('ok');
	expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('what cannot be read is passed over, and a long story of a driver is cut', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'health.jsonl');
	const book = openExaminedBook(file);
	await book.note(7, found(1000, 'bad', 'x'.repeat(5000)));
	appendFileSync(file, '{"id":7,"at":2000,"grade":"great"}\nnull\n{"id":"7"}\n{"id":9,"at":1,"gra');
	appendFileSync(file, '\n{"id":9,"at":1,"grade":"ok","gpus":[{"index":0,"health":"fine"},7]}\n');
	expect(book.known()(7)?.gpus[0]?.evidence).toHaveLength(160);
	expect(book.known()(9)).toEqual({at: 1, grade: 'ok', gpus: []});
});

test('the file stays small, and without one the examinations of this run are known', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'health.jsonl');
	const book = openExaminedBook(file);
	for (let at = 0; at < 1500; at++) {
		// oxlint-disable-next-line no-await-in-loop -- one after the other, as a user examines
		await book.note(at % 40, found(at, 'ok', 'y'.repeat(120)));
	}
	expect(statSync(file).size).toBeLessThan(66 * 1024);
	const own = openExaminedBook(undefined);
	await own.note(7, found(1, 'ok'));
	expect(own.known()(7)?.grade).toBe('ok');
});
