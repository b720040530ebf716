/** `rentty guard install` where there is cron and no systemd. */
import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {commandsOf} from '../../helpers/commands/commands.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

/** A machine whose only program is a crontab, of which a user has this table. */
async function openCron(table?: Buffer) {
	const market = await openRentable();
	const folder = openFolder();
	const [bin, file] = [join(folder.path, 'bin'), join(folder.path, 'table')];
	mkdirSync(bin);
	if (table !== undefined) writeFileSync(file, table);
	function setProgram(list: string): void {
		const script = `#!/bin/sh\nif [ "$1" = -l ]; then ${list}; else /bin/cat >'${file}'; fi\n`;
		writeFileSync(join(bin, 'crontab'), script);
		chmodSync(join(bin, 'crontab'), 0o755);
	}

	setProgram(`/bin/cat '${file}' 2>/dev/null || { echo 'no crontab for me' >&2; exit 1; }`);
	vi.stubEnv('PATH', bin);
	const run = commandsOf(market, {folder: folder.path});
	return {
		folder: folder.path,
		install: async () => run('guard', 'install', '--yes'),
		/** Has the table refuse to be read. */
		fail: () => setProgram('echo "crontab: seteuid: try again" >&2; exit 1'),
		table: () => (existsSync(file) ? readFileSync(file) : undefined),
		async [Symbol.asyncDispose]() {
			vi.unstubAllEnvs();
			folder[Symbol.dispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('the guard of cron has the folders of whoever installs it, as that of systemd has', async () => {
	await using cron = await openCron();
	expect(await cron.install()).toMatchObject({code: 0});
	const line = cron.table()?.toString() ?? '';
	expect(line).toContain(`'XDG_CONFIG_HOME=${cron.folder}' 'XDG_STATE_HOME=${cron.folder}' `);
	expect(line.split('\n')).toHaveLength(2);
});

test('the other lines of a crontab stay as they are, to the byte', async () => {
	const own = Buffer.from('# M\u00FCll\n\n0 4 * * * /bin/b\u00E9\n', 'latin1');
	await using cron = await openCron(own);
	await cron.install();
	await cron.install();
	const table = cron.table();
	expect(table?.subarray(0, own.length)).toEqual(own);
	expect(table?.subarray(own.length).toString()).toMatch(/^\*\/5 \* \* \* \* [^\n]+\n$/);
});

test('a crontab that cannot be read is not replaced', async () => {
	const own = Buffer.from('0 4 * * * /bin/backup\n');
	await using cron = await openCron(own);
	cron.fail();
	const {code, err} = await cron.install();
	expect([code, err]).toEqual([1, expect.stringContaining('seteuid: try again')]);
	expect(err).toContain('Nothing was changed');
	expect(cron.table()).toEqual(own);
});
