import {Buffer} from 'node:buffer';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {bytesIn, maskedSum, readEvents} from '../../../source/renter/training/event-file.ts';
import {eventOf, fileVersion, recordOf} from '../../helpers/event-file.ts';

const NOON = Date.UTC(2026, 10, 23, 12);
const loss = (step: number) => ({tag: 'train/loss', step, value: 2.5, at: NOON + step * 1000});

test('checksums are those of Castagnoli, masked', () => {
	// Its check value for these nine bytes is e3069283.
	const sum = 0xe3_06_92_83;
	const masked = (((sum >>> 15) | (sum << 17)) + 0xa2_82_ea_d8) >>> 0;
	expect(maskedSum(Buffer.from('123456789'))).toBe(masked);
});

test.each(['simple', 'content', 'packed', 'double'] as const)(
	'scalars that are written as %s are read with their step and moment',
	form => {
		const bytes = Buffer.concat([fileVersion, eventOf({...loss(20_000), form})]);
		expect(readEvents(bytes)).toEqual({
			scalars: [{tag: 'train/loss', step: 20_000, value: 2.5, at: NOON + 20_000_000}],
			used: bytes.length,
			isDamaged: false,
		});
	},
);

test('a file in pieces of any length is read as a whole, and a torn end waits for its rest', () => {
	const whole = Buffer.concat([fileVersion, ...[1, 2, 3, 4].map(step => eventOf(loss(step)))]);
	fc.assert(
		fc.property(fc.array(fc.integer({min: 1, max: 90})), sizes => {
			const steps: number[] = [];
			let at = 0;
			for (const size of [...sizes, whole.length]) {
				const {scalars, used, isDamaged} = readEvents(whole.subarray(at, at + size));
				expect(isDamaged).toBe(false);
				steps.push(...scalars.map(({step}) => step));
				at += used;
			}
			expect(steps).toEqual([1, 2, 3, 4]);
		}),
	);
});

test('a record that is changed anywhere gives nothing that was not written, and ends the reading', () => {
	const first = eventOf(loss(1));
	const whole = Buffer.concat([first, eventOf(loss(2)), eventOf(loss(3))]);
	fc.assert(
		fc.property(fc.nat(first.length - 1), fc.integer({min: 1, max: 255}), (at, change) => {
			const bytes = Buffer.from(whole);
			const place = first.length + at;
			bytes.writeUInt8((bytes[place] ?? 0) ^ change, place);
			const {scalars, used, isDamaged} = readEvents(bytes);
			expect([scalars.map(({step}) => step), used, isDamaged]).toEqual([[1], first.length, true]);
		}),
	);
});

test('a long record is passed over without being held, also where it ends far behind the piece', () => {
	const picture = recordOf(Buffer.alloc(500_000));
	const whole = Buffer.concat([eventOf(loss(1)), picture, eventOf(loss(2))]);
	const {scalars, used, isDamaged} = readEvents(whole.subarray(0, 1000));
	expect([scalars.length, isDamaged]).toEqual([1, false]);
	expect(readEvents(whole.subarray(used)).scalars).toMatchObject([{step: 2}]);
});

test('a length of many gigabytes is damage', () => {
	const head = Buffer.alloc(8, 0xff);
	const sum = Buffer.alloc(4);
	sum.writeUInt32LE(maskedSum(head));
	expect(readEvents(Buffer.concat([head, sum]))).toMatchObject({used: 0, isDamaged: true});
});

test('whatever a message holds, reading it ends, and gives numbers with whole steps alone', () => {
	fc.assert(
		fc.property(fc.uint8Array({maxLength: 200}), bytes => {
			const {scalars, isDamaged} = readEvents(recordOf(Buffer.from(bytes)));
			expect(isDamaged).toBe(false);
			for (const {step, value} of scalars)
				expect([Number.isSafeInteger(step), typeof value]).toEqual([true, 'number']);
		}),
	);
});

test('bytes come as base64 or as hexadecimal pairs, and nothing else is taken for them', () => {
	const bytes = Buffer.from([0, 1, 254, 255]);
	expect(bytesIn(`${bytes.toString('base64')}\n`, '64')).toEqual(new Uint8Array(bytes));
	expect(bytesIn(' 00 01\n fe ff\n', 'hex')).toEqual(new Uint8Array(bytes));
	expect(bytesIn('', '64')).toEqual(new Uint8Array());
	expect(bytesIn('base64: not found', '64')).toBe(undefined);
	expect(bytesIn('0', 'hex')).toBe(undefined);
});
