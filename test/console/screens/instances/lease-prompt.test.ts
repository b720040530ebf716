import {withoutBox} from '../../../helpers/console/box.ts';
import {expect, test} from 'vitest';
import {openAgreedLeases} from '../../../../source/renter/leases/agreed.ts';
import {openRecordedService} from '../../../helpers/services/recorded-services.ts';
import {openFolder} from '../../../helpers/folder.ts';
import {TEST_NOW} from '../../../helpers/market/market.ts';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';

test('L shows when an instance ends and who sees to it, changes that, and + puts it off', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('jj');
	await rentty.sees('3 of 4');
	rentty.type('+');
	await rentty.sees('it has no deadline; L sets one');
	rentty.type('L');
	await rentty.sees('ends by itself');
	rentty.type('for 6h then stop');
	await rentty.sees(/That is \w+ \w+ \d\d \d{4} \d\d:/);
	rentty.type('\r');
	await rentty.sees('for 6h then stop. Confirmed: market. Not confirmed: watchdog, guard.');
	expect(await rentty.sees(/train-a .*(?:6h00|5h59) /)).toContain('3 no end');
	rentty.type('L');
	const shown = await rentty.sees('market    confirmed, heard now');
	expect(shown).toContain('guard     not confirmed, none is known on this machine');
	expect(shown).toContain('it measures no idleness and saves no results');
	expect(withoutBox(shown)).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  3 no end $0.009/h      * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		When 1 train-a ends by itself

		 ends> for 6h then stop_

		 for 6h  idle 30m  until $20  then stop, destroy or stop-destroy  keep  none
		 when done, step=5000, line="Bye", file=/DONE: by a guard
		 what runs first, last: before COMMAND, before 5m/10m COMMAND (limit/grace)

		 watchdog  not confirmed, the instance was rented without one
		 once it has stopped the instance, it cannot destroy it
		 guard     not confirmed, none is known on this machine
		 it ends nothing while its machine is off
		 market    confirmed, heard now
		 it measures no idleness and saves no results

		 That is Sat Nov 21 2026 18:41:07.

		 Enter sends it. Esc leaves it as it is.

		Enter send  Esc leave"
	`);
	rentty.type('\u001B');
	await rentty.sees('3 of 4');
	rentty.type('+');
	await rentty.sees('for 7h then stop. Confirmed: market.');
	rentty.type('L');
	await rentty.sees('> for 7h then stop');
	rentty.type('\u0015none');
	await rentty.sees('Nothing ends it: it costs until you do.');
	rentty.type('\r');
	await rentty.sees('no end. Confirmed: guard, market.');
	await rentty.sees('4 no end');
});

test('L at 140x40 says in full what runs first and who sees to the end', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market, {columns: 140, rows: 40});
	rentty.type('jj');
	await rentty.sees('3 of 4');
	rentty.type('L');
	await rentty.sees('ends by itself');
	rentty.type('for 6h keep before 5m/10m rsync -a out host:');
	expect(withoutBox(await rentty.sees('The command runs first'))).toMatchInlineSnapshot(`
		" rentty   practice market . no money  . $0.24/h max 0.62  4 no end $0.24/h . today $0.50 . $99.46 lasts 6-17d   * 1  ~ 1  o 1  x 1  12:41:07
		 0 Overview    1 Offers   [2 Instances 1!]   3 Templates    4 Keys    5 Activity    6 Profiles
		When 1 train-a ends by itself

		 ends> for 6h keep before 5m/10m rsync -a out host:_

		 for 6h  idle 30m  until $20  then stop, destroy or stop-destroy  keep  none
		 when done, step=5000, line="Bye", file=/DONE: by a guard
		 what runs first, last: before COMMAND, before 5m/10m COMMAND (limit/grace)


		 That is Sat Nov 21 2026 18:41:07.
		 The command runs first, 5m at most; if it fails, the end waits 10m, once.
		 A market that ends it by itself runs no command: it does so 20m later.

		 Enter sends it. Esc leaves it as it is.

		Enter send  Esc leave"
	`);
});

test('a command that runs before the end is typed last, kept as it is, and shown with its limits', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('L');
	await rentty.sees('ends by itself');
	rentty.type('for 6h before 5m/10m');
	await rentty.sees('expected a command after before.');
	rentty.type(' rsync -a out me:');
	await rentty.sees('The command runs first, 5m at most; if it fails, the end waits 10m, once.');
	rentty.type('\r');
	await rentty.sees('for 6h then destroy. Confirmed: market.');
	rentty.type('L');
	await rentty.sees('> for 6h then destroy before rsync -a out me:_');
	rentty.type('\u0015for 6h then stop before 1m/1h');
	await rentty.sees('The command runs first, 1m at most; if it fails, the end waits 1h, once');
	rentty.type('\r');
	await rentty.sees('for 6h then stop. Confirmed: market.');
	rentty.type('L');
	await rentty.sees('then stop before 1m/1h rsync -a out me:_');
});

test('K keeps an instance from every rule but its deadline, and lets go of it again', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	const label = async () => {
		const {database} = market;
		const [row] = await database
			.selectFrom('instances')
			.select('label')
			.where('id', '=', 2)
			.execute();
		return row?.label;
	};
	rentty.type('L');
	await rentty.sees('When 2 train-c ends by itself');
	rentty.type('idle 30m');
	await rentty.sees('> idle 30m_');
	rentty.type('\r');
	await rentty.sees('idle 30m then destroy. Not confirmed:');
	rentty.type('K');
	await rentty.reads(/KEEP INSTANCE.*idle 30m then destroy > kept, no end/s);
	rentty.type('\u001B');
	await rentty.sees(' 1 of 4');
	expect(await label()).toBe('train-c [lease1 i1800 td]');
	rentty.type('K');
	await rentty.reads('KEEP INSTANCE');
	rentty.type('y');
	await rentty.sees('2: nothing but its own deadline ends it.');
	await rentty.sees(/train-c .* keep /);
	expect(await label()).toBe('train-c [lease1 i1800 td k]');
	rentty.type('K');
	await rentty.reads('KEEP NO LONGER INSTANCE');
	rentty.type('y');
	await rentty.sees('2: idle 30m then destroy.');
	expect(await label()).toBe('train-c [lease1 i1800 td]');
});

test('marked instances are kept, and labelled with their numbers, after one review of all', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	const labels = async () => {
		const rows = market.database.selectFrom('instances').select('label').orderBy('id');
		return (await rows.execute()).map(({label}) => label);
	};
	const before = await labels();
	await rentty.enter('  ');
	await rentty.sees(/ 2 marked: \$\d+\.\d\d\/h .* 3 of 4/);
	rentty.type('e');
	await rentty.sees('Labels of 2 instances');
	await rentty.enter('lab-{}');
	await rentty.sees(/> lab-1\n.*> lab-2\n/);
	rentty.type('\r');
	await rentty.sees('2 of 2 were labelled.');
	const named = await labels();
	const changed = named.filter((label, at) => label !== before[at]);
	expect(new Set(changed)).toEqual(new Set(['lab-1', 'lab-2']));
	rentty.type('K');
	const asked = withoutBox(await rentty.reads('KEEP 2 INSTANCES'));
	expect(asked).toMatch(/lab-1 .*no end > kept, no end\n.*lab-2 .*no end > kept, no end/);
	rentty.type('y');
	await rentty.sees(/2 of 2 were set/);
	const kept = (await labels()).filter(label => label?.includes(' k]') === true);
	expect(kept).toHaveLength(2);
});

test('terms that cannot be understood are refused in one sentence, and nothing is sent', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('L');
	await rentty.sees('ends by itself');
	rentty.type('\u0015for ever');
	await rentty.sees('expected a time like 30m, 6h or 1h30m, and not ever.');
	rentty.type('\r');
	await rentty.sees('expected a time');
	rentty.type('\u001B');
	await rentty.sees('4 no end');
});

test('a lease that the console has seen, and a label has lost since, is written again by Enter', async () => {
	using folder = openFolder();
	await using market = await openFleetMarket();
	const {database, stuck, url} = market;
	const setLabel = async (label: string) =>
		database.updateTable('instances').set({label}).where('id', '=', stuck.id).execute();
	const label = async () =>
		(await database.selectFrom('instances').select(['id', 'label']).execute()).find(
			({id}) => id === stuck.id,
		)?.label;
	await setLabel(`train-c [lease1 e${TEST_NOW + 7200} td]`);
	const agreed = openAgreedLeases(folder.path, {name: 'practice', url});
	await using rentty = await openFleetConsole(market, {agreed});
	await rentty.sees(/train-c .*(?:1h59|2h00)/);
	await setLabel('train-c');
	rentty.type('R');
	await rentty.sees(/train-c .* lost /);
	rentty.type('L');
	await rentty.sees(
		/Its label has lost what was agreed: Enter restores it, none lets go\s+of it\./,
	);
	await rentty.sees(/> for (?:1h59m|2h) then destroy_/);
	rentty.type('\r');
	await rentty.sees(/for (?:1h59m|2h) then destroy\. Confirmed: market\./);
	expect(await label()).toMatch(/^train-c \[lease1 e\d+ td\]$/);
	await rentty.sees(/train-c .*(?:1h59|2h00)/);
});

test('a lease that the service accepts and does not keep is said as an error', async () => {
	await using service = await openRecordedService('labels-edited');
	const {url, key} = service;
	await using rentty = await openFleetConsole({url, key});
	await rentty.sees(/1 of \d/);
	rentty.type('L');
	await rentty.sees('ends by itself');
	rentty.type('\u0015for 6h then stop');
	await rentty.sees('> for 6h then stop_');
	rentty.type('\r');
	await rentty.sees('Your lease was not set');
	// oxlint-disable-next-line no-control-regex -- the sequence that sets red
	expect(rentty.written()).toMatch(/\u001B\[[\d;]*[39]1m[^\u001B]*Your lease was not set/);
});

test('a deadline that has passed is not proposed, and Enter alone lets go of nothing', async () => {
	await using market = await openFleetMarket();
	const {database} = market;
	const label = `train-a [lease1 e${TEST_NOW - 720} td]`;
	await database.updateTable('instances').set({label}).where('id', '=', 1).execute();
	await using rentty = await openFleetConsole(market);
	await rentty.sees(/train-a .*late/);
	rentty.type('/train-a\r');
	await rentty.sees('1 of 1');
	rentty.type('L');
	await rentty.sees('Its deadline has passed, and is left out here: say another, or none.');
	rentty.type('\r');
	await rentty.sees('its deadline has passed: say for how long, another rule, or none.');
	rentty.type('for 2h');
	await rentty.sees('> for 2h_');
	rentty.type('\r');
	await rentty.sees('for 2h then destroy. Confirmed: market.');
});

test('a lease for all that are marked is one review, with a line for each, and says who got none', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type(' ');
	await rentty.sees(/1 marked.* 2 of 4/);
	rentty.type(' ');
	await rentty.sees('2 marked');
	rentty.type('L');
	await rentty.sees('When 2 instances end by themselves');
	await rentty.shown();
	rentty.type('\r');
	await rentty.sees('Say for how long, another rule, or none.');
	rentty.type('for 6h then stop');
	const shown = await rentty.sees(/no end > for 6h then stop[^]*no end > for 6h then stop/);
	expect(shown).toMatch(/2 train-c {2}no end/);
	await market.call('/api/v0/instances/2/', {method: 'DELETE'});
	rentty.type('\r');
	await rentty.sees(/1 of 2 were set, somebody confirmed 1\. .*2/);
});

test('L refuses a budget that is spent, and warns of one that may be', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('jj');
	await rentty.sees('3 of 4');
	rentty.type('L');
	await rentty.sees('ends by itself');
	rentty.type('until $0.01\r');
	await rentty.sees(/it has cost \$0\.4\d.* so far, and a budget of \$0\.01 would destroy it/);
	rentty.type('\u0015until $0.01 then stop');
	await rentty.sees('a budget of $0.01 would stop it');
	rentty.type('\u0015until $20');
	expect(await rentty.sees(/until \$20[\s\S]*Enter sends it/)).not.toContain('so far');
	rentty.type('\u001B');
	await rentty.sees('Enter detail');
	rentty.type('j');
	await rentty.sees('4 of 4');
	rentty.type('L');
	await rentty.sees('ends by itself');
	rentty.type('until $2');
	await rentty.sees(/It has cost .* so far: a\s+budget of \$2 may destroy it at\s+once\./);
});
