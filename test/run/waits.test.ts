import {globSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {expect, test} from 'vitest';

const tests = join(import.meta.dirname, '..');

/** Files that let real time pass, and for what. */
const reasons: Readonly<Record<string, string>> = {
	'helpers/commands/commands.ts': 'words of a command that never come',
	'helpers/console/pty.ts': 'looks at a screen until it shows something; a slow line',
	'helpers/console/terminal.ts': 'looks at a screen until it shows something',
	'helpers/host/at-rest.ts': 'looks for what the end of a connection lets go of',
	'helpers/host/engine.ts': 'looks for the socket of an engine',
	'helpers/host/faulty-host.ts': 'a network that is slow to answer',
	'helpers/market/mixed-workload.ts': 'a client that was told to come again later',
	'helpers/market/postgres-server.ts': 'looks for a standby that has caught up',
	'helpers/market/postgres.ts': 'looks for the server that another process starts',
	'hostile/door-bytes.test.ts': 'sends until a door takes no more',
	'hostile/execs-container.test.ts': 'looks for what an engine was asked to do',
	'hostile/files.test.ts': 'swaps files as fast as it can, beside who reads them',
	'hostile/fuzz/innocent.ts': 'somebody who asks at a steady pace',
	'run/left-behind.ts': 'looks for processes that were told to end',
	'simulation/takeover/globals.ts': 'time of a simulated world, which lets none pass',
	'simulation/takeover/timers.ts': 'the same',
	'stories/host-faults.test.ts': 'faults at moments that chance picks',
	'stories/market-durability.test.ts': 'looks for work that others do',
	'stories/slow-line.test.ts': 'a key that is held repeats',
};

test('no test waits for time to pass but those that say for what', () => {
	const found = globSync('**/*.{ts,tsx}', {cwd: tests})
		.filter(file => !file.startsWith('bench/') && file !== relative(tests, import.meta.filename))
		.filter(file =>
			/(?<![.\w])(?:sleep|setTimeout)\(/.test(readFileSync(join(tests, file), 'utf8')),
		);
	expect(found.toSorted()).toEqual(Object.keys(reasons));
});
