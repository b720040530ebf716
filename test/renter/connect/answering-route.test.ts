import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {SshRoute} from '../../../source/contract/nouns/ssh-command.ts';
import {answeringRoute} from '../../../source/renter/connect/answering-route.ts';
import {openFolder} from '../../helpers/folder.ts';

const direct: SshRoute = {kind: 'direct', host: '203.0.113.7', port: 40_000};
const proxy: SshRoute = {kind: 'proxy', host: 'relay.example', port: 42_000};

/** A place that neither answers nor refuses. */
async function silence() {
	return new Promise<undefined>(() => {});
}

test('an instance is entered directly where that answers, and no relay is asked', async () => {
	using folder = openFolder();
	const tried: string[] = [];
	const probe = async ({host}: {readonly host: string}) => {
		tried.push(host);
		return 3;
	};
	expect(await answeringRoute([direct, proxy], {folder: folder.path, probe})).toBe(direct);
	expect(tried).toEqual([direct.host]);
});

test('an instance is entered by the relay where its machine is silent, which is remembered', async () => {
	using folder = openFolder();
	let tried = 0;
	let now = 1e12;
	const choosing = {
		folder: folder.path,
		now: () => now,
		async probe() {
			tried += 1;
			return undefined;
		},
	};
	const choose = async () => answeringRoute([direct, proxy], choosing);
	expect([await choose(), await choose()]).toEqual([proxy, proxy]);
	expect(tried).toBe(1);
	now += 11 * 60_000;
	expect(await choose()).toBe(proxy);
	expect(tried).toBe(2);
});

test('a machine that never answers costs a second, and the relay is taken', async () => {
	using folder = openFolder();
	const choosing = {folder: folder.path, probe: silence};
	expect(await answeringRoute([direct, proxy], choosing)).toBe(proxy);
	expect(readFileSync(join(folder.path, 'silent-routes.json'), 'utf8')).toContain(direct.host);
});

test('one route, or two to one place, are taken untried; without any there is none', async () => {
	const never = {folder: '/dev/null/none', probe: async () => Promise.reject(new Error('tried'))};
	expect(await answeringRoute([proxy], never)).toBe(proxy);
	expect(await answeringRoute([direct, {...direct, kind: 'proxy'}], never)).toBe(direct);
	expect(await answeringRoute([], never)).toBeUndefined();
});
