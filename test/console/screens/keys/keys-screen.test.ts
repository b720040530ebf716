import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import {sshKeyText} from '../../../helpers/ssh-keys.ts';
import {openKeys} from './open-keys.ts';

test('at 80x24 all keys are one list, with what the key in use can do and what the cursor is on', async () => {
	await using keys = await openKeys();
	await keys.sees('list instances yes');
	keys.type('j');
	await keys.sees('public half');
	expect(await keys.frame()).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		 1 Offers    2 Instances    3 Templates   [4 Keys]   5 Activity    6 Profiles
		API KEY IN USE  prod  ..9f3c from file /keys/prod               checked 12:41:07
		 search offers yes | list instances yes | search templates yes
		 create instance ? | stop, destroy ?
		 ? = never tried. Of a key only the last four characters are ever drawn.
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
		"PRACTICE no money | api 12ms                                                                                                        12:41:07
		 1 Offers    2 Instances    3 Templates   [4 Keys]   5 Activity    6 Profiles
		API KEY IN USE  prod  ..9f3c from file /keys/prod                                                                           checked 12:41:07
		 search offers yes | list instances yes | search templates yes
		 create instance ? | stop, destroy ?
		 ? = never tried. Of a key only the last four characters are ever drawn.
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

test('a new API key may do what was chosen, and its value is shown once and copied', async () => {
	await using keys = await openKeys();
	keys.type('n');
	await keys.sees('ADD');
	keys.type('j');
	await keys.sees('> an API key');
	keys.type('\r');
	await keys.sees('Keys > new API key');
	expect(await keys.frame()).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		 1 Offers    2 Instances    3 Templates   [4 Keys]   5 Activity    6 Profiles
		Keys > new API key                                                    shown once
		--------------------------------------------------------------------------------
		> name                                          what it is for
		  everything     [ ]                            also what is not named here
		  instance_read  [x]                            list and watch instances
		  instance_write [ ]                            rent, stop, destroy: it spends
		  user_read      [x]                            read account, keys, templates
		  user_write     [ ]                            change keys and templates
		  billing_read   [ ]                            read what was charged
		  billing_write  [ ]                            pay, and move money
		  machine_read   [ ]                            for hosts: read machines
		  machine_write  [ ]                            for hosts: change machines
		  misc           [x]                            search offers
		  team_read      [ ]                            for teams: read members
		  team_write     [ ]                            for teams: change members

		  [ Create the key ]




		Tab next  Enter edit  Space toggle  Ctrl-E $EDITOR  u undo field  Esc leave"
	`);
	keys.type('\r');
	await keys.sees('take it');
	keys.type('monitor');
	keys.type('\t');
	await keys.sees('> everything');
	keys.type('G');
	await keys.sees('> [ Create the key ]');
	keys.type('\r');
	const shown = await keys.sees('API KEY monitor');
	const value = /^([0-9a-f]{64})$/m.exec(shown)?.[1] ?? '';
	keys.type('y');
	await keys.sees('Copied');
	const copied = Buffer.from(value).toString('base64');
	expect(keys.written()).toContain(`\u001B]52;c;${copied}`);
	keys.type('\u001B');
	await keys.sees(/monitor +api +instance_read user_read m/);
	expect(await keys.shown()).not.toContain(value);
	// It can do what was chosen, and nothing else.
	const client = openClient({url: keys.market.url, key: value, paceScale: 0, repeats: 0});
	expect((await client.instances.list()).instances).toEqual([]);
	await expect(client.sshKeys.create(sshKeyText(9))).rejects.toThrow('user_write');
	await client.close();
});

test('a key without a name or without any right is refused before it is sent', async () => {
	await using keys = await openKeys();
	keys.type('n');
	await keys.sees('ADD');
	keys.type('j');
	await keys.sees('> an API key');
	keys.type('\r');
	await keys.sees('Keys > new API key');
	keys.type('G');
	await keys.sees('> [ Create the key ]');
	keys.type('\r');
	await keys.sees('Nothing was sent. name: a name says later what it is for.');
	expect((await keys.client.apiKeys.list()).keys).toHaveLength(1);
});

test('the key in use is reset after its name was typed, and whoever uses it gets 401', async () => {
	await using keys = await openKeys();
	await keys.sees(/> test/);
	keys.type(':');
	await keys.sees('command');
	keys.type('reset the API key');
	await keys.sees('> reset the API key');
	keys.type('\r');
	await keys.sees('RESET API KEY');
	expect(await keys.frame()).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		 1 Offers    2 Instances    3 Templates   [4 Keys]   5 Activity    6 Profiles
		RESET API KEY                                            list frozen at 12:41:07

		 1  test  ..9f3c  everything  in use here

		 What happens  It gets a new value, which is shown once. The old value ends at
		               once.
		 Who uses it   Programs that use it get 401 on their next call. It is the key
		               that rentty itself uses.
		 Money         Instances keep running, and are charged.

		 To confirm, type: test or the last four digits, 1
		 > _

		 > [ Cancel ]     [ Reset ]







		Enter press the button  Tab other button  Esc no"
	`);
	keys.readOn();
	keys.type('y\r');
	await keys.sees('> y');
	expect((await keys.client.apiKeys.list()).keys).toHaveLength(1);
	keys.type('\u0015test');
	await keys.sees('> [ Reset ]');
	keys.type('\r');
	await keys.sees(/rentty uses it too: until it has the new value, every call is refused/);
	await expect(keys.client.apiKeys.list()).rejects.toMatchObject({status: 401});
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
	keys.type('n');
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
