import {execFileSync, spawnSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test, vi} from 'vitest';
import {runServiceWord} from '../../../source/commands/host/service.ts';
import {unitOf} from '../../../source/commands/host/unit.ts';
import {openFolder} from '../../helpers/folder.ts';
import {skipWithout} from '../../helpers/missing.ts';

const rentty = join(import.meta.dirname, '..', '..', '..', 'bin', 'rentty');
const noSystemd = skipWithout('systemd-analyze');

const KEY = 'b'.repeat(64);

/** A machine whose tools of systemd write down how they are called. */
function openMachine() {
	const folder = openFolder();
	const place = (name: string) => join(folder.path, name);
	mkdirSync(place('bin'));
	mkdirSync(place('units'));
	writeFileSync(place('key'), KEY, {mode: 0o600});
	const calls = place('calls');
	const tool = (name: string, then = '') => {
		writeFileSync(place(`bin/${name}`), `#!/bin/sh\necho "${name} $*" >> ${calls}\n${then}\n`);
		chmodSync(place(`bin/${name}`), 0o755);
	};
	for (const name of ['systemctl', 'systemd-sysusers', 'rentty']) tool(name);
	tool('journalctl', "printf 'one \\033]0;title\\007line\\n'");
	const system = {
		units: place('units'),
		users: place('users'),
		program: [place('bin/rentty')],
		isRoot: true,
	};

	/** What the command prints, and its exit code. */
	async function run(words: readonly string[], changes: Partial<typeof system> = {}) {
		const path = process.env['PATH'];
		let out = '';
		const spy = vi.spyOn(process.stdout, 'write').mockImplementation(text => {
			out += String(text);
			return true;
		});
		process.env['PATH'] = `${place('bin')}:${path}`;
		try {
			const code = await runServiceWord(words, {...system, ...changes});
			return {code, out};
		} finally {
			process.env['PATH'] = path;
			spy.mockRestore();
		}
	}

	const called = () =>
		existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').slice(0, -1) : [];
	const given = ['--market', 'https://market.example', '--key-file', place('key')];
	return {...folder, place, tool, run, called, given};
}

test('install writes a unit and its user, and starts it; the key stays where it is', async () => {
	using machine = openMachine();
	const {place, given} = machine;
	const words = ['install', ...given, '--price', '0.4', '--place', 'Sao "P" 100%, BR'];
	expect(await machine.run(words)).toMatchObject({code: 0});
	const unit = readFileSync(place('units/rentty-host.service'), 'utf8');
	expect(unit).toContain(
		`ExecStart=${place('bin/rentty')} host --market https://market.example --price 0.4 --place "Sao \\"P\\" 100%%, BR" --key-file %d/key --folder /var/lib/rentty-host/instances\n`,
	);
	expect(unit).toContain(`LoadCredential=key:${place('key')}\n`);
	// An agent whose container engine is away is tried again for as long as that takes.
	expect(unit).toContain('StartLimitIntervalSec=0\n');
	expect(unit).not.toContain(KEY);
	expect(readFileSync(place('users/rentty-host.conf'), 'utf8')).toContain('u rentty-host -');
	expect(machine.called()).toEqual([
		`systemd-sysusers ${place('users/rentty-host.conf')}`,
		'systemctl daemon-reload',
		'systemctl enable rentty-host.service',
		'systemctl restart rentty-host.service',
	]);
});

test('nothing is written where an option is wrong, root is missing, or the unit is printed alone', async () => {
	using machine = openMachine();
	const {given} = machine;
	const install = async (...words: readonly string[]) =>
		machine.run(['install', ...given, ...words]);
	await expect(install('--price', 'much')).rejects.toThrow('--price takes dollars');
	await expect(install('--service', '../x')).rejects.toThrow('--service takes small letters');
	await expect(install('--name', 'a\nUser=root')).rejects.toThrow('--name takes');
	await expect(machine.run(['install', ...given], {isRoot: false})).rejects.toThrow('needs root');
	const printed = await machine.run(['install', ...given, '--print'], {isRoot: false});
	expect(printed.out).toContain('User=rentty-host\n');
	expect((await install('--print', '--as-root')).out).not.toContain('User=');
	expect(machine.called()).toEqual([]);
});

test('what is said in the journal is printed without what would harm a terminal', async () => {
	using machine = openMachine();
	const {out} = await machine.run(['logs', '--lines', '5', '--follow']);
	expect(out).not.toContain('\u001B');
	expect(out).toContain('line');
	await machine.run(['status']);
	expect(machine.called()).toEqual([
		'journalctl --no-pager --output=cat --unit=rentty-host.service --lines=5 --follow',
		'systemctl status --no-pager --lines=0 rentty-host.service',
	]);
	await expect(machine.run(['logs', '--lines', 'all'])).rejects.toThrow('--lines takes');
});

test('upgrade restarts the agent once rentty is replaced, and not where that fails', async () => {
	using machine = openMachine();
	await machine.run(['upgrade', '--from', '/releases']);
	expect(machine.called()).toEqual([
		'rentty upgrade --yes --from /releases',
		'systemctl restart rentty-host.service',
	]);
	machine.tool('rentty', 'exit 3');
	expect(await machine.run(['upgrade'])).toMatchObject({code: 3});
	expect(machine.called().at(-1)).toBe('rentty upgrade --yes');
});

test('a word with control characters is in no unit', () => {
	const options = {program: [rentty], keyFile: '/key', caFile: undefined, service: 'x', groups: []};
	const unit = (args: readonly string[]) => unitOf({...options, args, isRoot: false});
	expect(() => unit(['--name', 'a\nUser=root'])).toThrow('No option of a unit');
	expect(() => unitOf({...options, args: [], isRoot: false, keyFile: '/a b'})).toThrow(
		'move the file',
	);
	expect(unit(['--name', '$HOME %h'])).toContain('--name "$$HOME %%h" ');
});

test.skipIf(noSystemd !== undefined)(
	'systemd takes the unit, and its own rating is better than without walls',
	() => {
		using folder = openFolder();
		const file = join(folder.path, 'rentty-host.service');
		const options = {
			program: [rentty],
			keyFile: '/etc/key',
			caFile: '/etc/ca',
			service: 'rentty-host',
		};
		const args = ['--market', 'https://market.example', '--place', 'Stockholm, SE'];
		const rate = (isRoot: boolean) => {
			writeFileSync(file, unitOf({...options, args, isRoot, groups: ['video']}));
			const {status, stderr} = spawnSync('systemd-analyze', ['verify', file], {encoding: 'utf8'});
			// Older ones do not know the last of its keys.
			const said = stderr
				.split('\n')
				.filter(line => line !== '' && !line.includes("'DelegateSubgroup'"));
			expect([status, said]).toEqual([0, []]);
			const rating = execFileSync('systemd-analyze', ['security', '--offline=yes', file], {
				encoding: 'utf8',
				stdio: 'pipe',
			});
			return Number(/exposure level for \S+: ([\d.]+)/.exec(rating)?.[1]);
		};
		expect(rate(false)).toBeLessThan(6.5);
		expect(rate(true)).toBeLessThan(9.6);
	},
);
