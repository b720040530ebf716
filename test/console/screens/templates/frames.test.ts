import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {FULL, openTemplates} from './open-templates.ts';

test('at 80x24 the list shows its own templates first, and what the one under the cursor says', async () => {
	await using rentty = await openTemplates({template: FULL, isUsual: false});
	expect(await rentty.sees('pytorch-2.6-cuda12   private')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances [3 Templates] 4 Keys 5 Activity 6 Profiles
		filter>                                  1 template . mine first, then last used
		--------------------------------------------------------------------------------
		  NAME                IMAGE               OPENS   DISK FROM    USES LAST HASH
		> pytorch-2.6-cuda12  vastai/pytorch:2.6  SSH      40G mine       0    - ..300c










		------------------------------------------------------------------------ 1 of 1
		pytorch-2.6-cuda12   private   ..300c
		 env     TZ HF_HOME -p 8080:8080 -p 6006:6006
		 onstart 69 of 4048 characters   disk 40 GB   ssh, direct
		 filters cuda_max_good>=12.4 gpu_ram>=16000
		 readme  PyTorch 2.6 with CUDA 12.4, tmux and a jupyter kernel. Put code in /wo~

		/ filter  Enter view  n new  r rent  N copy  e edit  x delete  ? help"
	`);
});

test('at 140x40 the whole template stands beside the list', async () => {
	await using rentty = await openTemplates({template: FULL, columns: 140, rows: 40});
	expect(await rentty.sees('http.server')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                                                                                12:41:07
		 0 Overview    1 Offers    2 Instances   [3 Templates]   4 Keys    5 Activity    6 Profiles
		filter>                                                                                              1 template . mine first, then last used
		-----------------------------------------------------------------------------------+--------------------------------------------------------
		  NAME                IMAGE               OPENS   DISK FROM    USES LAST HASH      | pytorch-2.6-cuda12   private   ..300c
		> pytorch-2.6-cuda12  vastai/pytorch:2.6  SSH      40G mine       0    - ..300c    |
		                                                                                   |  image      vastai/pytorch:2.6
		                                                                                   |  launch     ssh, direct
		                                                                                   |  disk       40 GB
		                                                                                   |  env        TZ=UTC
		                                                                                   |             HF_HOME=/workspace/hf
		                                                                                   |             -p 8080:8080
		                                                                                   |             -p 6006:6006
		                                                                                   |  arguments  -
		                                                                                   |  filters    cuda_max_good>=12.4 gpu_ram>=16000
		                                                                                   |  volume     {"path":"/data","size":50}  a hint:
		                                                                                   |             renting never attaches it
		                                                                                   |  registry   none
		                                                                                   |  seen by    private
		                                                                                   |  hash       2304c0c1f3e3dcff1087dbfc560d300c
		                                                                                   |  used       your usual one
		                                                                                   |  about      -
		                                                                                   |  links      -  -
		                                                                                   |  jupyter    lab no, in -
		                                                                                   |  onstart    69 of 4048 characters
		                                                                                   |    1  cd /workspace
		                                                                                   |    2  pip install -q -r req.txt
		                                                                                   |    3  python -m http.server 8080 &
		                                                                                   |
		                                                                                   |  README
		                                                                                   |  PyTorch 2.6 with CUDA 12.4, tmux and a jupyter
		                                                                                   |  kernel.
		                                                                                   |  Put code in /workspace.
		                                                                                   |
		                                                                                   |
		                                                                                   |
		                                                                                   |
		-------------------------------------------------------------------------- 1 of 1  |

		/ filter  Enter view  n new  r rent  N copy  e edit  x delete  y copy hash  b usual  ? help  a actions  q quit"
	`);
});

test('one template by itself shows everything that it says', async () => {
	await using rentty = await openTemplates({template: FULL, isUsual: false});
	rentty.type('\r');
	expect(await rentty.sees('none at present')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances [3 Templates] 4 Keys 5 Activity 6 Profiles
		Templates > pytorch-2.6-cuda12   private   ..300c                   line 1 of 26
		--------------------------------------------------------------------------------
		 image      vastai/pytorch:2.6
		 launch     ssh, direct
		 disk       40 GB
		 env        TZ=UTC
		            HF_HOME=/workspace/hf
		            -p 8080:8080
		            -p 6006:6006
		 arguments  -
		 filters    cuda_max_good>=12.4 gpu_ram>=16000
		 volume     {"path":"/data","size":50}  a hint: renting never attaches it
		 registry   none
		 seen by    private
		 hash       2304c0c1f3e3dcff1087dbfc560d300c
		 used       -
		 offers     none at present
		 about      -
		 links      -  -
		--------------------------------------------------------------------------------

		r rent  N copy  e edit  x delete  y copy hash  b usual  R refresh  ? help"
	`);
});

test('the editor shows each field with its rule, and what was changed', async () => {
	await using rentty = await openTemplates({template: FULL, isUsual: false});
	rentty.type('e');
	await rentty.sees('Templates > edit');
	await rentty.press('\t\t\r.1\r\t\t ');
	expect(await rentty.sees('2 changes, not saved')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances [3 Templates] 4 Keys 5 Activity 6 Profiles
		Templates > edit pytorch-2.6-cuda12                         2 changes, not saved
		--------------------------------------------------------------------------------
		  name            pytorch-2.6-cuda12            required
		  image           vastai/pytorch                required; a Docker image path
		* tag             2.6.1                         was 2.6
		  runtype         ssh                           ssh/jupyter/args, default args
		> ssh direct      [ ]                           was yes
		  disk GB         40                            default 8
		  env             4: TZ HF_HOME -p 8080:8080 ~  Enter opens names and ports
		  onstart         69 of 4048                    Ctrl-E edits in $EDITOR
		  private         [x]                           only you see it, default yes
		  + MORE ABOUT THE LAUNCH  Enter shows 5 fields
		  + MACHINES AND VOLUME  Enter shows 2 fields
		  + REGISTRY LOGIN  Enter shows 3 fields
		  + DESCRIPTION AND LINKS  Enter shows 5 fields

		  [ Save ]    [ Save as copy ]    [ Discard ]
		--------------------------------------------------------------------------------
		Saving makes a new hash in place of ..300c.
		Only changed fields are sent: tag, ssh_direct

		Tab next  Enter edit  Space toggle  Ctrl-E $EDITOR  Ctrl-U undo field  F1 help"
	`);
});

test('an environment is shown as rows, and as the Docker flags that say the same', async () => {
	await using rentty = await openTemplates({template: FULL, isUsual: false});
	rentty.type('e');
	await rentty.sees('Templates > edit');
	rentty.type('\t'.repeat(6));
	await rentty.sees('> env');
	rentty.type('\r');
	expect(await rentty.sees('As Docker flags')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances [3 Templates] 4 Keys 5 Activity 6 Profiles
		ENVIRONMENT AND PORTS                                                  4 entries
		--------------------------------------------------------------------------------
		> variable  TZ=UTC
		  variable  HF_HOME=/workspace/hf
		  port      -p 8080:8080
		  port      -p 6006:6006











		--------------------------------------------------------------------------------
		As Docker flags:  -e TZ=UTC -e HF_HOME=/workspace/hf -p 8080:8080 -p 6006:6006


		Enter edit  n new  x remove  e as flags  u undo  Esc back"
	`);
});

test('a market without templates says so, and how to make one', async () => {
	await using market = await openTestMarket({offers: 0});
	await using rentty = openTestConsole({service: market});
	rentty.type('3');
	expect(await rentty.sees('There are no templates')).toContain('n makes one.');
});

test('a filter that nothing matches says which, and that Esc shows all', async () => {
	await using rentty = await openTemplates({template: FULL, isUsual: false});
	// In one burst, as a slow link delivers it: what follows the slash is text, and no commands.
	rentty.type('/count_created>=5');
	await rentty.sees('count_created>=5_');
	rentty.type('\r');
	const frame = await rentty.sees("No template matches 'count_created>=5'.");
	expect(frame).toContain('Esc shows all.');
	rentty.type('\u001B');
	await rentty.sees('pytorch-2.6-cuda12   private');
});

test('a search that failed says what happened and what to do', async () => {
	await using market = await openTestMarket({offers: 0});
	await using rentty = openTestConsole({service: {url: market.url, key: 'f'.repeat(64)}});
	rentty.type('3');
	expect(await rentty.sees('the key is not')).toContain('R tries again.');
});
