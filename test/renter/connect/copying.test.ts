import {expect, test} from 'vitest';
import {readProgress, parseFileLocation} from '../../../source/renter/connect/copying.ts';

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
