import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {openScreen} from './open-screen.ts';

test('at 80x24 profiles stand over what the present one says, and how its connection does', async () => {
	await using profiles = await openScreen();
	await profiles.sees('none here; rentty guard');
	expect(await profiles.frame()).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances 3 Templates 4 Keys 5 Activity [6 Profiles]
		  PROFILE      SERVER                       KEY            MODE STATE
		> prod         http://127.0.0.1:8080        ..9f3c file    RW   in use
		  watch        http://127.0.0.1:8080        command        RO   not tested
		  staging      http://127.0.0.1:9           env            RW   not tested
		  practice     on this machine, no money    -              RW   -
		--------------------------------------------+-----------------------------------
		prod                                        | CONNECTION
		 server        http://127.0.0.1:8080        |  api     12ms  p95 12ms
		 key           file /tmp/rentty-process-oth |  errors  0 in the last hour
		 mode          RW: every change asks        |  429     none
		 colour        red                          |  pace    as usual
		 own settings  diskGb                       |  clock   not compared; R does
		 budget        asks over $3/h               |  guard   none here; rentty guard ~
		               no limit in all              |  link    not measured
		 disk          40 GB                        | TERMINAL
		 stuck after   10 min of booting            |  TERM     xterm-256color
		 notify        title, bell                  |  copy     osc52; no receipt
		--------------------------------------------+-----------------------------------

		Enter switches to the profile. Running instances are not affected.

		Enter use  n new  e edit  x remove  R test all  y copy  i sources  ? help"
	`);
});

test('R tests all of them, says what is wrong in one sentence, and 140x40 has room for all of it', async () => {
	await using profiles = await openScreen({columns: 140, rows: 40});
	profiles.type('R');
	await profiles.sees('Tested.');
	await profiles.sees('none here; rentty guard');
	expect(await profiles.frame()).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                                                                                12:41:07
		 0 Overview    1 Offers    2 Instances    3 Templates    4 Keys    5 Activity   [6 Profiles]
		  PROFILE            SERVER                                   KEY                  MODE STATE
		> prod               http://127.0.0.1:8080                    ..9f3c file          RW   in use, ok 0ms
		  watch              http://127.0.0.1:8080                    command              RO   ok 0ms
		  staging            http://127.0.0.1:9                       env                  RW   STAGING_KEY is not set in the environment.
		  practice           on this machine, no money                -                    RW   -
		----------------------------------------------------------------------------+---------------------------------------------------------------
		prod                                                                        | CONNECTION
		 server        http://127.0.0.1:8080                                        |  api     12ms  p95 12ms
		 key           file /tmp/rentty-process-other/prod                         |  errors  0 in the last hour
		 mode          RW: every change asks                                        |  429     none
		 colour        red                                                          |  pace    as usual
		 own settings  diskGb                                                       |  clock   agrees with that of the service
		 budget        asks over $3/h                                               |  guard   none here; rentty guard runs one
		               no limit in all                                              |  link    not measured
		 disk          40 GB                                                        | TERMINAL
		 stuck after   10 min of booting                                            |  TERM     xterm-256color
		 notify        title, bell                                                  |  copy     osc52; no receipt
		                                                                            |  colours  256
		                                                                            |  glyphs   ascii
		                                                                            |  size     140x36
		                                                                            |
		                                                                            |
		                                                                            |
		                                                                            |
		                                                                            |
		                                                                            |
		                                                                            |
		                                                                            |
		                                                                            |
		                                                                            |
		                                                                            |
		                                                                            |
		                                                                            |
		----------------------------------------------------------------------------+---------------------------------------------------------------
		staging: STAGING_KEY is not set in the environment.
		Enter switches to the profile. Running instances are not affected.
		Tested.
		Enter use  n new  e edit  x remove  R test all  y copy  i sources  ? help  a actions  q quit"
	`);
});

test('i says of each setting where its value comes from, all of them at 80x24', async () => {
	await using profiles = await openScreen({environment: {RENTTY_THEME: 'mono'}});
	profiles.type('i');
	await profiles.sees('where its settings come from');
	const shown = await profiles.frame();
	for (const name of Object.keys(defaultSettings)) expect(shown).toMatch(new RegExp(`\\b${name} `));
	expect(shown).toMatch(/diskGb +profile {2}40/);
	expect(shown).toMatch(/theme +start {2}mono/);
	expect(shown).toMatch(/hours +default {2}24/);
});

test('a checked key says what it can do and what it lacks, and how that is known', async () => {
	await using profiles = await openScreen();
	const reply = await profiles.market.call('/api/v0/auth/apikeys/', {
		method: 'POST',
		body: JSON.stringify({name: 'monitor', permissions: {api: {misc: {}, instance_read: {}}}}),
	});
	const key = /"key": ?"([^"]+)"/.exec(reply.text)?.[1] ?? '';
	profiles.user.write('prod', key);
	profiles.type('e');
	await profiles.sees('Profiles > prod');
	profiles.type('\u001B[F');
	await profiles.sees('> [ Save unchecked ]');
	profiles.type('k');
	await profiles.sees('> [ Check the key');
	profiles.type('\r');
	await profiles.sees('WHAT THE KEY CAN DO');
	expect(await profiles.frame()).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances 3 Templates 4 Keys 5 Activity [6 Profiles]
		Profiles > prod                                             the service answered
		--------------------------------------------------------------------------------

		 WHAT THE KEY CAN DO     HOW WE KNOW
		  search offers      yes read ok
		  list instances     yes read ok
		  search templates   no  403, the key lacks user_read
		  create instance    ?   not tried
		  stop, destroy      ?   not tried

		  ? = not tried: no call says what a key may do before it is tried.
		  Without search templates the rest works.

		  Nothing is charged before you press y on a review.






		Asking the service by three harmless reads
		Enter keep it and open it  Esc back"
	`);
});

test('at 80x24 a new profile asks where its key is, and says what was found without reading it', async () => {
	await using profiles = await openScreen({
		environment: {RENTTY_API_KEY: 'a-key-that-nobody-draws', RENTTY_URL: 'http://127.0.0.1:8080'},
	});
	profiles.type('n');
	await profiles.sees('rentty needs an API key');
	const frame = await profiles.frame();
	expect(frame).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers 2 Instances 3 Templates 4 Keys 5 Activity [6 Profiles]
		Profiles > new                                            the key is never shown
		--------------------------------------------------------------------------------
		 rentty needs an API key to rent with. Where is it?
		 Nothing is read or sent before you press a button. Esc goes on with practice.
		> key          in an environment variable      RENTTY_API_KEY is set here
		  variable     RENTTY_API_KEY                  read at each start, kept nowhere
		  server       http://127.0.0.1:8080           where the service is
		  name         prod                            shown on every screen
		  mode         read-write                      every change asks
		  colour       none                            of its name in the header
		  own settings none                            settings of this profile; Enter ~

		  [ Check the key by three harmless reads ]    [ Save unchecked ]








		Tab next  Enter edit  Space toggle  Ctrl-E $EDITOR  Ctrl-U undo field  F1 help"
	`);
	expect(profiles.written()).not.toContain('a-key-that-nobody-draws');
});
