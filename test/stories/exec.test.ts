import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';
import {openPracticeWorld} from '../helpers/commands/practice-world.ts';

test.skipIf(noOpenSsh !== undefined)(
	'a command runs in two instances at once, and says of each what came of it',
	async () => {
		await using world = await openPracticeWorld();
		mkdirSync(join(world.user.folder, '.ssh'));
		await world.client.sshKeys.create(world.user.makeKey('.ssh/fleet').publicKey);
		const a = await world.rent('train-a');
		const b = await world.rent('train-b');
		const run = commandsOf(world, {environment: {HOME: world.user.folder}});
		const ran = await run('exec', 'train-a,train-b', '--', 'sh', '-c', 'echo "in $CONTAINER_ID"');
		expect(ran).toMatchObject({code: 0});
		const lines = ran.out.trimEnd().split('\n').toSorted();
		expect(lines).toEqual([`${a} train-a\tin ${a}`, `${b} train-b\tin ${b}`].toSorted());
		const failing = `[ "$CONTAINER_ID" = ${a} ]`;
		const some = await run('exec', 'train-a,train-b', '--json', '--', failing);
		expect(some.code).toBe(7);
		const codes = jsonOf(some).map(({id, exit_code: code}) => [id, code]);
		expect(codes).toEqual([
			[a, 0],
			[b, 1],
		]);
		for (const [options, ending, why] of [
			[[], 'exit 255', 'ssh, or the command there, ended with 255'],
			[['--limit', '2'], 'exec sleep 60', 'stopped after 2 s'],
		] as const) {
			const words = [...options, '--', `echo begun; ${ending}`];
			const {code, out, err} = await run('exec', 'train-a', ...words);
			expect([code, out]).toEqual([1, `${a} train-a\tbegun\n`]);
			expect(err).toContain(`train-a  failed: ${why}`);
		}
		const logs = await run('logs', 'train-a', 'train-b', '--tail', '1');
		// Whichever is read first comes first.
		expect(logs.out).toMatch(new RegExp(`^${a} train-a\t`, 'm'));
		expect(logs.out).toMatch(new RegExp(`^${b} train-b\t`, 'm'));
		await world.client.instances.stop(b);
		const stopped = await run('exec', 'train-b', '--', 'true');
		expect(stopped).toMatchObject({code: 1, out: ''});
		expect(stopped.err).toMatch(/train-b {2}not run: it is (stopping|exited|stopped)/);
	},
);
