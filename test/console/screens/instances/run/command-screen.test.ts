import {withoutBox} from '../../../../helpers/console/box.ts';
import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {openFleetMarket} from '../../../../helpers/fleet/fleet.ts';
import {openRunning} from '../open-running.ts';

let folder = '';

/** In the place of SSH: it runs the command here. */
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'rentty-run-'));
	const file = join(folder, 'ssh');
	writeFileSync(file, '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n');
	chmodSync(file, 0o755);
	vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
});

afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(folder, {recursive: true});
});

type Rentty = Awaited<ReturnType<typeof openRunning>>;

/** Runs a line in all that are listed. */
async function runInAll(rentty: Rentty, line: string): Promise<void> {
	rentty.type('*');
	await rentty.sees('4 marked');
	rentty.type('E');
	await rentty.sees('Run a command in 4 instances');
	rentty.type(line);
	await rentty.sees(`${line}_`);
	rentty.type('\r');
}

test('a command is asked for with what it means, at 80x24', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market);
	rentty.type('*');
	await rentty.sees('4 marked');
	rentty.type('E');
	expect(withoutBox(await rentty.sees('Run a command in'))).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  4 no end $0.24/h       * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		Run a command in 4 instances

		 $> _

		 2 train-c, 4 vllm-2, 1 train-a, 3 old-run
		 3 of them cannot be entered, and say why.
		 Runs in a shell as root, over SSH, without input.
		 Up recalls it later, unless it begins with a blank.

		 Enter sends it. Esc leaves it as it is.

		Enter send  Esc leave  Up before"
	`);
	rentty.type('\r');
	await rentty.sees('A command is needed.');
	rentty.type('\u001B');
	await rentty.sees('4 marked');
});

test('each instance has a row with what came of it, at 80x24', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market);
	await runInAll(rentty, String.raw`printf "one\ntwo\n"; exit 3`);
	expect(await rentty.sees(/exit 3 +2 two/)).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  4 no end $0.24/h       * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		$ printf "one\\ntwo\\n"; exit 3                                           4 failed
		--------------------------------------------------------------------------------
		         ID LABEL            STATE     LINES LAST LINE
		>         2 train-c          failed        0 it is loading
		|         4 vllm-2           failed        0 it is not there yet
		|         1 train-a          exit 3        2 two
		|         3 old-run          failed        0 it is exited











		------------------------------------------------------------------------ 1 of 4
		 2 train-c: failed, it is loading.

		Enter output  x stop  E another  y copy  Esc back  ? help  a actions  q quit"
	`);
});

test('the same at 140x40', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market, {columns: 140, rows: 40});
	await runInAll(rentty, 'echo fine');
	const shown = await rentty.sees('exit 0');
	expect(shown.split('\n')).toHaveLength(40);
	expect(shown.split('\n').slice(2, 9).join('\n')).toMatchInlineSnapshot(`
		"$ echo fine                                                                                                                 1 done, 3 failed
		--------------------------------------------------------------------------------------------------------------------------------------------
		         ID LABEL            STATE     LINES LAST LINE
		>         2 train-c          failed        0 it is loading
		|         4 vllm-2           failed        0 it is not there yet
		          1 train-a          exit 0        1 fine
		|         3 old-run          failed        0 it is exited"
	`);
});

test('Enter shows all that it wrote there, which is scrolled, searched and filtered as logs are', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market);
	rentty.type('E');
	await rentty.sees(`Run a command in ${market.running.id} train-a`);
	rentty.type('seq 1 200');
	await rentty.sees('seq 1 200_');
	rentty.type('\r');
	await rentty.sees(/exit 0 +200 200/);
	rentty.type('\r');
	await rentty.sees(/^1 train-a +follow on +200 lines +exit 0$[^]*^200$/m);
	rentty.type('&');
	await rentty.sees('only with> _');
	rentty.type('99\r');
	await rentty.sees('2 of 200 lines with "99"');
	rentty.type('\u001B');
	await rentty.sees(/exit 0 +200 200/);
});

test('nothing that a command writes does anything to the terminal', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market);
	rentty.type('E');
	await rentty.sees('Run a command in');
	rentty.type(String.raw`printf 'a\033]0;owned\007\033[2Jb'`);
	await rentty.sees("b'_");
	rentty.type('\r');
	await rentty.sees('exit 0');
	rentty.type('\r');
	await rentty.sees('follow on');
	expect(rentty.written()).not.toContain('\u001B]0;owned');
	expect(rentty.written()).not.toContain('\u001B[2Jb');
});

test('where SSH is refused for want of a key, the way to let one in is named', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market);
	await runInAll(rentty, 'echo "root@host: Permission denied (publickey)." >&2; exit 255');
	await rentty.sees('4 failed');
	rentty.type('jj');
	await rentty.sees('1 train-a: no key of yours is let in. J lets one into it.');
});

test('leaving while it runs is said to end it, and stopping asks first', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market);
	rentty.type('E');
	await rentty.sees('Run a command in');
	rentty.type('exec sleep 600');
	await rentty.sees('600_');
	rentty.type('\r');
	await rentty.sees('1 running');
	rentty.type('\u001B');
	await rentty.sees('3 of 4');
	rentty.type('\u0003');
	await rentty.sees('Not left: a command still runs in 1 of the instances. Again leaves');
	rentty.type('E');
	await rentty.sees('1 running');
	rentty.type('x');
	await rentty.sees('stops  it runs or waits in 1: its connections are closed');
});

test('the lines of earlier commands come back with Up, but for those behind a blank', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market);
	for (const line of ['echo first', ' echo secret']) {
		rentty.type('E');
		// oxlint-disable-next-line no-await-in-loop -- one after the other
		await rentty.sees('Run a command in');
		rentty.type(line);
		// oxlint-disable-next-line no-await-in-loop -- one after the other
		await rentty.sees(`$> ${line}_`);
		rentty.type('\r');
		// oxlint-disable-next-line no-await-in-loop -- one after the other
		await rentty.sees('exit 0');
		rentty.type('\u001B');
		// oxlint-disable-next-line no-await-in-loop -- one after the other
		await rentty.sees('3 of 4');
	}
	rentty.type('E');
	await rentty.sees('$> _');
	rentty.type('\u001B[A');
	await rentty.sees('$> echo first_');
	rentty.type('\u001B[A\u001B[B');
	await rentty.sees('$> _');
	rentty.type('\r');
	await rentty.sees(/exit 0 +1 secret/);
});
