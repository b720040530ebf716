import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {skipFor} from '../helpers/missing.ts';
import {runPlantedCi} from '../helpers/planted-ci.ts';

/** Lines of a test file that says that it has begun, and whatever it then does. */
const file = (name: string, lines: string) => `
import {appendFileSync} from 'node:fs';
import {spawn} from 'node:child_process';
import {expect, test} from 'vitest';
const say = word => appendFileSync(process.env.PLANTED + '/planted', word + '\\n');
test('${name}', async () => {${lines}});
`;

/** The limit of the tests is reached when all of them have begun: no clock decides. */
const patientSleep = (begun: number) => `
if [ "$1" = 777 ]; then
	until [ -e "$PLANTED/planted" ] && [ "$(wc -l < "$PLANTED/planted")" -ge ${begun} ]; do /bin/sleep 0.05; done
else
	exec /bin/sleep "$@"
fi
`;

const never = 'await new Promise(() => {});';

/** Whether a process goes on; one that has ended may wait for a parent to ask how. */
const isRunning = (pid: string) => {
	const {stdout} = spawnSync('ps', ['-o', 'stat=', '-p', pid], {encoding: 'utf8'});
	return !/^Z|^$/.test(stdout.trim());
};

test('tests that never end are named, and all that they started is ended', async () => {
	const {code, output, planted} = await runPlantedCi({
		tests: {
			'loop.test.ts': file('loops', `say('loop'); for (;;) Math.random();`),
			'promise.test.ts': file('waits', `say('promise'); setInterval(() => {}, 1000); ${never}`),
			'deaf.test.ts': file(
				'has a child that ignores SIGTERM',
				`const {pid} = spawn('sh', ['-c', 'trap "" TERM; while :; do sleep 1; done']); say(String(pid)); ${never}`,
			),
			'session.test.ts': file(
				'has a child in a session of its own',
				`const child = spawn('sleep', ['100000'], {detached: true}); child.unref(); say(String(child.pid)); ${never}`,
			),
		},
		programs: {sleep: patientSleep(4)},
		env: {CI_LIMIT_TEST: '777', CI_LIMIT_REST: '60'},
	});
	expect(output).toContain('== test: not over after 777 s');
	for (const name of ['loop', 'promise', 'deaf', 'session']) {
		expect(output).toMatch(new RegExp(`under way: test/${name}\\.test\\.ts .*, since \\d\\d:`));
	}
	const children = planted.filter(line => /^\d+$/.test(line));
	expect(children).toHaveLength(2);
	expect(children.filter(isRunning)).toEqual([]);
	expect(code).toBe(1);
	expect(output.trim().split('\n').at(-1)).toMatch(/^\d+ passed, [1-9]\d* failed, 0 skipped$/);
});

test('a file that fails once by chance is told, and the run is green', async () => {
	const {code, output} = await runPlantedCi({
		tests: {
			'chance.test.ts': file(
				'holds',
				`const {existsSync} = await import('node:fs');
				const isFirst = !existsSync(process.env.PLANTED + '/planted'); say('ran'); expect(isFirst).toBe(false);`,
			),
		},
	});
	expect(output).toContain('flaky: test/chance.test.ts > holds');
	expect(output.trim().split('\n').at(-1)).toBe('1 passed, 0 failed, 0 skipped');
	expect(code).toBe(0);
});

test('a file that fails twice makes the run red', async () => {
	const {code, output} = await runPlantedCi({
		tests: {'wrong.test.ts': file('holds', 'expect(1).toBe(2);')},
	});
	expect(output).toContain('failed: test/wrong.test.ts > holds');
	expect(output.trim().split('\n').at(-1)).toBe('0 passed, 1 failed, 0 skipped');
	expect(code).toBe(1);
});

const hangs = 'exec /bin/sleep 100000';

test('packages that never come are done without', async () => {
	const {code, output} = await runPlantedCi({
		tests: {'right.test.ts': file('holds', 'expect(1).toBe(1);')},
		programs: {'apt-get': hangs, dpkg: 'exit 1', id: 'echo 0'},
		env: {CI_LIMIT_PACKAGES: '1'},
	});
	expect(output).toContain('== packages: not over after 1 s');
	expect([code, output.trim().split('\n').at(-1)]).toEqual([0, '1 passed, 0 failed, 0 skipped']);
});

test('an npm that never answers is tried twice, and then the run is red', async () => {
	const {code, output} = await runPlantedCi({
		programs: {npm: `[ "$*" = install ] && ${hangs}`},
		env: {CI_LIMIT_INSTALL: '1'},
	});
	expect(output.match(/== install: not over after 1 s/g)).toHaveLength(2);
	expect([code, output.trim().split('\n').at(-1)]).toEqual([1, '0 passed, 1 failed']);
});

test('where no time is left for a step, the run is red', async () => {
	const {code, output} = await runPlantedCi({env: {CI_LIMIT: '0'}});
	expect(output).toContain('install: no time is left for it');
	expect([code, output.trim().split('\n').at(-1)]).toEqual([1, '0 passed, 1 failed']);
});

const own = ['unshare', '--map-root-user', '--mount', 'sh', '-c'];
const noMounts = skipFor(
	spawnSync(own[0] ?? '', [...own.slice(1), 'mount -t tmpfs none /mnt']).status === 0
		? undefined
		: 'this machine gives no mounts of its own',
);

test.skipIf(noMounts !== undefined)('a disk that is full makes the run red', async () => {
	const full = `mkdir "$PLANTED/full" && mount -t tmpfs -o size=16k none "$PLANTED/full" &&
		export TMPDIR="$PLANTED/full" && { head -c 99999 /dev/zero > "$TMPDIR/zeros" 2>&-; exec "$@"; }`;
	const {code, output} = await runPlantedCi({
		tests: {'right.test.ts': file('holds', 'expect(1).toBe(1);')},
		under: [...own, full, 'sh'],
	});
	expect([code, output.trim().split('\n').at(-1)]).toEqual([
		1,
		expect.stringMatching(/[1-9]\d* failed/),
	]);
});
