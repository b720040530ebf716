import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {removeTree} from '../../source/host/machine/trees.ts';
import {findNetworkTools, tryNetwork} from '../../source/host/sandbox/own-network.ts';
import {workOf} from '../helpers/host/host.ts';
import {noSandbox, openLocalWorld} from '../helpers/host/local-host.ts';
import {skipFor, skipWithout} from '../helpers/missing.ts';
import {noOpenSsh, openSshUser} from '../helpers/host/open-ssh.ts';

const tools = findNetworkTools();
const noMosh = skipWithout('mosh-server') ?? skipWithout('script');
const problem = skipFor(noSandbox ?? noOpenSsh ?? noMosh ?? (await networkProblem()));

async function networkProblem(): Promise<string | undefined> {
	if (typeof tools === 'string') return `${tools} is not installed`;
	const folder = mkdtempSync(join(tmpdir(), 'rentty-network-'));
	const why = await tryNetwork(tools, folder);
	await removeTree(folder);
	return why;
}

test.skipIf(problem !== undefined)('mosh goes by a UDP port of a sandbox', async () => {
	using user = openSshUser();
	const key = user.makeKey('mine');
	const network = typeof tools === 'object' ? {network: tools} : {};
	await using world = await openLocalWorld({kind: 'sandbox', graceMs: 0, ...network});
	const env: Array<[string, string]> = [['-p 60001:60001/udp', '1']];
	await world.runtime.start(workOf({public_keys: [key.publicKey], env}));
	const access = world.last()?.access;
	// What it runs waits until somebody types, so that nothing is over before it is seen.
	const server = `LANG=C.UTF-8 mosh-server new -i 0.0.0.0 -p 60001 -- sh -c 'echo by mosh $((6*7)); read line; echo "got $line"; read line'`;
	const started = await user.ssh(Number(access?.ssh_port), key.file, [server]);
	const secret = /^MOSH CONNECT 60001 (\S+)/m.exec(started.out)?.[1] ?? '';
	const port = access?.ports?.['60001/udp']?.[0]?.HostPort ?? '';
	const client = `stty rows 24 cols 80; mosh-client 127.0.0.1 ${port}`;
	const typed = Buffer.from('word\n\n');
	const {out} = await user.run('script', ['-qc', client, '/dev/null'], {
		input: typed,
		env: {MOSH_KEY: secret, LANG: 'C.UTF-8', TERM: 'xterm-256color'},
	});
	expect(out).toContain('by mosh 42');
	expect(out).toContain('got word');
});
