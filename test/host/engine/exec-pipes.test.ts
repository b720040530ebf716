import {mkdtempSync, readdirSync, readlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {describe, expect, test} from 'vitest';
import {listOf, textAt} from '../../../source/contract/grammar/json.ts';
import {findContainer} from '../../../source/host/engine/container-calls.ts';
import {containerInside} from '../../../source/host/engine/container-inside.ts';
import {patient, prepareContainers, waiting} from '../../helpers/host/container-host.ts';
import {noOpenSsh} from '../../helpers/host/open-ssh.ts';
import {removeFolder} from '../../helpers/remove-folder.ts';

const {isSkipped, shown, openHost} = await prepareContainers(noOpenSsh);

type Host = Awaited<ReturnType<typeof openHost>>;

/** The container of the only instance, as the engine has it. */
async function onlyContainer({engine}: Host) {
	const [one] = listOf(await engine.ask({method: 'GET', path: '/containers/json'}));
	const found = await findContainer(engine, textAt(one, 'Id') ?? '');
	return found ?? expect.fail('there is no container');
}

/** Pipes of commands that this process, which is the agent, has open. */
function openPipes(): readonly string[] {
	const targets = readdirSync('/proc/self/fd').map(fd => {
		try {
			return readlinkSync(`/proc/self/fd/${fd}`);
		} catch {
			return '';
		}
	});
	return targets.filter(target => target.includes('/pipes/'));
}

const COMMAND = 'readlink /proc/self/fd/1; cat; echo no >&2; exit 3';
const beginning = {variables: {}, terminal: undefined};

/** Runs the command in a container whose pipes lie in a folder. */
async function runIn(host: Host, pipes: string | undefined) {
	const {id: container} = await onlyContainer(host);
	const place = {container, address: undefined, pid: undefined, mounts: [], pipes};
	const inside = containerInside({engine: host.engine, ...place});
	const child = await inside.start(COMMAND, beginning);
	const said = Promise.all([text(child.output), text(child.complaint ?? expect.fail('none'))]);
	child.input.write('given\n');
	child.end();
	const [output, complaint] = await said;
	return {output, complaint, ending: await child.ended};
}

describe.skipIf(isSkipped)(`pipes of commands in containers${shown}`, patient, () => {
	test('input and output of a command go past the engine, and leave no names', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const {pipes = expect.fail('it has no pipes')} = await onlyContainer(host);
		const {output, complaint, ending} = await runIn(host, pipes);
		expect(output).toMatch(/^\/run\/rentty\/\S+\.output( \(deleted\))?\ngiven\n$/);
		expect(complaint).toBe('no\n');
		expect(ending).toEqual({code: 3, signal: undefined});
		await expect.poll(() => readdirSync(pipes), waiting).toEqual([]);
	});

	test('a command that ends before it has taken its input leaves no pipe open', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const {user, key} = host;
		const input = Buffer.alloc(5_000_000, 'never read');
		const {code} = await user.ssh(host.port(), key.file, ['exit 3'], input);
		expect(code).toBe(3);
		await expect.poll(openPipes, waiting).toEqual([]);
	});

	test('an agent that does not share the files of the engine has them from the engine', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const elsewhere = mkdtempSync(join(tmpdir(), 'rentty-elsewhere-'));
		for (const folder of [elsewhere, join(elsewhere, 'missing'), host.key.file, undefined]) {
			const {output, complaint, ending} = await runIn(host, folder);
			expect(output).toMatch(/^pipe:\[\d+\]\ngiven\n$/);
			expect(complaint).toBe('no\n');
			expect(ending).toEqual({code: 3, signal: undefined});
		}
		await expect.poll(() => readdirSync(elsewhere), waiting).toEqual([]);
		removeFolder(elsewhere);
	});

	test('an engine that does not see the files of the agent runs containers all the same', async () => {
		await using host = await openHost();
		host.hear(async ({path}) => {
			const folder = join(host.folder, 'instances', '7', 'pipes');
			if (path.endsWith('/containers/create')) removeFolder(folder);
		});
		await host.runtime.start(host.work());
		await host.until('running');
		expect((await onlyContainer(host)).pipes).toBe(undefined);
		expect((await host.ssh('echo in')).out).toBe('in\n');
	});

	test('a renter puts nothing in the place of a pipe', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const {pipes = expect.fail('it has no pipes')} = await onlyContainer(host);
		const tried = 'mkfifo /run/rentty/x; ln -s /etc /run/rentty/y; rm -rf /run/rentty; echo tried';
		expect((await host.ssh(tried)).out).toBe('tried\n');
		const {user, key} = host;
		const where = ['-i', key.file, '-P', String(host.port()), 'root@127.0.0.1'];
		const input = Buffer.from(`-put ${key.file} /run/rentty/x\n-mkdir /run/rentty/y\n`);
		await user.run('sftp', [...user.options, ...where], {input});
		expect(readdirSync(pipes)).toEqual([]);
		expect((await host.ssh('echo in')).out).toBe('in\n');
	});
});
