import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {reportOf, withFault} from '../helpers/host/gpu-reports.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';
import {openPracticeWorld} from '../helpers/commands/practice-world.ts';

const h100 = reportOf('h100-sxm-2');

test.skipIf(noOpenSsh !== undefined)(
	'instances are examined over SSH, and nothing of that is left in them',
	async () => {
		await using world = await openPracticeWorld();
		mkdirSync(join(world.user.folder, '.ssh'));
		await world.client.sshKeys.create(world.user.makeKey('.ssh/doctor').publicKey);
		const a = await world.rent('train-a');
		const b = await world.rent('train-b');
		const home = (id: number) => join(world.instances, String(id), 'home');
		/** Has the instance see these GPUs. */
		const give = (id: number, report: string) => {
			const tool = join(home(id), '.local', 'bin', 'nvidia-smi');
			writeFileSync(tool, `#!/bin/sh\n[ "$1" = -q ] && cat <<'END'\n${report}\nEND\n`);
		};
		give(a, h100);
		give(b, withFault(h100, {'Remapping Failure Occurred': 'Yes'}));
		const run = commandsOf(world, {
			environment: {HOME: world.user.folder},
			folder: join(world.user.folder, 'kept'),
		});
		const before = readdirSync(home(a)).toSorted();

		const one = await run('doctor', 'train-b');
		expect(one.code).toBe(9);
		expect(one.out).toContain(`${b} train-b  FAILING: `);
		expect(one.out).toContain(
			'✗ ECC        GPU 1 has no spare rows left for a broken place of its memory.',
		);
		expect(one.out).toMatch(/[✓✗!?] disk speed +[\d,]+ MB\/s written/);
		expect(one.out).toMatch(/[✓?] line +.*Mb\/s down and up/);
		expect(one.out).toContain(`end it: rentty destroy ${b}, which asks first`);

		const both = await run('doctor', 'label~train', '--quick', '--json');
		const found = jsonOf(both);
		const wholes = found.filter(({check}) => check === undefined);
		expect(new Set(wholes.map(({id}) => id))).toEqual(new Set([a, b]));
		expect(wholes.find(({id}) => id === b)).toMatchObject({verdict: 'FAILING', problem: null});
		const gpus = found.find(({id, check}) => id === a && check === 'GPUs');
		expect(gpus).toMatchObject({found: '2x H100 SXM'});
		expect(found.find(({check}) => check === 'disk speed')).toMatchObject({verdict: 'unknown'});

		const sick = await run('ps', 'health=sick', '--json');
		expect(jsonOf(sick).map(({id}) => id)).toEqual([b]);

		await world.client.instances.stop(b);
		const stopped = await run('doctor', 'train-b');
		expect(stopped.code).toBe(1);
		expect(stopped.out).toMatch(
			/train-b {2}NOT KNOWN\n {2}\? way in +it is (stopping|exited|stopped)/,
		);
		expect(readdirSync(home(a)).toSorted()).toEqual(before);
	},
);
