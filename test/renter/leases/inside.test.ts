import {spawn} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {sendLease} from '../../../source/renter/leases/send-lease.ts';
import {
	changeWatchdog,
	measureInside,
	readWatchdogState,
	saveInside,
	type RunInside,
} from '../../../source/renter/leases/inside.ts';
import {endlessLease, leaseKey} from '../../../source/renter/words/lease.ts';
import {watchdogTerms} from '../../../source/renter/leases/watchdog.ts';
import {noProcesses} from '../../helpers/host/local-host.ts';
import {openFolder} from '../../helpers/folder.ts';
import {lasts, NOW, openWatched, shells} from '../../helpers/commands/watchdog.ts';

const instance: Instance = {id: 7};
const {signal} = new AbortController();

/** A shell of this machine in the place of one that SSH opens. */
function inShell(
	home: string,
	[file = 'sh', ...args]: readonly string[] = ['/bin/sh'],
	PATH = '/usr/bin:/bin',
): RunInside {
	return async (_, script) => {
		const env = {HOME: home, PATH};
		const child = spawn(file, args, {env, stdio: ['pipe', 'pipe', 'ignore']});
		const ended = new Promise<number | null>(resolve => child.on('close', resolve));
		child.stdin.end(script);
		const out = await text(child.stdout);
		return (await ended) === 0 ? out : undefined;
	};
}

test.for(shells)(
	'a command is run once by whoever claims it first, in $shell',
	async ({command}) => {
		using folder = openFolder();
		const run = inShell(folder.path, command);
		const before = {command: 'echo "it\'s $HOME" >> saved', limitSeconds: 5, graceSeconds: 1};
		const both = [1, 2, 3].map(async () => saveInside(run, instance, {...before, attempt: 1}));
		const outcomes = new Set(await Promise.all(both));
		expect(outcomes.has('failed')).toBe(false);
		expect(await saveInside(run, instance, {...before, attempt: 1})).toBe('saved');
		expect(readFileSync(join(folder.path, 'saved'), 'utf8')).toBe(`it's ${folder.path}\n`);
	},
);

test('a command that fails, hangs or cannot be reached has failed', async () => {
	using folder = openFolder();
	const run = inShell(folder.path);
	const save = async (command: string, attempt: 1 | 2) =>
		saveInside(run, instance, {command, limitSeconds: 1, graceSeconds: 1, attempt});
	expect([await save('exit 3', 1), await save('sleep 600', 2)]).toEqual(['failed', 'failed']);
	const before = {command: 'true', limitSeconds: 1, graceSeconds: 1, attempt: 1} as const;
	expect(await saveInside(async () => undefined, instance, before)).toBe('failed');
	expect(await saveInside(async () => 'code=\u001B[2J0\n', instance, before)).toBe('failed');
});

test('what somebody else has begun is running until it says how it ended', async () => {
	using folder = openFolder();
	const run = inShell(folder.path);
	await run(instance, 'mkdir -p ~/.rentty/b1', 1000);
	const before = {command: 'touch ran', limitSeconds: 1, graceSeconds: 1, attempt: 1} as const;
	expect(await saveInside(run, instance, before)).toBe('running');
	await run(instance, 'echo 0 > ~/.rentty/b1/r', 1000);
	expect(await saveInside(run, instance, before)).toBe('saved');
	expect(existsSync(join(folder.path, 'ran'))).toBe(false);
});

test.skipIf(noProcesses !== undefined).for(shells)(
	'the network and who is inside are measured by files of the kernel, in $shell',
	async ({command}) => {
		using folder = openFolder();
		const measured = await measureInside(inShell(folder.path, command), instance);
		expect(measured?.sshSessions).toBeGreaterThanOrEqual(0);
	},
);

const says = async (out: string | undefined) => measureInside(async () => out, instance);

test('nonsense from inside measures nothing', async () => {
	expect(await says('bytes=0 sessions=0\n')).toEqual({networkBytes: undefined, sshSessions: 0});
	expect(await says('bytes=many sessions=0\n')).toBeUndefined();
	expect(await says(undefined)).toBeUndefined();
});

test('a watchdog is told of another lease, and its mark confirms it', async () => {
	await using world = await openWatched({lease: lasts(60)});
	const run = inShell(world.home);
	await expect.poll(world.hasReached).toBe(true);
	expect(await readWatchdogState(run, instance)).toMatchObject({
		key: leaseKey(lasts(60)),
		lacksClient: false,
	});
	const lease = lasts(7200);
	const terms = watchdogTerms({lease, now: NOW}) ?? '';
	const changed = await changeWatchdog(run, instance, {terms, key: leaseKey(lease)});
	expect(changed).toMatchObject({
		key: leaseKey(lease),
		lacksClient: false,
	});
	await world.passes(100);
	expect(await world.current()).toBe('running');
});

test('a changed lease brings its own command, which runs though another one has saved', async () => {
	await using world = await openWatched({lease: lasts(60), before: 'echo ordered >> saved'});
	const run = inShell(world.home);
	await run(instance, 'mkdir -p ~/.rentty/b1; echo 0 > ~/.rentty/b1/r', 1000);
	const before = {command: `printf 'it'"'"'s \\\\n' >> saved`, limitSeconds: 5, graceSeconds: 1};
	const found = await world.client.instances.show(world.id);
	const endsAt = Math.ceil(world.client.clock.now() / 1000) + 7200;
	const {enforcers} = await sendLease(
		{
			client: world.client,
			inside: run,
			name: '',
			folders: {state: undefined},
			now: Date.now,
			signal,
		},
		found ?? instance,
		() => ({...endlessLease, endsAt, before}),
	);
	expect(enforcers[0]).toMatchObject({who: 'watchdog', isConfirmed: true});
	await world.passes(7190);
	expect(world.file('saved')).toBe('');
	world.tick(20);
	await world.becomes('gone');
	expect(world.file('saved')).toBe("it's \\n");
});

test('a watchdog that cannot call the service says so in its mark', async () => {
	await using world = await openWatched({installed: [], lease: lasts(60)});
	const run = inShell(world.home, ['/bin/sh'], world.bin);
	expect(await readWatchdogState(run, instance)).toMatchObject({
		lacksClient: true,
		reachedSeconds: undefined,
	});
});
