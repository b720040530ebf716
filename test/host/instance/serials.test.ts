import {expect, test} from 'vitest';
import {readRecord} from '../../../source/host/instance/record.ts';
import {siteOf} from '../../../source/host/instance/site.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openHandEngine} from '../../helpers/host/hand-engine.ts';
import {workOf} from '../../helpers/host/host.ts';

test('an agent takes up no container of another instance with the same id', async () => {
	using folder = openFolder();
	const {openHost} = openHandEngine(folder.path);
	const before = openHost();
	await before.run({serial: 'one', api_key: 'first'});
	await before.close();
	const after = openHost();
	const work = workOf({serial: 'another', api_key: 'second'});
	expect((await after.adopt([work])).get(7)).toMatchObject({serial: 'one', isStarted: true});
	await expect(after.logs({id: 1, instance_id: 7, kind: 'logs'})).rejects.toThrow('no container');
	expect(after.told).toEqual([]);
	await after.remove(7, false);
	await after.run(work);
	const record = await readRecord(siteOf(folder.path, 7).record);
	expect(record).toMatchObject({serial: 'another', apiKey: 'second'});
	await after.close();
});

test('a record that is left of another instance with the same id has nothing for the next', async () => {
	using folder = openFolder();
	const {container, openHost} = openHandEngine(folder.path);
	const before = openHost();
	await before.run({serial: 'one', api_key: 'first'});
	await before.tells(1000);
	await before.close();
	container.isMade = false;
	container.isRunning = false;
	const after = openHost();
	await after.run({serial: 'another', api_key: null});
	const record = await readRecord(siteOf(folder.path, 7).record);
	expect(record).toMatchObject({serial: 'another', apiKey: undefined});
	expect(await after.tells(3)).toBe(3);
	await after.close();
});

test('a record without a serial takes the first one', async () => {
	using folder = openFolder();
	const {openHost} = openHandEngine(folder.path);
	const before = openHost();
	await before.run();
	await before.refresh(workOf({serial: 'one'}));
	await before.close();
	const after = openHost();
	expect((await after.adopt([workOf()])).get(7)).toMatchObject({serial: 'one', isStarted: true});
	await after.close();
});
