import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {debianPackage, nameOfDebian} from '../../build/release/debian.ts';
import {signMachO} from '../../build/release/sign-mach-o.ts';
import {openFolder} from '../helpers/folder.ts';
import {skipWithout} from '../helpers/missing.ts';

const noDpkg = skipWithout('dpkg') !== undefined;

test.skipIf(noDpkg)(
	'the Debian package installs, and leaves nothing when it is removed',
	async () => {
		using folder = openFolder();
		const contents = {version: '1.2.3', cpu: 'x64', licences: 'MIT\n'} as const;
		const program = Buffer.from('#!/bin/sh\necho rentty 1.2.3\n');
		const file = join(folder.path, nameOfDebian(contents));
		writeFileSync(file, await debianPackage({...contents, program}));
		const root = join(folder.path, 'root');
		for (const name of ['info', 'updates', 'triggers']) {
			mkdirSync(join(root, 'var/lib/dpkg', name), {recursive: true});
		}
		writeFileSync(join(root, 'var/lib/dpkg/status'), '');
		const dpkg = (...args: readonly string[]) => {
			const forced = [
				'--force-depends',
				'--force-architecture',
				'--force-not-root',
				'--log=/dev/null',
			];
			const {status, stderr} = spawnSync('dpkg', [`--root=${root}`, ...forced, ...args]);
			if (status !== 0) throw new Error(stderr.toString());
		};
		dpkg('--install', file);
		const installed = join(root, 'usr/bin/rentty');
		expect(spawnSync(installed).stdout.toString()).toBe('rentty 1.2.3\n');
		const page = spawnSync('gzip', ['-dc', join(root, 'usr/share/man/man1/rentty.1.gz')]);
		expect(page.stdout.toString()).toMatch(/^\.TH RENTTY 1/);
		const others = [
			'bash-completion/completions/rentty',
			'zsh/vendor-completions/_rentty',
			'fish/vendor_completions.d/rentty.fish',
			'doc/rentty/copyright',
			'doc/rentty/examples/rentty-market.service',
			'doc/rentty/examples/rentty-host.service',
		];
		expect(others.filter(name => !existsSync(join(root, 'usr/share', name)))).toEqual([]);
		dpkg('--verify', 'rentty');
		dpkg('--remove', 'rentty');
		expect(readdirSync(root)).toEqual(['var']);
	},
);

const noSystemd = skipWithout('systemd-analyze') !== undefined;

test.skipIf(noSystemd)('systemd finds no fault with the units', () => {
	using folder = openFolder();
	for (const name of ['rentty-market.service', 'rentty-host.service']) {
		const unit = readFileSync(join(import.meta.dirname, '../../packaging', name), 'utf8');
		const file = join(folder.path, name);
		writeFileSync(file, unit.replace('/usr/bin/rentty', '/bin/true'));
		const {status, stderr} = spawnSync('systemd-analyze', ['verify', file]);
		expect([status, stderr.toString()]).toEqual([0, '']);
	}
});

/** A program for macOS with nothing in it: two segments, and room for one more command. */
function emptyMachO(length: number): Buffer {
	const program = Buffer.alloc(length, 7);
	const segments = [
		{name: '__TEXT', from: 0, size: 4096},
		{name: '__LINKEDIT', from: 4096, size: length - 4096},
	];
	program.fill(0, 0, 512);
	program.writeUInt32LE(0xfeedfacf, 0);
	program.writeUInt32LE(segments.length, 16);
	program.writeUInt32LE(segments.length * 72, 20);
	for (const [at, {name, from, size}] of segments.entries()) {
		const place = 32 + at * 72;
		program.writeUInt32LE(0x19, place);
		program.writeUInt32LE(72, place + 4);
		program.write(name, place + 8);
		program.writeBigUInt64LE(BigInt(from), place + 40);
		program.writeBigUInt64LE(BigInt(size), place + 48);
	}
	return program;
}

test('a program for macOS is signed page by page, to its last byte', () => {
	const length = 3 * 4096 + 5;
	const signed = signMachO(emptyMachO(length), 'rentty');
	const command = 32 + 2 * 72;
	expect(signed.readUInt32LE(16)).toBe(3);
	expect(signed.readUInt32LE(command)).toBe(0x1d);
	const at = signed.readUInt32LE(command + 8);
	expect(at).toBe(length + 11);
	expect(at + signed.readUInt32LE(command + 12)).toBe(signed.length);
	// The last segment reaches to the end of the file.
	const linkEdit = 32 + 72;
	expect(signed.readBigUInt64LE(linkEdit + 40) + signed.readBigUInt64LE(linkEdit + 48)).toBe(
		BigInt(signed.length),
	);
	const directory = at + signed.readUInt32BE(at + 16);
	expect(signed.readUInt32BE(directory)).toBe(0xfade0c02);
	const [hashes, name] = [16, 20].map(place => signed.readUInt32BE(directory + place));
	expect(signed.toString('latin1', directory + (name ?? 0)).startsWith('rentty\0')).toBe(true);
	const pages = signed.readUInt32BE(directory + 28);
	expect(pages).toBe(4);
	for (let page = 0; page < pages; page++) {
		const bytes = signed.subarray(page * 4096, Math.min(at, (page + 1) * 4096));
		const hash = createHash('sha256').update(bytes).digest();
		const from = directory + (hashes ?? 0) + page * 32;
		expect(signed.subarray(from, from + 32).equals(hash)).toBe(true);
	}
	expect(() => signMachO(signed, 'rentty')).toThrow('is signed already');
	expect(() => signMachO(Buffer.alloc(64), 'rentty')).toThrow('no program for macOS');
});
