/** Files that several processes change, each without losing what another has written. */
import {mkdir} from 'node:fs/promises';
import {dirname} from 'node:path';
import {withLock} from './file-lock.ts';
import {openFileWriter, replaceFile} from './files.ts';

/**
 * Replaces one file repeatedly, as `openFileWriter` does.
 *
 * @param makeText made under the lock: the file may differ from the last read
 * @param onWritten called under the lock, once the text is there
 */
export function openSharedWriter(
	file: string,
	makeText: () => string,
	onWritten = () => {},
): () => Promise<void> {
	const write = openFileWriter(file, async () => {
		await mkdir(dirname(file), {recursive: true, mode: 0o700});
		await withLock(file, async () => {
			await replaceFile(file, makeText());
			onWritten();
		});
	});
	return async () => write(() => '');
}
