/** Facts that commands ask for once a minute, over processes. */
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fieldsOf} from '../../../source/contract/grammar/json.ts';
import {commandsOf, jsonOf} from '../../helpers/commands/commands.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

const asked = /\/(gpu_names|machines|ssh)\b/;

async function openCounted() {
	const market = await openRentable();
	const proxy = await openFaultProxy(market.url);
	const folder = openFolder();
	const state = join(folder.path, 'rentty');
	const keyFile = join(folder.path, 'key.pub');
	writeFileSync(keyFile, keyLine);
	const fileOf = () => {
		const [name = ''] = readdirSync(state).filter(file => file.startsWith('recent-'));
		return join(state, name);
	};
	return {
		run: commandsOf({url: proxy.url, key: market.key}, {folder: folder.path}),
		/** Paths of what was asked since the last time. */
		asked() {
			const paths = proxy.requests.splice(0).map(({path}) => path.split('?')[0] ?? '');
			return paths.flatMap(path => asked.exec(path)?.[1] ?? []).toSorted();
		},
		keyFile,
		fileOf,
		/** Makes the kept answers as old as if so many milliseconds had passed. */
		age(ms: number) {
			const text = readFileSync(fileOf(), 'utf8');
			const older = text.replaceAll(/"at":(\d+)/g, (_, at: string) => `"at":${Number(at) - ms}`);
			writeFileSync(fileOf(), older);
		},
		async [Symbol.asyncDispose]() {
			folder[Symbol.dispose]();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

const rent = ['rent', 'any', '--image', 'ubuntu:24.04', '--yes'] as const;
const keyLine = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)}`;

test('a second rent within a minute asks for none of them, and one after it for all', async () => {
	await using market = await openCounted();
	await market.run('keys', 'add', market.keyFile);
	market.asked();
	expect((await market.run(...rent)).code).toBe(0);
	expect(market.asked()).toEqual(['gpu_names', 'machines', 'ssh']);
	expect((await market.run(...rent)).code).toBe(0);
	expect(market.asked()).toEqual([]);
	market.age(60_000);
	expect((await market.run(...rent)).code).toBe(0);
	expect(market.asked()).toEqual(['gpu_names', 'machines', 'ssh']);
	expect(statSync(market.fileOf()).mode & 0o777).toBe(0o600);
});

test('that there is no SSH key is asked again each time, and after one was removed', async () => {
	await using market = await openCounted();
	expect((await market.run(...rent)).err).toContain('No SSH key is registered');
	await market.run('keys', 'add', market.keyFile);
	expect((await market.run(...rent)).err).not.toContain('No SSH key');
	const [key] = jsonOf(await market.run('keys', '--json'));
	const {id} = fieldsOf(key);
	expect((await market.run('keys', 'remove', String(id), '--yes')).code).toBe(0);
	expect((await market.run(...rent)).err).toContain('No SSH key is registered');
});

test.each(['', '{', '[]', '{"service":"test","facts":[]}', '{"service":"other","facts":{}}'])(
	'a file of %j counts as none',
	async text => {
		await using market = await openCounted();
		await market.run(...rent);
		market.asked();
		writeFileSync(market.fileOf(), text);
		expect((await market.run(...rent)).code).toBe(0);
		expect(market.asked()).toContain('gpu_names');
	},
);
