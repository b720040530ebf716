import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {answered} from '../../../helpers/services/faults.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {sshKeyText} from '../../../helpers/host/ssh-keys.ts';
import {openKeys} from './open-keys.ts';

test('a form asks what a new API key is called, and what it may do', async () => {
	await using keys = await openKeys();
	await keys.add();
	keys.type('j');
	await keys.sees('> an API key');
	keys.type('\r');
	await keys.sees('Keys > new API key');
	expect(await keys.frame()).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances 3 Templates [4 Keys] 5 Activity 6 Profiles
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




		Tab next  Enter edit  Space toggle  Ctrl-E $EDITOR  Ctrl-U undo field  Esc leave"
	`);
});

type OpenKeys = Awaited<ReturnType<typeof openKeys>>;

/** Fills in the form of a new key, and sends it. */
async function makeKey(keys: OpenKeys, shown = 'API KEY monitor'): Promise<string> {
	await keys.add();
	keys.type('j');
	await keys.sees('> an API key');
	keys.type('\r');
	await keys.sees('Keys > new API key');
	keys.type('\r');
	await keys.sees('take it');
	keys.type('monitor');
	keys.type('\t');
	await keys.sees('> everything');
	keys.type('\u001B[F');
	await keys.sees('> [ Create the key ]');
	keys.type('\r');
	return keys.sees(shown);
}

test('a new API key may do what was chosen, and its value is shown once and copied', async () => {
	await using keys = await openKeys();
	const shown = await makeKey(keys);
	const value = /^([0-9a-f]{64})$/m.exec(shown)?.[1] ?? 'none';
	expect(shown.replaceAll(value, '0123456789abcdef'.repeat(4))).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances 3 Templates [4 Keys] 5 Activity 6 Profiles
		API KEY monitor                                                  shown this once
		--------------------------------------------------------------------------------

		0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef

		 y copies it, w keeps it in a file of yours. Esc or Enter leaves it.

		 The service never says it again, and rentty keeps it nowhere.













		y copy  w keep in a file  Esc leave"
	`);
	keys.readOn();
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
	await keys.add();
	keys.type('j');
	await keys.sees('> an API key');
	keys.type('\r');
	await keys.sees('Keys > new API key');
	keys.type('\u001B[F');
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
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances 3 Templates [4 Keys] 5 Activity 6 Profiles
		API KEY IN USE  prod  ..9f3c from file /keys/prod               checked 12:41:07
		+- RESET API KEY . instances keep running, and are charged --- as of 12:41:07 -+
		|                                                                              |
		|  1  test  ..9f3c  everything  in use here                                    |
		|                                                                              |
		|  What happens  It gets a new value, which is shown once. The old value ends  |
		|                at once.                                                      |
		|  Who uses it   Programs that use it get 401 on their next call. It is the    |
		|                key that rentty itself uses.                                  |
		|  Money         Instances keep running, and are charged.                      |
		|                                                                              |
		|  To confirm, type: reset (or its name, test)                                 |
		|  > _                                                                         |
		|                                                                              |
		|  > [ Cancel ]     [ Reset ]                                                  |
		+------------------------------------------------------------------------------+
		+------------------------------------------------------------------------------+

		--------------------------------------------------------------------------------
		1 found: 1 action (a:)

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

test('a new API key that the service refuses can be sent again without typing all anew', async () => {
	await using market = await openTestMarket({offers: 0});
	await using proxy = await openFaultProxy(market.url);
	const refusal = {success: false, error: 'too_many_keys', msg: 'There are too many keys.'};
	proxy.next(
		{method: 'POST', path: '/api/v0/auth/apikeys'},
		answered({status: 400, body: refusal}),
	);
	await using keys = await openKeys({market, service: {...market, url: proxy.url}});
	await makeKey(keys, 'There are too many keys.');
	expect(await keys.sees('Keys > new API key')).toMatch(/name +monitor/);
	keys.type('\u001B[F');
	await keys.sees('> [ Create the key ]');
	keys.type('\r');
	await keys.sees('API KEY monitor');
});
