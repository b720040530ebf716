/** Records that a power failure left empty or half-written: what they are of is kept. */
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {nextStep} from '../../../source/host/agent/reconciler.ts';
import {workOf} from '../../helpers/host/host.ts';
import {noProcesses, openLocalWorld} from '../../helpers/host/local-host.ts';
import {openFolder} from '../../helpers/folder.ts';

const launch = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;
const work = workOf({launch, args: ['sleep', '60'], boot: 3, container: 2});

test.skipIf(noProcesses !== undefined).each(['', '{"boot":3,"contai', '\0\0\0\0'])(
	'an instance whose record is %j keeps its files, and is started again with them',
	async text => {
		using folder = openFolder();
		{
			await using world = await openLocalWorld({folder: folder.path, endsOnClose: true});
			await world.runtime.start(work);
			writeFileSync(join(world.own(7), 'home', 'weights'), 'a week of training');
		}
		await using world = await openLocalWorld({folder: folder.path});
		writeFileSync(join(world.own(7), 'instance.json'), text);
		const held = (await world.runtime.adopt([work])).get(7);
		expect(held).toEqual({boot: 3, container: 2, isStarted: false});
		expect(nextStep(work, held)).toBe('start');
		expect(nextStep({...work, wanted: 'stopped'}, held)).toBeUndefined();
		expect(nextStep({...work, wanted: 'gone'}, held)).toBe('remove');
		await world.runtime.start(work);
		expect(world.last()).toMatchObject({status: 'running'});
		expect(existsSync(join(world.own(7), 'home', 'weights'))).toBe(true);
		await world.runtime.remove(7);
	},
);

test.skipIf(noProcesses !== undefined)(
	'an instance whose record is damaged and that nobody wants is removed',
	async () => {
		await using world = await openLocalWorld();
		await world.runtime.start(work);
		await world.runtime.stop(7);
		writeFileSync(join(world.own(7), 'instance.json'), '');
		await using next = await openLocalWorld({folder: world.folder});
		const held = (await next.runtime.adopt([])).get(7);
		expect(nextStep({...work, wanted: 'gone'}, held)).toBe('remove');
		await next.runtime.remove(7);
		expect(existsSync(world.own(7))).toBe(false);
	},
);
