import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import {sshKeyText} from '../../../helpers/host/ssh-keys.ts';
import {openKeys} from './open-keys.ts';

test('at 80x24 all keys are one list, with what the key in use can do and what the cursor is on', async () => {
	await using keys = await openKeys();
	await keys.sees('list instances yes');
	keys.type('j');
	await keys.sees('public half');
	expect(await keys.frame()).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances 3 Templates [4 Keys] 5 Activity 6 Profiles
		API KEY IN USE  prod  ..9f3c from file /keys/prod               checked 12:41:07
		 search offers yes . list instances yes . search templates yes
		 create instance ? . stop, destroy ?
		 ? is known once it is tried. Keys are shown by their last four characters.
		--------------------------------------------------------------------------------
		  NAME                 KIND TYPE OR RIGHTS             END    WHERE
		  test                 api  everything                 ..9f3c in use here
		> laptop               ssh  ed25519                    ../YnA account, here
		  old-mac              ssh  ed25519                    ..xmiA here only



		------------------------------------------------------------------------ laptop
		 print        SHA256:RXm/ruZ0eTzRXKwi1AQEDynB0VgHQ2ac9KPSFdf/YnA
		 public half  /home/of/user/.ssh/id_ed25519.pub
		 agent        not loaded
		 opens        none that runs now
		 note         new keys reach new instances only; a VM has no way in later

		Deleting or resetting a key works at once: what uses it gets 401.

		n add  x delete  y copy  R re-check  ? help  a actions  q quit"
	`);
});

test('at 140x40 more of each key is said', async () => {
	await using keys = await openKeys({columns: 140, rows: 40});
	await keys.sees('list instances yes');
	keys.type('j');
	await keys.sees('public half');
	expect(await keys.frame()).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                                                                                12:41:07
		 0 Overview    1 Offers    2 Instances    3 Templates   [4 Keys]   5 Activity    6 Profiles
		API KEY IN USE  prod  ..9f3c from file /keys/prod                                                                           checked 12:41:07
		 search offers yes . list instances yes . search templates yes
		 create instance ? . stop, destroy ?
		 ? is known once it is tried. Keys are shown by their last four characters.
		--------------------------------------------------------------------------------------------------------------------------------------------
		  NAME                           KIND TYPE OR RIGHTS                                           END    WHERE
		  test                           api  everything                                               ..9f3c in use here
		> laptop                         ssh  ed25519                                                  ../YnA account, here
		  old-mac                        ssh  ed25519                                                  ..xmiA here only



















		------------------------------------------------------------------------------------------------------------------------------------ laptop
		 print        SHA256:RXm/ruZ0eTzRXKwi1AQEDynB0VgHQ2ac9KPSFdf/YnA
		 public half  /home/of/user/.ssh/id_ed25519.pub
		 agent        not loaded
		 opens        none that runs now
		 note         new keys reach new instances only; a VM has no way in later

		Deleting or resetting a key works at once: what uses it gets 401.

		n add  x delete  y copy  R re-check  ? help  a actions  q quit"
	`);
});

test('an API key is deleted after a review, and from then on is refused', async () => {
	await using keys = await openKeys();
	const {key: value} = await keys.client.apiKeys.create({name: 'old script'});
	keys.type('R');
	await keys.sees('old script');
	keys.type('j');
	await keys.sees('> old script');
	keys.type('x');
	await keys.sees('DELETE');
	keys.readOn();
	keys.type('y');
	await keys.sees('The key old script is deleted.');
	const client = openClient({url: keys.market.url, key: value, paceScale: 0, repeats: 0});
	await expect(client.instances.list()).rejects.toMatchObject({status: 401});
	await client.close();
});

test('a key of this machine is registered, and one whose public half is pasted', async () => {
	await using keys = await openKeys();
	await keys.add();
	await keys.sees('> register old-mac');
	keys.type('\r');
	await keys.sees(/old-mac +ssh +ed25519 +\S+ account, here/);
	keys.type('n');
	await keys.sees('> an API key');
	keys.type('j');
	await keys.sees('> an SSH key');
	keys.type('\r');
	await keys.sees('public key>');
	keys.type('\u001B[200~-----BEGIN OPENSSH PRIVATE KEY-----\u001B[201~');
	keys.type('\r');
	await keys.sees('private');
	keys.type('\u0015');
	keys.type(`\u001B[200~${sshKeyText(3, 'ci')}\u001B[201~`);
	await keys.sees('ci');
	keys.type('\r');
	await keys.sees('The key is registered');
	const texts = (await keys.client.sshKeys.list()).keys.map(key => key.public_key ?? key.key);
	expect(texts).toEqual(
		[1, 2, 3].map((number, at) => sshKeyText(number, ['laptop', 'old-mac', 'ci'][at])),
	);
});
