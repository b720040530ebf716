import {execFile} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {openHostMarket, reportOf, testPublication} from './helpers/host/hosts.ts';

const root = join(import.meta.dirname, '..');

/** The program of docs/client.md, which looks more often than a person needs it to. */
function readExample(): string {
	const [, code = ''] =
		/```js\n([^]*?)```/.exec(readFileSync(join(root, 'docs/client.md'), 'utf8')) ?? [];
	return code
		.replace("'../source/", `'${pathToFileURL(root).href}/source/`)
		.replace('watch(rental.id)', 'watch(rental.id, {interval: 50})');
}

test('the program in docs/client.md rents, waits until it runs, lists and destroys', async () => {
	await using market = await openHostMarket();
	const machine = await market.host.publish(testPublication());
	await market.host.heartbeat([machine.id]);
	const folder = mkdtempSync(join(tmpdir(), 'rentty-docs-'));
	const file = join(folder, 'example.mjs');
	writeFileSync(file, readExample());
	const {FORCE_COLOR: _, ...inherited} = process.env;
	const env = {...inherited, NO_COLOR: '1', RENTTY_URL: market.url, RENTTY_API_KEY: market.key};
	const program = promisify(execFile)(process.execPath, [file], {env, timeout: 20_000});
	const rented = async () => market.database.selectFrom('instances').selectAll().execute();
	await expect.poll(rented).toHaveLength(1);
	const [row] = await rented();
	if (row !== undefined) await market.host.report([reportOf(row)]);
	const {stdout} = await program;
	rmSync(folder, {recursive: true});
	const lines = stdout
		.trim()
		.split('\n')
		.filter(line => line !== 'waiting');
	expect(lines).toEqual(['running', `[ [ ${row?.id}, 'running' ] ]`, "{ outcome: 'gone' }"]);
});
