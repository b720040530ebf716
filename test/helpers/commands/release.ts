/** Releases of programs that are as small as tests want them, signed by the key of tests. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import {join} from 'node:path';
import process from 'node:process';
import {gzipSync} from 'node:zlib';
import {installerOf, writeSums} from '../../../build/release/sign.ts';
import type {Signer} from '../../../build/release/sign.ts';
import {testSigner} from './single.ts';

/** A program that says which rentty it is, and has completions. */
export function programOf(version: string): string {
	return `#!/bin/sh
case $1 in
	--version) echo 'rentty ${version}' ;;
	completions) echo "words for $2" ;;
	doctor) printf '%s\\tmade again\\n/home/you/.config/rentty\\n' "$HOME/.cache/rentty" ;;
esac
`;
}

const RELEASED = '2026-05-06T07:08:09Z';

type Released = {
	readonly version: string;
	/** @default a day of 2026 */
	readonly date?: string;
	readonly program?: string | Buffer;
	readonly signer?: Signer;
};

/** Puts a release for this platform into a folder. */
export async function makeRelease(
	folder: string,
	{version, date = RELEASED, program = programOf(version), signer = testSigner()}: Released,
): Promise<void> {
	mkdirSync(folder, {recursive: true});
	const name = `rentty-${version}-${process.platform}-${process.arch}.gz`;
	writeFileSync(join(folder, name), gzipSync(program, {level: 1}));
	const release = {version, date};
	await writeSums(folder, [name], {signer, release});
	const script = await installerOf(testSigner(), {release, from: undefined});
	writeFileSync(join(folder, 'install.sh'), script);
}

/** Serves a folder, or one page for whatever is asked, and says what was asked. */
export async function serve(
	from: {readonly folder: string} | {readonly page: string; readonly status?: number},
) {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(request.url ?? '');
		const name = new URL(request.url ?? '', 'http://any').pathname.slice(1);
		if ('page' in from) {
			response.writeHead(from.status ?? 200, {'content-type': 'text/html'}).end(from.page);
		} else {
			readFile(join(from.folder, name.replaceAll('/', ''))).then(
				content => response.end(content),
				() => response.writeHead(404).end(),
			);
		}
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		asked,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
