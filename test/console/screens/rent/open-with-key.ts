import {openFolder} from '../../../helpers/folder.ts';
import {openTorch} from './open-rent.ts';
import type {RentTestOptions} from './open-rent.ts';

/** A console where an instance was rented whose own key is on the screen, and can be read. */
export async function openWithKey(options: RentTestOptions = {}) {
	const folder = openFolder();
	const environment = {LANG: 'C', HOME: folder.path};
	const rentty = await openTorch({environment, ...options});
	await rentty.openForm();
	await rentty.review();
	rentty.agree();
	await rentty.sees('Rented: instance 1');
	await rentty.leaveKey();
	rentty.type('Y');
	const shown = await rentty.sees('KEY OF INSTANCE');
	const key = shown.replaceAll('\n', '').match(/[0-9a-f]{64}/)?.[0] ?? 'none';
	rentty.pass(1000);
	return {
		...rentty,
		key,
		folder: folder.path,
		/** What is shown, with a key, a time and a last day of credit that are the same each time. */
		async frame() {
			const drawn = await rentty.shown();
			const known = drawn.replaceAll(key, '0123456789abcdef'.repeat(4));
			return known.replace(/\b12:41:\d\d$/m, '12:41:00').replace('750d ', '749d ');
		},
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			folder[Symbol.dispose]();
		},
	};
}
