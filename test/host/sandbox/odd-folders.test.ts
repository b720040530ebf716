/** A file in place of a folder of the agent: nothing is said to have ended that runs, and the agent goes on. */
import {renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {sentenceOf} from '../../../source/contract/rules/thrown.ts';
import {noProcesses, openLocalWorld, runs, sleepers} from '../../helpers/host/local-host.ts';
import {workOf} from '../../helpers/host/host.ts';
import {openFolder} from '../../helpers/folder.ts';
import {waitFor} from '../../helpers/wait-for.ts';

let marks = 5_000_000;
/** A number of seconds that nothing else sleeps for, so that its sleeper is found. */
const ownSeconds = () => `${(marks += 1)}${process.pid}`;

const sleeping = (seconds: string) =>
	workOf({
		launch: {mode: 'args', sshDirect: false, jupyterDirect: false},
		args: ['sleep', seconds],
	});

/** Waits for the program itself: the shell that keeps it opens files in the folder first. */
const begins = async (seconds: string) => waitFor(() => expect(sleepers(seconds)).toBe(1));

const places = ['orders', 'instances', 'instances/7', '.'];
const actions = ['remove', 'stop'] as const;

/** Puts a file in place of a folder. Returns a function that puts the folder back. */
function replace(folder: string): () => void {
	renameSync(folder, `${folder}.aside`);
	writeFileSync(folder, '');
	return () => {
		rmSync(folder, {force: true});
		renameSync(`${folder}.aside`, folder);
	};
}

test
	.skipIf(noProcesses !== undefined)
	.each(places.flatMap(place => actions.map(action => ({place, action}))))(
	'with a file in place of $place, $action ends what it says to have ended, and is done when the folder is back',
	async ({place, action}) => {
		using folder = openFolder();
		const own = join(folder.path, 'host');
		await using world = await openLocalWorld({folder: own});
		const seconds = ownSeconds();
		await world.runtime.start(sleeping(seconds));
		await begins(seconds);
		const putBack = replace(join(own, place));
		const said = await world.runtime[action](7).then(() => 'done', sentenceOf);
		if (said === 'done') expect(runs(seconds)).toBe(false);
		else expect(said).toContain('is a file and no folder');
		putBack();
		await world.runtime[action](7);
		expect(runs(seconds)).toBe(false);
	},
);

test.skipIf(noProcesses !== undefined).each(places.slice(0, -1))(
	'an agent that begins with a file in place of %s leaves what runs, and ends it when the folder is back',
	async place => {
		using folder = openFolder();
		const seconds = ownSeconds();
		const work = sleeping(seconds);
		const host = {folder: folder.path};
		{
			await using world = await openLocalWorld(host);
			await world.runtime.start(work);
			await begins(seconds);
		}
		const putBack = replace(join(folder.path, place));
		await using world = await openLocalWorld(host);
		const adopt = async () => world.runtime.adopt([]).then(held => held.has(7), sentenceOf);
		const found = String(await adopt());
		expect(found).toMatch(place === 'instances' ? 'is no folder' : 'true');
		await begins(seconds);
		if (place === 'instances/7') await expect(world.runtime.remove(7)).rejects.toThrow('no folder');
		putBack();
		if (place === 'instances') await adopt();
		await world.runtime.remove(7);
		expect(runs(seconds)).toBe(false);
	},
);

test.skipIf(noProcesses !== undefined)(
	'a machine whose instances cannot be taken over is unwell until they are',
	async () => {
		using folder = openFolder();
		await using world = await openLocalWorld({folder: folder.path});
		writeFileSync(join(folder.path, 'instances'), '');
		const adopt = async () => world.runtime.adopt([workOf()]);
		await expect(adopt()).rejects.toThrow('is no folder');
		expect([...world.runtime.unwell()]).toEqual([[1, 'silent']]);
		rmSync(join(folder.path, 'instances'));
		await adopt();
		expect([...world.runtime.unwell()]).toEqual([]);
	},
);
