/** The Debian package: the executable, its manual and completions, and units for systemd as examples. */
import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {completionScripts} from '../../source/commands/completions.ts';
import {arOf, tarOf} from './tar.ts';
import type {Entry} from './tar.ts';

const root = join(import.meta.dirname, '..', '..');

const architectures = {x64: 'amd64', arm64: 'arm64'} as const;

type Contents = {
	readonly version: string;
	readonly cpu: keyof typeof architectures;
	readonly program: Buffer;
	readonly licences: string;
};

export function nameOfDebian({version, cpu}: Pick<Contents, 'version' | 'cpu'>): string {
	return `rentty_${version}_${architectures[cpu]}.deb`;
}

export async function debianPackage(contents: Contents): Promise<Buffer> {
	const files = await filesOf(contents);
	const sums = files.map(({path, content = ''}) => {
		const hash = createHash('md5').update(content).digest('hex');
		return `${hash}  ${path}\n`;
	});
	const about: readonly Entry[] = [
		{path: 'control', content: control(contents, files)},
		{path: 'md5sums', content: sums.join('')},
	];
	return arOf([
		['debian-binary', Buffer.from('2.0\n')],
		['control.tar.gz', gzipSync(tarOf(about))],
		['data.tar.gz', gzipSync(tarOf(files))],
	]);
}

async function filesOf({program, licences}: Contents): Promise<readonly Entry[]> {
	const {bash, zsh, fish} = completionScripts;
	const units = ['rentty-market.service', 'rentty-host.service'];
	return [
		{path: 'usr/bin/rentty', content: program, mode: 0o755},
		{
			path: 'usr/share/man/man1/rentty.1.gz',
			content: gzipSync(await readFile(join(root, 'man', 'rentty.1'))),
		},
		{path: 'usr/share/bash-completion/completions/rentty', content: bash},
		{path: 'usr/share/zsh/vendor-completions/_rentty', content: zsh},
		{path: 'usr/share/fish/vendor_completions.d/rentty.fish', content: fish},
		{path: 'usr/share/doc/rentty/copyright', content: licences},
		...(await Promise.all(
			units.map(async name => ({
				path: `usr/share/doc/rentty/examples/${name}`,
				content: await readFile(join(root, 'packaging', name)),
			})),
		)),
	];
}

function control({version, cpu}: Contents, files: readonly Entry[]): string {
	const bytes = files.reduce((total, {content = ''}) => total + content.length, 0);
	const fields = {
		Package: 'rentty',
		Version: version,
		Architecture: architectures[cpu],
		Maintainer: 'rentty <rentty@localhost>',
		'Installed-Size': String(Math.ceil(bytes / 1024)),
		Depends: 'libc6 (>= 2.28), libstdc++6, libgcc-s1, libatomic1',
		Recommends: 'openssh-client',
		Suggests: 'bubblewrap',
		Section: 'net',
		Priority: 'optional',
		Description: 'terminal console for renting GPUs, and the marketplace behind it',
	};
	return Object.entries(fields)
		.map(([name, value]) => `${name}: ${value}\n`)
		.join('');
}
