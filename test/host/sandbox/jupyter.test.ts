import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {workOf} from '../../helpers/host/host.ts';
import {noProcesses, openLocalWorld} from '../../helpers/host/local-host.ts';
import {openFolder} from '../../helpers/folder.ts';
import {waitFor} from '../../helpers/wait-for.ts';

const launch = {mode: 'jupyter', sshDirect: true, jupyterDirect: true} as const;
const usual = '/usr/bin:/bin';
const hasJupyter = spawnSync('/bin/sh', ['-c', `PATH=${usual} command -v jupyter`]).status === 0;

test.skipIf(noProcesses !== undefined)(
	'Jupyter is started where the machine has it, on the port that is told of',
	async () => {
		using folder = openFolder();
		const programs = join(folder.path, 'programs');
		mkdirSync(programs);
		const script = '#!/bin/sh\necho "$* with $JUPYTER_TOKEN" > "$HOME/called"\n';
		writeFileSync(join(programs, 'jupyter'), script, {mode: 0o755});
		await using world = await openLocalWorld();
		const asked = {use_jupyter_lab: true, jupyter_token: 'secret', jupyter_dir: "/my 'data'"};
		const path: [string, string] = ['PATH', `${programs}:${usual}`];
		await world.runtime.start(workOf({launch, env: [path], ...asked}));
		const port = world.last()?.access?.ports?.['8080/tcp']?.[0]?.HostPort;
		expect(await world.reads('called')).toBe(
			`lab --no-browser --allow-root --ip=127.0.0.1 --port=${port} --notebook-dir=/my 'data' with secret`,
		);
	},
);

test.skipIf(noProcesses !== undefined || hasJupyter)(
	'where there is no Jupyter, the log says so and the instance runs',
	async () => {
		await using world = await openLocalWorld();
		const path: [string, string] = ['PATH', usual];
		await world.runtime.start(workOf({launch, env: [path], onstart: 'echo > started'}));
		expect(world.last()?.status).toBe('running');
		await waitFor(async () => {
			const log = await world.runtime.logs({id: 1, instance_id: 7, kind: 'logs'});
			expect(log).toBe(
				'There is no Jupyter on this machine: it can be entered by SSH.\nonstart ended with 0\n',
			);
		});
	},
);
