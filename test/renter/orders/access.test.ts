import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished, expect, test} from 'vitest';
import {mergeCreation} from '../../../source/contract/nouns/merge.ts';
import {parsePublicKey} from '../../../source/contract/rules/public-key.ts';
import {checkAccess} from '../../../source/renter/orders/access.ts';
import {findUsableKeys} from '../../../source/renter/connect/keys.ts';
import {sshKeyText} from '../../helpers/host/ssh-keys.ts';

const [IN_FILE, ALONE, IN_AGENT] = [sshKeyText(1), sshKeyText(2), sshKeyText(3, 'me at work')];

/** A home with files in ~/.ssh, and a program in the place of ssh-add. */
function openHome(files: Readonly<Record<string, string>>, program: string) {
	const home = mkdtempSync(join(tmpdir(), 'rentty-home-'));
	onTestFinished(() => rmSync(home, {recursive: true}));
	mkdirSync(join(home, '.ssh'));
	for (const [name, text] of Object.entries(files)) writeFileSync(join(home, '.ssh', name), text);
	writeFileSync(join(home, 'ssh-add'), `#!/bin/sh\n${program}\n`);
	chmodSync(join(home, 'ssh-add'), 0o755);
	return {HOME: home, PATH: `${home}:/usr/bin:/bin`, SSH_AUTH_SOCK: join(home, 'agent')};
}

const accessWith = (
	registered: readonly string[],
	localKeys: Awaited<ReturnType<typeof findUsableKeys>>,
	vm = 'no',
) =>
	checkAccess({
		facts: {
			sshKeys: registered.map((public_key, id) => ({id, public_key})),
			localKeys,
			isAsked: true,
		},
		preview: {values: {vm}, creation: mergeCreation({image: 'a/b'})},
	});

test('a key opens the instance when its private half is in a file or in the agent', async () => {
	const files = {'id_ed25519.pub': IN_FILE, id_ed25519: 'private', 'alone.pub': ALONE};
	const keys = await findUsableKeys(openHome(files, `echo '${IN_AGENT}'`));
	const [inFile, inAgent, alone] = [[ALONE, IN_FILE], [IN_AGENT], [ALONE]].map(registered =>
		accessWith(registered, keys),
	);
	expect(inFile?.key).toMatch(/^id_ed25519 ed25519 \.\.\S{4} registered$/);
	expect(inAgent?.key).toMatch(/^me at work ed25519 \.\.\S{4} registered$/);
	expect([inFile, inAgent, alone].map(access => access?.level)).toEqual(['ok', 'ok', 'warn']);
	expect(alone?.text).toContain('no private key in ~/.ssh or in the agent here belongs to it');
});

test('a public half whose private half is in the agent can be used', async () => {
	const keys = await findUsableKeys(openHome({'alone.pub': ALONE}, `echo '${ALONE}'`));
	expect(keys.map(({blob}) => blob)).toEqual([parsePublicKey(ALONE).blob]);
});

test('without a registered key a VM cannot be entered, and a container not before one is added', () => {
	expect(accessWith([], [])).toMatchObject({level: 'warn', key: 'none registered'});
	expect(accessWith([], [], 'yes')).toMatchObject({level: 'no', key: 'none registered'});
});

test('a key that was deleted is not registered', () => {
	const local = {...parsePublicKey(IN_FILE), file: '/h/.ssh/a.pub', isInAgent: true};
	const deleted = {id: 1, public_key: IN_FILE, deleted_at: '2026-11-20T10:00:00Z'};
	const preview = {values: {vm: 'no'}, creation: mergeCreation({image: 'a/b'})};
	const facts = {sshKeys: [deleted], localKeys: [local], isAsked: true};
	expect(checkAccess({facts, preview})).toMatchObject({level: 'warn', key: 'none registered'});
});
