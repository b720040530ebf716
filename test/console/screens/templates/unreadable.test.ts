import {expect, test} from 'vitest';
import {
	amongOthers,
	noneReadable,
	openBrokenLists,
	withoutHash,
} from '../../../helpers/services/broken-lists.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';

const lists = [['/api/v0/template/', 'templates']] as const;

/** The list of templates of a service that sends records that cannot be read. */
async function openBroken(change = amongOthers, settings = defaultSettings) {
	const market = await openTestMarket({offers: 1});
	const broken = await openBrokenLists(market, lists, change);
	const rentty = openTestConsole({service: broken, settings: createSettingsStore(settings)});
	await rentty.sees(/12:41/);
	rentty.type('3');
	return {
		...rentty,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await broken[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('at 80x24 the rule under the list says how many templates could not be read, and R names them', async () => {
	await using rentty = await openBroken();
	expect(await rentty.sees('could not be read')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances [3 Templates] 4 Keys 5 Activity 6 Profiles
		filter>                                 5 templates . mine first, then last used
		--------------------------------------------------------------------------------
		  NAME                IMAGE               OPENS   DISK FROM    USES LAST HASH
		> PyTorch             pytorch/pytorch:2.~ Jupyter  32G market     0    - ..a38e
		  vLLM server         vllm/vllm-openai:v~ args     64G market     0    - ..74d6
		  ComfyUI             yanwk/comfyui-boot~ SSH      48G market     0    - ..5dd1
		  CUDA base image     nvidia/cuda:12.8.1~ SSH      16G market     0    - ..6005
		  Axolotl fine-tuning axolotlai/axolotl-~ Jupyter 100G market     0    - ..99e4






		- 2 of 7 could not be read - R names them ------------------------------ 1 of 5
		PyTorch   public   ..a38e
		 env     DATA_DIRECTORY -p 6006:6006
		 onstart 51 of 4048 characters   disk 32 GB   jupyter, direct
		 filters external=no rentable=yes verified=yes
		 readme  # PyTorch  The official PyTorch image with the CUDA toolkit. JupyterLa~

		/ filter  Enter view  n new  r rent  N copy  e edit  x delete  ? help"
	`);
	rentty.type('R');
	expect(lastLines(await rentty.sees('with name nameless'))).toMatchInlineSnapshot(`
		"2 of 7 templates could not be read: number 2 with name nameless (hash_id is
		missing), number 3 (it is null)."
	`);
});

test('a list of which nothing can be read does not say that there are no templates', async () => {
	await using rentty = await openBroken(noneReadable);
	expect(await rentty.sees('templates could be read')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances [3 Templates] 4 Keys 5 Activity 6 Profiles
		filter>        0 templates, none of 5 could be read . mine first, then last used
		--------------------------------------------------------------------------------

		 None of 5 templates could be read.

		 The service may speak another version of its API.
		 R tries again.

		   number 1 with name nameless (hash_id is missing)
		   number 2 with name nameless (hash_id is missing)
		   number 3 with name nameless (hash_id is missing)
		   number 4 with name nameless (hash_id is missing)
		   number 5 with name nameless (hash_id is missing)








		/ filter  Enter view  n new  r rent  N copy  e edit  x delete  ? help"
	`);
});

test('words that leave nothing of what can be read say that there is more', async () => {
	await using rentty = await openBroken();
	await rentty.sees('could not be read');
	rentty.type('/nothing-has-this\r');
	await rentty.sees('No template matches');
	expect(await rentty.shown()).toContain('0 templates, 2 of 7 could not be read');
});

test('the usual template is not called gone while some cannot be read', async () => {
	await using rentty = await openBroken(amongOthers, {
		...defaultSettings,
		templateHash: 'f'.repeat(32),
	});
	await rentty.sees('could not be read');
	expect(await rentty.shown()).not.toContain('is gone');
});

test('where templates are picked for a rental, the list says it as well', async () => {
	await using rentty = await openBroken();
	await rentty.sees('could not be read');
	rentty.type('r');
	await rentty.sees('Rent');
	rentty.type('\u0014');
	await rentty.sees('2 of 7 could not be read - R names them');
});

function lastLines(frame: string): string {
	return frame.split('\n').slice(-2).join('\n');
}

test('a template without a hash is shown, and the keys that go by its hash say why they do nothing', async () => {
	await using rentty = await openBroken(withoutHash);
	expect(await rentty.sees('1 of 5')).toMatch(/> PyTorch .* -$/m);
	for (const key of ['r', 'b', 'L', 'y']) {
		rentty.type(key);
		await rentty.sees('Not now: the service names no hash of it.');
	}
});
