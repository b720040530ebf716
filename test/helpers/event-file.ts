import {Buffer} from 'node:buffer';
import {maskedSum} from '../../source/renter/training/event-file.ts';

const varint = (value: number): Buffer => {
	const bytes: number[] = [];
	for (let left = value; ; left = Math.floor(left / 128)) {
		if (left < 128) return Buffer.from([...bytes, left]);
		bytes.push((left % 128) + 128);
	}
};

const key = (id: number, kind: number) => varint(id * 8 + kind);
const sized = (id: number, bytes: Buffer) =>
	Buffer.concat([key(id, 2), varint(bytes.length), bytes]);

function float(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeFloatLE(value);
	return bytes;
}

function double(value: number): Buffer {
	const bytes = Buffer.alloc(8);
	bytes.writeDoubleLE(value);
	return bytes;
}

/** Ways in which a scalar may be written. */
const forms = {
	simple: (value: number) => Buffer.concat([key(2, 5), float(value)]),
	/** Tensors: bytes, a packed list, a single one. */
	content: (value: number) =>
		sized(8, Buffer.concat([key(1, 0), varint(1), sized(4, float(value))])),
	packed: (value: number) =>
		sized(8, Buffer.concat([key(1, 0), varint(1), sized(5, float(value))])),
	double: (value: number) =>
		sized(8, Buffer.concat([key(1, 0), varint(2), key(6, 1), double(value)])),
} as const;

export type WrittenScalar = {
	readonly tag: string;
	readonly step: number;
	readonly value: number;
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly form?: keyof typeof forms;
};

/** A record of an event file with any message. */
export function recordOf(message: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.writeUInt32LE(message.length);
	return Buffer.concat([head, sum(head), message, sum(message)]);
}

function sum(bytes: Buffer): Buffer {
	const written = Buffer.alloc(4);
	written.writeUInt32LE(maskedSum(bytes));
	return written;
}

/** A record with one scalar, as trainers write it. */
export function eventOf({tag, step, value, at, form = 'simple'}: WrittenScalar): Buffer {
	const written = Buffer.concat([sized(1, Buffer.from(tag)), forms[form](value)]);
	const wall = Buffer.concat([key(1, 1), double(at / 1000)]);
	const steps = Buffer.concat([key(2, 0), varint(step)]);
	return recordOf(Buffer.concat([wall, steps, sized(5, sized(1, written))]));
}

/** The record with which every file begins. */
export const fileVersion = recordOf(
	Buffer.concat([key(1, 1), double(1_764_000_000), sized(3, Buffer.from('brain.Event:2'))]),
);
