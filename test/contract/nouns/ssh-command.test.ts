import {spawnSync} from 'node:child_process';
import {array, assert, oneof, property, string} from 'fast-check';
import {expect, test} from 'vitest';
import {isHarmless} from '../../../source/contract/grammar/harmless-text.ts';
import {
	isHost,
	readForwards,
	rsyncCommand,
	scpCommand,
	shellText,
	sshCommand,
	sshRoutes,
	sshText,
} from '../../../source/contract/nouns/ssh-command.ts';
import {runs} from '../../helpers/property.ts';

const instance = {
	id: 7,
	public_ipaddr: '203.0.113.24',
	machine_dir_ssh_port: 40_112,
	ssh_host: 'ssh5.example.net',
	ssh_port: 20_544,
	image_runtype: 'ssh ssh_direc ssh_proxy',
};

const mapped = (port: string) => ({'22/tcp': [{HostIp: '0.0.0.0', HostPort: port}]});

test('an instance is entered directly where a port is mapped, and else by the proxy', () => {
	expect(sshRoutes({...instance, ports: mapped('40118')})).toEqual([
		{kind: 'direct', host: '203.0.113.24', port: 40_118},
		{kind: 'proxy', host: 'ssh5.example.net', port: 20_544},
	]);
	expect(sshRoutes(instance)[0]).toMatchObject({kind: 'direct', port: 40_112});
	const {machine_dir_ssh_port: _, ...indirect} = instance;
	expect(sshRoutes({...indirect, ports: null})).toEqual([
		{kind: 'proxy', host: 'ssh5.example.net', port: 20_544},
	]);
});

test('behind the proxy of a Jupyter instance SSH is one port further, unless it was mapped', () => {
	const jupyter = {...instance, image_runtype: 'jupyter_direc ssh_direc ssh_proxy'};
	expect(sshRoutes(jupyter)[1]?.port).toBe(20_545);
	expect(sshRoutes({...jupyter, ports: mapped('40118')})[1]?.port).toBe(20_544);
});

test('what is no host or no port is no way in', () => {
	const evil = ['-oProxyCommand=sh', 'a b', 'root@there', '$(id)', 'a\nb', '', 'a/b', 'x;y', '::g'];
	expect(evil.filter(isHost)).toEqual([]);
	const good = ['a.example', '10.0.0.1', '2001:db8::1', 'localhost'];
	expect(good.filter(isHost)).toEqual(good);
	const bad = {...instance, public_ipaddr: '-oProxyCommand=sh', ssh_port: 70_000};
	expect(sshRoutes({...bad, ports: mapped('22; id')})).toEqual([]);
});

test('ssh gets its host behind all options, and a file of its own for the keys of hosts', () => {
	const route = {kind: 'direct', host: '203.0.113.24', port: 40_112} as const;
	const known = {file: '/home/a b/known', alias: 'rentty-7-direct'};
	const command = sshCommand(route, {known, forwards: [{local: 8080, remote: 80}]});
	expect(command.args.join(' ')).toBe(
		'-o StrictHostKeyChecking=accept-new -o UserKnownHostsFile="/home/a b/known" -o HostKeyAlias=rentty-7-direct -L 8080:localhost:80 -p 40112 -l root -- 203.0.113.24',
	);
	expect(sshText(route, [{local: 8080, remote: 80}])).toBe(
		'ssh -p 40112 root@203.0.113.24 -L 8080:localhost:80',
	);
});

test('files go both ways, to addresses with colons too', () => {
	const route = {kind: 'direct', host: '2001:db8::1', port: 40_112} as const;
	const paths = {local: './data', remote: '/workspace/'};
	expect(shellText(scpCommand(route, {...paths, isUpload: true}))).toBe(
		"scp -P 40112 -r -- ./data 'root@[2001:db8::1]:/workspace/'",
	);
	const down = rsyncCommand({...route, host: 'a.example'}, {...paths, isUpload: false});
	expect(down.args.slice(-2)).toEqual(['root@a.example:/workspace/', './data']);
	expect(down.args).toContain('ssh -p 40112');
	const odd = scpCommand(route, {local: 'a:b', remote: '/', isUpload: true});
	expect(odd.args).toContain('./a:b');
});

test('private keys are named for every program, with whatever is in their paths', () => {
	const route = {kind: 'direct', host: 'a.example', port: 22} as const;
	const identities = ["/home/a b/.ssh/it's", '/home/a/.ssh/100%'];
	const text = sshText(route, [], identities);
	expect(text).toBe(
		String.raw`ssh -i '/home/a b/.ssh/it'\''s' -o IdentityFile=/home/a/.ssh/100%% -p 22 root@a.example`,
	);
	const words = ['-i', identities[0], '-o', 'IdentityFile=/home/a/.ssh/100%%'];
	const paths = {local: './data', remote: '/workspace/', isUpload: true, identities};
	expect(sshCommand(route, {identities}).args.slice(0, 4)).toEqual(words);
	expect(scpCommand(route, paths).args.slice(0, 4)).toEqual(words);
	expect(rsyncCommand(route, paths).args.join(' ')).toContain(`${text.split(' -p ')[0]} -p 22 --`);
});

test('forwards are ports or pairs of them', () => {
	expect(readForwards('8080, 16006:6006')).toEqual([
		{local: 8080, remote: 8080},
		{local: 16_006, remote: 6006},
	]);
	const none = ['', '0', '8080:', '70000', 'http', '-1', '8080 x'];
	expect(none.filter(text => readForwards(text) !== undefined)).toEqual([]);
});

const texts = oneof(
	string({unit: 'grapheme'}),
	string({unit: 'binary-ascii'}),
	string({unit: 'binary'}),
);

test('whatever the words are, a shell reads them as they were, and a terminal only shows them', () => {
	assert(
		property(array(texts, {maxLength: 4}), words => {
			const args = words.map(word => word.replaceAll('\0', '').toWellFormed());
			const text = shellText({program: 'printf', args: [String.raw`%s\0`, ...args]});
			expect(isHarmless(text.replaceAll(/[\n\t]/g, ''))).toBe(true);
			const {stdout} = spawnSync('sh', ['-c', text], {encoding: 'utf8'});
			// Without words printf writes its form once, with nothing in it.
			expect(stdout).toBe(args.length === 0 ? '\0' : args.map(word => `${word}\0`).join(''));
		}),
		{numRuns: runs(60)},
	);
});
