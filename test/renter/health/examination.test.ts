import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, readlinkSync} from 'node:fs';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {program} from '../../../source/renter/health/examination-program.ts';
import {splitByTitle, parseReadings} from '../../../source/renter/health/readings.ts';
import {openFolder} from '../../helpers/folder.ts';
import {noProcesses} from '../../helpers/host/local-host.ts';
import {waitFor} from '../../helpers/wait-for.ts';

/** The examination, as an instance's shell is given it. */
function begin(home: string, isMeasured: boolean) {
	const shell = spawn('sh', [], {
		env: {HOME: home, PATH: process.env['PATH'] ?? ''},
		stdio: ['pipe', 'pipe', 'ignore'],
	});
	shell.stdin.end(`IS_MEASURED=${isMeasured ? 1 : 0}\nFROM=\n${program}`);
	return shell;
}

test.skipIf(noProcesses !== undefined)('what it prints is read', async () => {
	using folder = openFolder();
	const {
		memoryGb = 0,
		processors = 0,
		disk,
		time = 0,
	} = parseReadings(splitByTitle(await text(begin(folder.path, false).stdout)));
	expect(memoryGb).toBeGreaterThan(0.1);
	expect(processors).toBeGreaterThan(0);
	expect(disk.sizeGb).toBeGreaterThan(0);
	expect(disk.written).toBeUndefined();
	expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(3600);
});

test.skipIf(noProcesses !== undefined)(
	'an examination that is killed while it measures the disk leaves no file',
	async () => {
		using folder = openFolder();
		const shell = begin(folder.path, true);
		const closed = once(shell, 'close');
		const isWriting = () =>
			readdirSync(`/proc/${shell.pid}/fd`).some(number =>
				readlinkSync(`/proc/${shell.pid}/fd/${number}`).endsWith('(deleted)'),
			);
		await waitFor(() => {
			if (!isWriting()) throw new Error('it does not measure yet');
		});
		shell.kill('SIGKILL');
		await closed;
		expect(readdirSync(folder.path)).toEqual([]);
	},
);
