import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	copyFiles,
	readProgress,
	parseFileLocation,
} from '../../../source/renter/connect/copying.ts';
import {openFolder} from '../../helpers/folder.ts';

test('places of files are written as other clients have them', () => {
	const places = [
		'7:/workspace/x',
		'C.7:x',
		'train a:/x:y',
		'V.12:/data',
		'local:x:y',
		'./a:b',
		'x',
	];
	expect(places.map(parseFileLocation)).toEqual([
		{kind: 'instance', name: '7', path: '/workspace/x'},
		{kind: 'instance', name: '7', path: 'x'},
		{kind: 'instance', name: 'train a', path: '/x:y'},
		{kind: 'volume', id: 12, path: '/data'},
		{kind: 'here', path: 'x:y'},
		{kind: 'here', path: './a:b'},
		{kind: 'here', path: 'x'},
	]);
});

test('what names no path, no instance or a cloud is said to', () => {
	expect(() => parseFileLocation('7')).toThrow('7 needs a path: 7:/workspace is in the instance');
	expect(() => parseFileLocation('7:')).toThrow('"7:" needs a path');
	expect(() => parseFileLocation(':x')).toThrow(':x names no instance before its colon.');
	expect(() => parseFileLocation('s3.101:/x')).toThrow('rentty copies from and to no cloud');
	expect(() => parseFileLocation('')).toThrow('needs a path');
	expect(() => parseFileLocation('7:a\0b')).toThrow('needs a path');
});

test('progress is read of the lines of rsync alone', () => {
	expect(readProgress('    25,000   3%   12.34MB/s    0:00:12')).toBeUndefined();
	expect(readProgress('  25000000  62%   12.34MB/s    0:00:12 (xfr#1, to-chk=0/1)')).toEqual({
		bytes: 25_000_000,
		percent: 62,
		speed: '12.34MB/s',
		left: '0:00:12',
	});
});

test('of complaints without end the first are printed, and the others counted', async () => {
	using folder = openFolder();
	const rsync = join(folder.path, 'rsync');
	const lines = [
		'[ "$1" = --version ] && echo "rsync  version 3.2.7  protocol version 31" && exit 0',
		'for at in $(seq 1000); do echo "rsync: [sender] no access $at" >&2; done',
		'exit 23',
	];
	writeFileSync(rsync, `#!/bin/sh\n${lines.join('\n')}\n`);
	chmodSync(rsync, 0o755);
	const printed: string[] = [];
	const copied = await copyFiles(
		{kind: 'direct', host: '203.0.113.24', port: 40_112},
		{isUpload: true, local: './data', remote: '/workspace/'},
		{
			environment: {PATH: `${folder.path}:/usr/bin:/bin`},
			signal: new AbortController().signal,
			onProgress() {},
			printLine: line => printed.push(line),
		},
	);
	expect(copied).toMatchObject({program: 'rsync', problem: 'some files could not be copied'});
	expect(printed).toHaveLength(201);
	expect(printed.at(199)).toBe('rsync: [sender] no access 200');
	expect(printed.at(200)).toBe('and 800 more');
});
