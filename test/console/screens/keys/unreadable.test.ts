import {expect, test} from 'vitest';
import {
	amongOthers,
	noneReadable,
	openBrokenLists,
} from '../../../helpers/services/broken-lists.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {openKeys} from './open-keys.ts';

const ssh = [['/api/v0/ssh/', undefined]] as const;
const both = [...ssh, ['/api/v0/auth/apikeys/', 'apikeys']] as const;

async function openBroken(lists: typeof ssh | typeof both, change = amongOthers) {
	const market = await openTestMarket({offers: 0});
	const broken = await openBrokenLists(market, lists, change);
	const keys = await openKeys({market, service: broken});
	return {
		...keys,
		async [Symbol.asyncDispose]() {
			await keys[Symbol.asyncDispose]();
			await broken[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('at 80x24 keys that cannot be read are counted under the list, and R names them', async () => {
	await using keys = await openBroken(ssh);
	await keys.sees('list instances yes');
	await keys.sees('could not be read');
	expect(await keys.frame()).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances 3 Templates [4 Keys] 5 Activity 6 Profiles
		API KEY IN USE  prod  ..9f3c from file /keys/prod               checked 12:41:07
		 search offers yes . list instances yes . search templates yes
		 create instance ? . stop, destroy ?
		 ? is known once it is tried. Keys are shown by their last four characters.
		--------------------------------------------------------------------------------
		  NAME                 KIND TYPE OR RIGHTS             END    WHERE
		> test                 api  everything                 ..9f3c in use here
		  laptop               ssh  ed25519                    ../YnA account, here
		  old-mac              ssh  ed25519                    ..xmiA here only



		- 2 of 4 could not be read - R names them -------------------------------- test
		 number  1, the one in use here
		 value   ..9f3c, shown once when it was made
		 may do: everything



		Deleting or resetting a key works at once: what uses it gets 401.

		n add  x delete  y copy  R re-check  ? help  a actions  q quit"
	`);
	keys.type('R');
	expect(lastLines(await keys.sees('with name nameless'))).toMatchInlineSnapshot(`
		"2 of 3 SSH keys could not be read: number 2 with name nameless (id is missing),
		number 3 (it is null)."
	`);
});

test('keys of both kinds are counted together and named apart', async () => {
	await using keys = await openBroken(both);
	await keys.sees('4 of 6 could not be read - R names them');
	keys.type('R');
	await keys.sees('2 of 3 API keys could not be read: number 2 with name nameless');
	const shown = await keys.shown();
	expect(shown.split('\n').slice(2, 6)).toMatchInlineSnapshot(`
		[
		  "2 of 3 API keys could not be read: number 2 with name nameless (id is missing),",
		  "number 3 (it is null). 2 of 3 SSH keys could not be read: number 2 with name nam",
		  "eless (id is missing), number 3 (it is null).",
		  "",
		]
	`);
	expect(lastLines(shown)).toMatchInlineSnapshot(`
		"2 of 3 API keys could not be read. 2 of 3 SSH keys could not be read.
		Esc back"
	`);
	keys.type('q');
	await keys.sees('4 of 6 could not be read');
});

test('a key of this machine is not said to be missing from keys that cannot be read', async () => {
	await using keys = await openBroken(ssh, noneReadable);
	await keys.sees('1 of 2 could not be read');
	keys.type('j');
	await keys.sees('not among the keys of the account that can be read');
});

function lastLines(frame: string): string {
	return frame.split('\n').slice(-2).join('\n');
}
