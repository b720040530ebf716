export * from 'node:crypto';
export {randomBytes, randomUuid as randomUUID} from '../globals.ts';
import {scryptSync} from 'node:crypto';
import {randomBytes} from '../globals.ts';

/** From a least number, or 0, to below another. */
export function randomInt(first: number, second?: number): number {
	const [least, below] = second === undefined ? [0, first] : [first, second];
	return least + (randomBytes(6).readUIntBE(0, 6) % (below - least));
}

/** On no other thread: its answer comes at a moment that the world decides. */
export function scrypt(
	password: string,
	salt: Buffer,
	length: number,
	done: (error: null, key: Buffer) => void,
): void {
	const key = scryptSync(password, salt, length, {N: 16});
	setImmediate(() => done(null, key));
}
