import {spawnSync} from 'node:child_process';
import {
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {array, assert, property, record, string, uniqueArray, nat} from 'fast-check';
import {expect, test} from 'vitest';
import {withLock} from '../../../source/client/files/file-lock.ts';
import {openSshConfig, sshEntries, sshNames} from '../../../source/renter/connect/ssh-config.ts';
import {noOpenSsh} from '../../helpers/host/open-ssh.ts';

const folderIn = (home: string) => join(home, 'a "settings" folder');
const configOf = (home: string, service: string) =>
	openSshConfig({home, folder: folderIn(home)}, service);

/** Somebody's own folder, with a configuration of SSH in it. */
function openHome(text = '') {
	const home = mkdtempSync(join(tmpdir(), 'rentty home '));
	const file = join(home, '.ssh', 'config');
	mkdirSync(join(home, '.ssh'), {mode: 0o700});
	writeFileSync(file, text, {mode: 0o600});
	return {
		home,
		file,
		config: configOf(home, 'prod'),
		/** Configuration as another service's console has it. */
		other: configOf(home, 'lab'),
		text: () => readFileSync(file, 'utf8'),
		/** What OpenSSH itself makes of a name. */
		resolve(name: string): Readonly<Record<string, string | undefined>> {
			const {stdout} = spawnSync('ssh', ['-G', '-F', file, '--', name], {encoding: 'utf8'});
			const words = stdout.split('\n').map(line => /^(\S+) (.*)$/.exec(line));
			return Object.fromEntries(words.map(found => [found?.[1] ?? '', found?.[2] ?? '']));
		},
		/** Every value of an option that OpenSSH has for a name. */
		all(name: string, option: string): readonly string[] {
			const {stdout} = spawnSync('ssh', ['-G', '-F', file, '--', name], {encoding: 'utf8'});
			const lines = stdout.split('\n').filter(line => line.startsWith(`${option} `));
			return lines.map(line => line.slice(option.length + 1));
		},
		[Symbol.dispose]: () => rmSync(home, {recursive: true, force: true}),
	};
}

const instance = (id: number, label: string, host = '203.0.113.24') => ({
	id,
	label,
	public_ipaddr: host,
	machine_dir_ssh_port: 40_112,
});

const knownIn = (folder: string) => (id: number) => ({
	file: join(folder, 'known 100% hosts'),
	alias: `rentty-prod-${id}-direct`,
});

const entriesOf = (
	instances: readonly ReturnType<typeof instance>[],
	folder: string,
	identities: readonly string[] = [],
) => sshEntries(instances, sshNames(instances), {known: knownIn(folder), identities});

test.skipIf(noOpenSsh !== undefined)(
	'OpenSSH finds an instance by its name, with a file of its own for the keys of hosts',
	async () => {
		using user = openHome('Host *\n  User me\n');
		await user.config.include();
		await user.config.write(() => entriesOf([instance(7, 'train a "x"')], user.home));
		expect(user.resolve('rentty-train-a-x')).toMatchObject({
			hostname: '203.0.113.24',
			port: '40112',
			user: 'root',
			stricthostkeychecking: 'accept-new',
			hostkeyalias: 'rentty-prod-7-direct',
			userknownhostsfile: join(user.home, 'known 100% hosts'),
		});
		expect(user.resolve('elsewhere')).toMatchObject({user: 'me'});
	},
);

test.skipIf(noOpenSsh !== undefined)(
	'OpenSSH reads from there which private keys to try',
	async () => {
		using user = openHome();
		await user.config.include();
		const keys = [join(user.home, '.ssh', 'a "work" key'), join(user.home, '.ssh', '100%')];
		await user.config.write(() => entriesOf([instance(7, 'a')], user.home, keys));
		// It shows files before it replaces what follows a percent sign.
		const shown = user.all('rentty-a', 'identityfile').map(file => file.replace('%%', '%'));
		expect(shown).toEqual(keys);
		expect(user.text()).not.toContain('IdentitiesOnly');
	},
);

test('names that stay as they are are not written, and wait for no other console', async () => {
	using user = openHome();
	const write = async () => user.config.write(() => ['Host rentty-train']);
	await write();
	const own = join(folderIn(user.home), 'ssh_config');
	const before = statSync(own).ino;
	await withLock(own, async () => {
		const owner = readlinkSync(`${own}.lock`);
		await write();
		// Whoever waits for a lock breaks it in the end.
		expect(readlinkSync(`${own}.lock`)).toBe(owner);
	});
	expect(statSync(own).ino).toBe(before);
	expect(readFileSync(own, 'utf8')).toContain('Host rentty-train');
});

test('the line is put at the top of the file once, and nothing else in it is changed', async () => {
	const own = 'Host a\n  User b\r\n# é\n';
	using user = openHome(own);
	expect(await user.config.isIncluded()).toBe(false);
	await user.config.include();
	await user.config.include();
	expect(user.text()).toBe(`${user.config.line}\n\n${own}`);
	expect(await user.config.isIncluded()).toBe(true);
	expect(statSync(user.file).mode & 0o777).toBe(0o600);
});

test('what is not UTF-8 in the file stays as it is', async () => {
	using user = openHome();
	const own = Buffer.from('# M\u00FCller\nHost a\n', 'latin1');
	writeFileSync(user.file, own);
	await user.config.include();
	const line = Buffer.from(`${user.config.line}\n\n`);
	expect(readFileSync(user.file)).toEqual(Buffer.concat([line, own]));
});

test('a configuration that is a link to another file stays one', async () => {
	using user = openHome();
	const kept = join(user.home, 'dotfiles');
	writeFileSync(kept, '# mine\n', {mode: 0o644});
	rmSync(user.file);
	symlinkSync(kept, user.file);
	await user.config.include();
	expect(lstatSync(user.file).isSymbolicLink()).toBe(true);
	expect(readFileSync(kept, 'utf8')).toBe(`${user.config.line}\n\n# mine\n`);
	expect(statSync(kept).mode & 0o777).toBe(0o644);
});

test('who has no configuration of SSH gets one that nobody else can read', async () => {
	using user = openHome();
	rmSync(join(user.home, '.ssh'), {recursive: true});
	await user.config.include();
	expect(user.text()).toBe(`${user.config.line}\n\n`);
	expect(statSync(join(user.home, '.ssh')).mode & 0o777).toBe(0o700);
	expect(statSync(user.file).mode & 0o777).toBe(0o600);
});

const names = (...labels: readonly string[]) => [
	...sshNames(labels.map((label, index) => instance(index + 1, label))).values(),
];

test('two instances never have one name, whatever their labels are', () => {
	expect(names('train a', 'b', '')).toEqual(['rentty-train-a', 'rentty-b', 'rentty-3']);
	expect(names('a', 'A')).toEqual(['rentty-a-1', 'rentty-A-2']);
	// The second of those that are called a would have the name of the third.
	expect(new Set(names('a', 'a', 'a-2')).size).toBe(3);
	assert(
		property(
			uniqueArray(record({id: nat(20), label: string({unit: 'grapheme'})}), {
				selector: ({id}) => id,
			}),
			list => {
				const given = [...sshNames(list).values()];
				expect(new Set(given).size).toBe(list.length);
				for (const name of given) expect(name).toMatch(/^rentty-\w[\w.-]*$/);
			},
		),
	);
});

test('no label and no host of a service becomes a word of the configuration', () => {
	const evil = ['a\nProxyCommand id', '*', '!a', '"', ' -oProxyCommand=id', '%d', "'; id"];
	const clean = entriesOf(
		evil.map((label, index) => instance(index, label)),
		'/k',
	);
	const lines = clean.flatMap(entry => entry.split('\n'));
	const words = new Set(lines.map(line => line.trim().split(' ')[0]));
	expect(words).toEqual(
		new Set([
			'Host',
			'HostKeyAlias',
			'HostName',
			'Port',
			'StrictHostKeyChecking',
			'User',
			'UserKnownHostsFile',
		]),
	);
	const hosts = ['-oProxyCommand=id', 'a b', 'a\nProxyCommand id', '$(id)', ''];
	const none = hosts.map((host, index) => instance(index, 'a', host));
	expect(entriesOf(none, '/k')).toEqual([]);
	assert(
		property(array(string({unit: 'binary-ascii'}), {maxLength: 3}), labels => {
			const entries = entriesOf(
				labels.map((label, index) => instance(index, label)),
				'/k',
			);
			const named = entries.filter(entry => /^Host rentty-[\w.-]+\n/.test(entry));
			expect(named).toHaveLength(labels.length);
		}),
	);
});

test.skipIf(noOpenSsh !== undefined)(
	"consoles of two services keep each other's names, and none leads into the other's machine",
	async () => {
		using user = openHome();
		await user.config.include();
		const own = [instance(1, 'train'), instance(2, 'here')];
		const theirs = [instance(1, 'train', '203.0.113.9'), instance(3, 'there', '203.0.113.9')];
		const write = async (config: typeof user.config, list: typeof own) =>
			config.write(others => sshEntries(list, sshNames(list, others), {known: knownIn(user.home)}));
		const hosts = (...list: readonly string[]) => list.map(name => user.resolve(name)['hostname']);
		await Promise.all([write(user.config, own), write(user.other, theirs)]);
		await write(user.config, own);
		const all = ['rentty-train', 'rentty-train-1', 'rentty-here', 'rentty-there'];
		const first = hosts(...all);
		expect(new Set(first.slice(0, 2))).toEqual(new Set(['203.0.113.24', '203.0.113.9']));
		expect(first.slice(2)).toEqual(['203.0.113.24', '203.0.113.9']);

		// Both write again and again: no name moves from one machine to the other.
		await write(user.other, theirs);
		await write(user.config, own);
		expect(hosts(...all)).toEqual(first);

		await write(user.config, []);
		expect(hosts('rentty-here', 'rentty-there')).toEqual(['rentty-here', '203.0.113.9']);
	},
);

test('a name of another service is taken only where it leads elsewhere', () => {
	const others = new Map([
		['rentty-a', '203.0.113.24 40112'],
		['rentty-b', '203.0.113.9 40112'],
		['rentty-b-2', '203.0.113.9 40113'],
	]);
	const list = [instance(1, 'A'), instance(2, 'b')];
	expect([...sshNames(list, others).values()]).toEqual(['rentty-A', 'rentty-b-2-2']);
});
