/** Native code can only be loaded from a file: it is written for the moment, where it may be. */
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {getAsset} from 'node:sea';
import {foldersOf} from '../../source/renter/files/folders.ts';

/** Folders of nobody but this user: who could put another file there could run it as this user. */
function* newFolders(): Generator<string> {
	const {cache} = foldersOf(process.env);
	for (const parent of [tmpdir(), cache, '/dev/shm']) {
		try {
			if (parent === cache) mkdirSync(parent, {recursive: true, mode: 0o700});
			yield mkdtempSync(join(parent, 'rentty-native-'));
		} catch {
			// There may be room in the next one.
		}
	}
}

function write(folder: string, name: string): string {
	const file = join(folder, name);
	writeFileSync(file, Buffer.from(getAsset(name)));
	chmodSync(file, 0o700);
	return file;
}

/** Loads a native part. Once it is loaded, its file is needed no more. */
export function requireBinary(name: string): unknown {
	for (const folder of newFolders()) {
		const module: {exports: unknown} = {exports: {}};
		try {
			process.dlopen(module, write(folder, name));
			return module.exports;
		} catch {
			// A folder from which nothing may be run, or a full one.
		} finally {
			rmSync(folder, {recursive: true, force: true});
		}
	}
	throw new Error(
		`Terminals need a folder from which programs may be run, and ${tmpdir()} is none: TMPDIR names another one.`,
	);
}

/** A program of its own as a file, until rentty ends. */
export function fileOf(name: string): string {
	for (const folder of newFolders()) {
		process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
		return write(folder, name);
	}
	throw new Error(
		`Terminals need a folder to write to, and ${tmpdir()} is none: TMPDIR names another one.`,
	);
}
