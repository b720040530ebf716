/** Files that come with rentty: inside of it where it is one file, else beside the bundle. */
import {readFileSync} from 'node:fs';
import process from 'node:process';

const paths = {
	'rentty.1': 'man/rentty.1',
	'licences.txt': 'dist/licences.txt',
} as const;

type Sea = typeof import('node:sea');

/** The assets of the single executable; undefined for any other rentty. */
function assets(): Sea | undefined {
	const sea = process.getBuiltinModule('node:sea');
	return sea.isSea() ? sea : undefined;
}

export function isSingleFile(): boolean {
	return assets() !== undefined;
}

export function readBundled(name: keyof typeof paths): string {
	const root = import.meta.url.endsWith('.ts') ? '../../..' : '..';
	return (
		assets()?.getAsset(name, 'utf8') ??
		readFileSync(new URL(`${root}/${paths[name]}`, import.meta.url), 'utf8')
	);
}

/**
 * Origin of releases for the single executable: the public key that they are signed for, their
 * address, and the date of its own.
 */
type Origin = {
	readonly publicKey: string;
	readonly from?: string;
	readonly date?: string;
};

/** Undefined for a rentty that is no single executable. */
export function readOrigin(): Origin | undefined {
	const text = assets()?.getAsset('origin.json', 'utf8');
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the release wrote it
	return text === undefined ? undefined : (JSON.parse(text) as Origin);
}
