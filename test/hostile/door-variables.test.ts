/** Variables of renters, which become arguments of the program that makes a sandbox. */
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {promisify} from 'node:util';
import ssh2 from 'ssh2';
import {expect, test} from 'vitest';
import type {Work} from '../../source/contract/nouns/host-work.ts';
import {openFolder} from '../helpers/folder.ts';
import {workOf} from '../helpers/host/host.ts';
import {noProcesses, noSandbox, openLocalWorld} from '../helpers/host/local-host.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';
import {insides, openInstance} from '../helpers/host/ssh-server.ts';

/** A folder of the machine, and a variable that would show it at `/shown`. */
function openMachine() {
	const folder = openFolder();
	writeFileSync(join(folder.path, 'secret'), 'of the machine');
	const words = ['C', '--bind', folder.path, '/shown', '--setenv', 'OTHER', 'other'];
	return {variable: words.join('\0'), [Symbol.dispose]: () => folder[Symbol.dispose]()};
}

const SHOWN = 'cat /shown/secret; echo "over ${OTHER:-}"';

test.skipIf(noOpenSsh !== undefined).each(insides)(
	'a variable of a session with a NUL shows nothing of the machine in %s',
	async (_, makeInside) => {
		using machine = openMachine();
		await using instance = await openInstance(makeInside);
		const client = new ssh2.Client().on('error', () => undefined);
		const privateKey = readFileSync(instance.key);
		client.connect({port: instance.sshServer.port, username: 'root', privateKey});
		await once(client, 'ready');
		const exec = promisify<string, ssh2.ExecOptions, ssh2.ClientChannel>(client.exec.bind(client));
		const channel = await exec(SHOWN, {env: {LANG: machine.variable}});
		expect(await text(channel)).toBe('over \n');
		client.end();
		await once(client, 'close');
	},
);

test.skipIf((noProcesses ?? noSandbox) !== undefined)(
	'a variable of an instance with a NUL shows nothing of the machine',
	async () => {
		using machine = openMachine();
		await using world = await openLocalWorld({kind: 'sandbox'});
		const launch = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;
		const env: Work['env'] = [['GIVEN', machine.variable]];
		const args = ['sh', '-c', `{ ${SHOWN}; } >seen 2>/dev/null; sleep 60`];
		await world.runtime.start(workOf({launch, args, env}));
		expect(await world.reads('seen')).toBe('over');
	},
);
