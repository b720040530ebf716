import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {
	composeOnstart,
	ownOnstart,
	watchdogScript,
} from '../../../source/renter/leases/watchdog.ts';
import {countCharacters} from '../../../source/contract/grammar/harmless-text.ts';
import {lasts, NOW, openWatched, shells} from '../../helpers/commands/watchdog.ts';

const watchdog = watchdogScript({lease: lasts(60), url: 'http://127.0.0.1:9', now: NOW}) ?? '';

test('scripts stand together where they fit, with the line of their shell first', () => {
	expect(composeOnstart({watchdog, onstart: 'echo hi'})).toEqual({
		onstart: `${watchdog}echo hi`,
		isCompressed: false,
	});
	const bash = composeOnstart({watchdog, onstart: '#!/bin/bash\necho hi'});
	expect(bash?.onstart).toBe(`#!/bin/bash\n${watchdog}echo hi`);
});

test('a script that is too long is compressed, and one that cannot be is refused', () => {
	const long = 'echo "one more line of a long script"\n'.repeat(100);
	const composed = composeOnstart({watchdog, onstart: long});
	expect(composed?.isCompressed).toBe(true);
	expect(countCharacters(composed?.onstart ?? '')).toBeLessThanOrEqual(4048);
	const noise = Array.from({length: 4000}, (_, at) =>
		String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
	);
	expect(composeOnstart({watchdog, onstart: noise.join('')})).toBeUndefined();
	expect(composeOnstart({watchdog, onstart: long, argumentsLength: 4000})).toBeUndefined();
});

const long = 'echo "one more line of a long script"\n'.repeat(100);

test.each([
	'',
	'echo hi',
	'#!/bin/bash\necho hi\n',
	long,
	`#!/bin/sh\n${long}`,
	`#!/usr/bin/python3\n${long}`,
])('another instance gets the own script alone, and no watchdog of the first: %.20j', onstart => {
	const composed = composeOnstart({watchdog, onstart});
	expect(composed?.onstart).toContain('.rentty');
	expect(ownOnstart(composed?.onstart ?? '')).toBe(onstart);
});

test('what only looks like a watchdog, or is packed to grow without end, does no harm', () => {
	const half = '((cd "${HOME:-/root}";mkdir -p .rentty;cd .rentty||exit; echo';
	expect(ownOnstart(half)).toBe(half);
	expect(ownOnstart('echo hi')).toBe('echo hi');
	const bomb = gzipSync('x'.repeat(1_000_000)).toString('base64');
	expect(ownOnstart(`${watchdog}eval "$(echo ${bomb}|base64 -d|gzip -d)"\n`)).toBe('');
});

test.for(shells)('a compressed script runs as it would have, in $shell', async ({command}) => {
	const onstart = `${'# a long comment that says nothing new\n'.repeat(100)}a=5; echo "a is $a" > said\n`;
	await using world = await openWatched({
		command,
		onstart,
		installed: ['curl', 'base64', 'gzip'],
		lease: lasts(60),
	});
	expect(world.composed.isCompressed).toBe(true);
	await expect.poll(() => world.file('said')).toBe('a is 5\n');
});

test('a script of another interpreter is started by it', async () => {
	const onstart = '#!/usr/bin/env python3\nopen("said", "w").write("hi from python")\n';
	await using world = await openWatched({
		onstart,
		installed: ['curl', 'base64', 'gzip', 'python3', 'mktemp', 'chmod', 'env'],
		lease: lasts(60),
	});
	await expect.poll(() => world.file('said')).toBe('hi from python');
	await world.passes(60);
	await world.becomes('gone');
});
