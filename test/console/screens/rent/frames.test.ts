import {expect, test} from 'vitest';
import {answered, dropReply} from '../../../helpers/services/faults.ts';
import {openTorch} from './open-rent.ts';

const template = {
	name: 'torch',
	image: 'a/torch',
	tag: '2.6-cuda12.4',
	runtype: 'ssh',
	env: '-e TZ=UTC -e MODE=a -p 8080:80',
	onstart: 'echo hi',
	extra_filters: {gpu_ram: {gte: 16_000}},
};

/** The form, once all that it says was looked up, at a size. */
async function openForm(size: {readonly columns?: number; readonly rows?: number} = {}) {
	const rentty = await openTorch({template, ...size});
	await rentty.openForm();
	await rentty.sees('no SSH key is registered');
	return rentty;
}

test('the form says of every value where it comes from at 80x24', async () => {
	await using rentty = await openForm();
	expect(await rentty.sees('Review and rent')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		Rent > 20002566  1x RTX 5090 IS  ALL-IN $0.4948/h  $11.87/day  price of 12:41:07
		--------------------------------------------------------------------------------
		  template    torch  hash ..a6b5              Ctrl-T picks
		  image       a/torch:2.6-cuda12.4            template
		  label       none                            default
		  disk GB     40                              +$0.0044/h settings (template 8)
		  opens       SSH                             template
		  type        on-demand                       at the fixed price
		  start       running                         default
		  env         3 from the template             Ctrl-O lists them
		  onstart     7 of 4048 characters            template
		  volume      none                            default
		  if stuck    tell me after 10 min            you decide
		  SSH key     none registered                 warn: Enter registers one
		  ends        none                            NO END: for 6h  idle 30m  until ~
		  + MORE ABOUT THE LAUNCH  Enter shows 10 fields
		  + IF SOMEBODY TAKES IT  up to 3 like it, +5 % at most  Enter shows 3 fields
		> [ Review and rent ]    [ Save as template ]    [ Cancel ]
		--------------------------------------------------------------------------------
		warn: no SSH key is registered: one must be added before you can enter by SSH

		Tab next  Enter edit  Space toggle  Ctrl-T template  y copy  i preview  ? help"
	`);
});

test('the price is whole, and as of when, also where the offer has no room for its name', async () => {
	await using rentty = await openForm({columns: 60, rows: 15});
	expect(await rentty.sees('Review and rent')).toContain(
		'Rent > 20002566  1x RTX~  ALL-IN $0.4948/h price of 12:41:07',
	);
});

test('merge, cost, checks and agreement stand beside the form at 140x40', async () => {
	await using rentty = await openForm({columns: 140, rows: 40});
	expect(await rentty.sees('Review and rent')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                                                                                12:41:07
		 0 Overview   [1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
		Rent > 20002566  1x RTX 5090 IS  ALL-IN $0.4948/h  $11.87/day                                                              price of 12:41:07
		--------------------------------------------------------------------------------------------------------------------------------------------
		  template    torch  hash ..a6b5             Ctrl-T picks                      MERGE PREVIEW  template -> result -> what is sent
		  image       a/torch:2.6-cuda12.4           template                            env (3)
		  label       none                           default                               TZ                  UTC                     kept
		  disk GB     40                             +$0.0044/h settings (template 8)      MODE                a                       kept
		  opens       SSH                            template                              -p 8080:80                                  kept
		  type        on-demand                      at the fixed price                  extra_filters (1)
		  start       running                        default                               gpu_ram             gte 16000               kept
		  env         3 from the template            Ctrl-O lists them
		  onstart     7 of 4048 characters           template                          COST
		  volume      none                           default                             GPU $0.4892 + disk 40 GB $0.0056 = $0.4948/h
		  if stuck    tell me after 10 min           you decide                          1 day $11.87   7 days $83.12
		  SSH key     none registered                warn: Enter registers one           stopped: $0.0056/h until destroyed
		  ends        none                           NO END: for 6h  idle 30m  until~    traffic .0053 in / .0053 out per GB, not included

		  + MORE ABOUT THE LAUNCH  Enter shows 10 fields                               CHECKS
		  + IF SOMEBODY TAKES IT  up to 3 like it, +5 % at most  Enter shows 3 fields    warn  no SSH key is registered: one must be added before
		                                                                                       you can enter by SSH
		> [ Review and rent ]    [ Save as template ]    [ Cancel ]                      ok    disk 40 <= 282 GB free on the machine
		                                                                                 ok    CUDA 12.9 >= 12.4 wanted
		                                                                                 ok    credit $100.00 lasts 202 h with this

		                                                                               YOU AGREE TO
		                                                                                 Charges start when the instance is created, before it is
		                                                                                 running; disk is charged until you DESTROY it, also when
		                                                                                 stopped or stuck.

		                                                                               EXACT REQUEST  (Ctrl-Y copies it; the key is in none of it)
		                                                                                 PUT asks/20002566  disk 40  template_hash_id
		                                                                                 6ec0de29da48425b7562f30d5beda6b5
		                                                                                 rentty rent 20002566 --disk 40 --template
		                                                                                 6ec0de29da48425b7562f30d5beda6b5
		                                                                                 and RENTTY_WISH in env, by which it is found again if the~
		--------------------------------------------------------------------------------------------------------------------------------------------
		warn: no SSH key is registered: one must be added before you can enter by SSH

		Tab next  Enter edit  Space toggle  Ctrl-E $EDITOR  u undo field  Ctrl-T template  y copy  i preview  ? help  a actions  q quit"
	`);
});

test('the review names costs, checks and the request at 80x24', async () => {
	await using rentty = await openForm();
	expect(await rentty.review()).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		+- RENT OFFER ------------------------------------------------ as of 12:41:07 -+
		|                                                                              |
		|  20002566  1x RTX 5090  Iceland, IS  a/torch:2.6-cuda12.4                    |
		|                                                                              |
		|  Costs      $0.4948/h all-in: GPU $0.4892 + disk 40 GB $0.0056; $11.87/day,  |
		|             a week $83.12                                                    |
		|  NO END     it costs until you end it; L sets an end later                   |
		|  Checks     ! no SSH key is registered: one must be added before you can     |
		|             enter by SSH                                                     |
		|  You agree  Charges start when the instance is created, before it is         |
		|             running; disk is charged until you DESTROY it, also when         |
		|             stopped or stuck.                                                |
		|  Request    PUT asks/20002566  disk 40  template_hash_id                     |
		|             6ec0de29da48425b7562f30d5beda6b5                                 |
		|                                                                              |
		|                                                                              |
		|  > [ Cancel ]     [ Rent ]                                                   |
		+------------------------------------------------------------------------------+



		y yes  n no  Tab other button  Enter press it"
	`);
});

test('an offer that is gone is said with the next equal ones at 80x24', async () => {
	await using rentty = await openForm();
	const review = await rentty.review();
	await rentty.market.rent({image: 'x'}, Number(/ (\d{8}) {2}/.exec(review)?.[1]));
	rentty.agree();
	expect(await rentty.sees('NEXT EQUAL OFFERS')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:08
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		Rent > 20002566  1x RTX 5090                                          not rented
		--------------------------------------------------------------------------------
		 The machine could not start offer 20002566 right now, so the rent was
		 cancelled as you asked.

		 Nothing was created, nothing is charged.
		 e allows waiting (cancel: no) if you would rather queue.

		 r takes none: the next one is +43 %, and your ceiling is +5 %.

		 NEXT EQUAL OFFERS
		 > 20000927  1x RTX 5090          $0.7095/h  +43 %    over your ceiling









		r next equal  / search  e back to the form  Enter the answer  c copy both"
	`);
});

test('a rental of which nobody can tell is said to be so, with what to do, at 80x24', async () => {
	await using rentty = await openForm();
	await rentty.review();
	const list = {method: 'GET', path: /^\/api\/v[01]\/instances/};
	rentty.proxy.next(list, answered({status: 403, body: {success: false}}), 100);
	rentty.proxy.next({method: 'PUT', path: '/api/v0/asks/'}, dropReply);
	rentty.agree();
	expect(await rentty.sees('Do not rent again yet.')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:08
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		Rent > 20002566  1x RTX 5090                                           not known
		--------------------------------------------------------------------------------
		 We do not know if 20002566 was rented.

		 The answer was lost, and the instances cannot be compared.
		 It may be charged. Do not rent again yet.
		 R looks again; 2 shows your instances. The next start of rentty looks, too.














		R look again  e back to the form  Enter the answer  c copy both  ? help"
	`);
});

test('a refusal says what happened, why, the state of the money and what to do at 80x24', async () => {
	await using rentty = await openForm();
	await rentty.review();
	const body = {success: false, error: 'auth_error', msg: 'error 401/1: no such key'};
	rentty.proxy.next({method: 'PUT', path: '/api/v0/asks/'}, answered({status: 401, body}));
	rentty.agree();
	expect(await rentty.sees('The key is not accepted any more.')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:08
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		Rent > 20002566  1x RTX 5090                                          not rented
		--------------------------------------------------------------------------------
		 The key is not accepted any more.

		 It was deleted or reset, or mistyped.
		 Nothing was created. Running instances are not affected and keep charging.
		 6 opens Profiles; e goes back to the form.














		e back to the form  Enter the answer  c copy both  ? help  a actions  q quit"
	`);
});
