import {spawn} from 'node:child_process';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {ownFolder} from '../../source/commands/practice/hosts.ts';
import {lockFolder} from '../../source/host/instance/record.ts';
import {workOf} from '../helpers/host/host.ts';
import {noProcesses, openLocalWorld, runs} from '../helpers/host/local-host.ts';
import {openFolder} from '../helpers/folder.ts';
import {waitFor} from '../helpers/wait-for.ts';

const rentty = join(import.meta.dirname, '..', '..', 'bin', 'rentty');

/** Runs the built program for somebody whose files are in a folder. */
async function reset(home: string, ...words: readonly string[]) {
	const child = spawn(rentty, ['practice', 'reset', ...words], {
		stdio: ['ignore', 'ignore', 'pipe'],
		env: {...process.env, HOME: home, XDG_DATA_HOME: join(home, 'data')},
	});
	const exited = new Promise<number | null>(resolve => child.on('close', resolve));
	return {said: await text(child.stderr), code: await exited};
}

test.skipIf(noProcesses !== undefined)(
	'resetting asks, and then leaves neither files nor what a killed rentty left running',
	async () => {
		using home = openFolder();
		const practice = join(home.path, 'data', 'rentty', 'practice');
		expect(await reset(home.path)).toMatchObject({code: 0});
		const own = ownFolder(practice);
		mkdirSync(own, {recursive: true});
		writeFileSync(join(practice, 'market.db'), '');
		await using world = await openLocalWorld({folder: own});
		const sleep = `sleep 4000000${process.pid}`;
		const launch = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;
		await world.runtime.start(workOf({launch, args: sleep.split(' ')}));
		await waitFor(() => expect(runs(sleep)).toBe(true));
		await world.runtime.close();

		const unlock = await lockFolder(own);
		const open = await reset(home.path, '--yes');
		expect([open.code === 0, open.said]).toEqual([
			false,
			expect.stringContaining('Quit that first. Nothing was removed.'),
		]);
		await unlock();
		const unasked = await reset(home.path);
		expect([unasked.code, existsSync(practice), runs(sleep)]).toEqual([2, true, true]);
		expect(await reset(home.path, '--yes')).toMatchObject({code: 0});
		expect([existsSync(practice), runs(sleep)]).toEqual([false, false]);
	},
);
