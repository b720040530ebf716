import {mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {expect, onTestFinished, test} from 'vitest';
import {answered} from '../../../helpers/services/faults.ts';
import {sshKeyText} from '../../../helpers/host/ssh-keys.ts';
import {openTorch} from './open-rent.ts';

/** The form of somebody with one key in ~/.ssh, with a change and the cursor on the row of SSH keys. */
async function openAtKeys(prepare?: (rentty: Awaited<ReturnType<typeof openTorch>>) => void) {
	const home = mkdtempSync(join(tmpdir(), 'rentty-home-'));
	onTestFinished(() => rmSync(home, {recursive: true}));
	mkdirSync(join(home, '.ssh'));
	writeFileSync(join(home, '.ssh', 'work'), 'private');
	writeFileSync(join(home, '.ssh', 'work.pub'), sshKeyText(1, 'laptop'));
	const rentty = await openTorch({environment: {HOME: home}});
	prepare?.(rentty);
	await rentty.openForm();
	await rentty.keys('g', '\t');
	await rentty.fill('b/mine');
	await rentty.keys('\t'.repeat(10));
	return rentty;
}

const registrations = ({proxy}: Awaited<ReturnType<typeof openAtKeys>>) =>
	proxy.requests.filter(({method, path}) => method === 'POST' && path === '/api/v0/ssh/');

test('Enter where no SSH key is registered registers one, and the draft is as it was', async () => {
	await using rentty = await openAtKeys();
	await rentty.sees(/> SSH key +none registered +warn: Enter registers one/);
	await rentty.keys('\r');
	expect(await rentty.sees('REGISTER AN SSH KEY')).toContain('laptop ed25519 ..');
	await rentty.keys('\r');
	const form = await rentty.sees(/> SSH key +laptop ed25519 \S+ regist\S* +ok/);
	expect(form).toMatch(/image +b\/mine +YOU/);
	expect(registrations(rentty)).toHaveLength(1);
	await rentty.keys('\r');
	await rentty.sees(/SSH key laptop ed25519 \S+ registered, opens it from here/);
	expect(registrations(rentty)).toHaveLength(1);
});

test('a key can be pasted there, and one that opens nothing from here is said to be so', async () => {
	await using rentty = await openAtKeys();
	await rentty.sees(/> SSH key +none registered/);
	await rentty.keys('\r');
	await rentty.sees('REGISTER AN SSH KEY');
	await rentty.keys('j');
	await rentty.sees('> another one: paste');
	await rentty.keys('\r');
	await rentty.sees('public key>');
	await rentty.keys(sshKeyText(2, 'desk'));
	await rentty.keys('\r');
	await rentty.sees(/> SSH key +\.\.\S+ registered +warn: Enter registers one/);
	expect(registrations(rentty)).toHaveLength(1);
});

test('what is left without a key, or refused, leaves the draft as it was', async () => {
	await using rentty = await openAtKeys();
	await rentty.sees(/> SSH key +none registered/);
	await rentty.keys('\r');
	await rentty.sees('REGISTER AN SSH KEY');
	await rentty.keys('\u001B');
	expect(await rentty.sees(/> SSH key +none registered/)).toMatch(/image +b\/mine +YOU/);
	expect(registrations(rentty)).toEqual([]);
	const body = {success: false, error: 'not_authorized', msg: 'no right to'};
	rentty.proxy.next({method: 'POST', path: '/api/v0/ssh/'}, answered({status: 403, body}));
	await rentty.keys('\r');
	await rentty.sees('REGISTER AN SSH KEY');
	await rentty.keys('\r');
	await rentty.sees('the key may not do this (403 no right to)');
	expect(await rentty.sees(/> SSH key +none registered/)).toMatch(/image +b\/mine +YOU/);
});

test('a key that the service lists as deleted can be registered anew', async () => {
	const deleted = {id: 7, key: sshKeyText(1), deleted_at: '2026-11-20T10:00:00Z'};
	await using rentty = await openAtKeys(({proxy}) =>
		proxy.next({method: 'GET', path: '/api/v0/ssh/'}, answered({status: 200, body: [deleted]})),
	);
	await rentty.sees(/> SSH key +none registered/);
	await rentty.keys('\r');
	expect(await rentty.sees('REGISTER AN SSH KEY')).toContain('laptop ed25519 ..');
});

test('where this machine has no key, Enter makes one and registers it', async () => {
	const home = mkdtempSync(join(tmpdir(), 'rentty-home-'));
	onTestFinished(() => rmSync(home, {recursive: true}));
	await using rentty = await openTorch({environment: {HOME: home, PATH: process.env['PATH']}});
	await rentty.openForm();
	await rentty.keys('g', '\t'.repeat(11));
	await rentty.sees(/> SSH key +none registered +warn: Enter registers one/);
	await rentty.keys('\r');
	await rentty.sees(`make a new one: ${join(home, '.ssh', 'id_ed25519')}`);
	await rentty.keys('\r');
	await rentty.sees(/> SSH key +rentty ed25519 \S+ regist\S* +ok/);
	const {mode} = statSync(join(home, '.ssh', 'id_ed25519'));
	expect(mode & 0o777).toBe(0o600);
	expect(registrations(rentty)).toHaveLength(1);
});
