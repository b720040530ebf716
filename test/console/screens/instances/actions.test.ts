import {expect, test} from 'vitest';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import type {FleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import type {FleetMarket} from '../../../helpers/fleet/fleet.ts';

/** Asks for a sweep, and answers that it shall be. */
async function agreeToSweep(rentty: FleetConsole): Promise<void> {
	rentty.type('X');
	await rentty.reads('SWEEP: DESTROY INSTANCE');
	rentty.type('y');
	await rentty.sees('Destroying 1 in 5 s');
}

test('what never ran is destroyed after a y, and said to be gone when it is', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('x');
	const asked = await rentty.reads('DESTROY INSTANCE');
	expect(asked).toContain('never ran');
	expect(asked).toMatch(/Saves up to \$0\.\d\d\/h/);
	rentty.type('y');
	await rentty.sees('- destroying');
	const shown = await rentty.sees(`${market.stuck.id} is gone. What is left costs $0.24/h.`);
	expect(shown).toContain('- gone');
	expect(shown).toContain(' 3 instances .');
	expect(await rentty.listed()).not.toContain(market.stuck.id);
});

test('what ran is not destroyed by a y, and a wrong word keeps the question', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('jj');
	await rentty.sees('3 of 4');
	rentty.type('x');
	await rentty.reads('has data');
	rentty.type('y');
	rentty.type('\r');
	await rentty.sees('"y" is not "destroy": nothing was destroyed.');
	rentty.type('\u001B');
	await rentty.sees(/ of 4\b/);
	expect(await rentty.listed()).toContain(market.running.id);
});

test('a sweep can be taken back, and then nothing was sent', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	await agreeToSweep(rentty);
	rentty.type('u');
	await rentty.sees('Taken back');
	await rentty.pass(6);
	rentty.type('u');
	await rentty.sees('nothing waits to be sent');
	expect(await rentty.listed()).toContain(market.stuck.id);
});

test('who leaves before a sweep is sent is told so first, and no second one takes its place', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	await agreeToSweep(rentty);
	rentty.type('X');
	await rentty.sees(/one waits\s+to be sent; u takes it back/);
	rentty.type('\u0003');
	await rentty.sees('Not left: a sweep of 1 was not sent yet.');
	await rentty.pass(6);
	await rentty.sees('2 is gone.');
});

test('a sweep destroys what is stuck and leaves the others alone', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	await agreeToSweep(rentty);
	await rentty.pass(6);
	await rentty.sees('is gone');
	expect(await rentty.listed()).toHaveLength(3);
});

test('what a sweep is about can be left out, and then it says that nothing is chosen', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('X');
	expect(await rentty.reads('SWEEP')).toMatch(/>\[x\] 2 {2}train-c .* never ran/);
	rentty.type(' ');
	const left = await rentty.sees('Nothing is chosen.');
	expect(left).toContain('>[ ] 2');
	expect(left).toContain('SWEEP: DESTROY 0 INSTANCES');
	expect(left).toContain('Saves up to $0.00/h');
	rentty.type('y');
	await rentty.sees('Not yet: nothing is chosen.');
	rentty.type(' ');
	await rentty.sees('>[x] 2');
	rentty.type('y');
	await rentty.sees('Destroying 1 in 5 s');
});

/** The boot that was stuck is over, and it runs. */
async function beginToRun({database, stuck}: FleetMarket): Promise<void> {
	await database
		.updateTable('instances')
		.set({actual: 'running', reported: 'running', running_since: stuck.created_at})
		.where('id', '=', stuck.id)
		.execute();
}

test('a loading instance that begins to run while its question is open is asked about again', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('x');
	await rentty.sees('never ran');
	await beginToRun(market);
	await rentty.pass(10);
	await rentty.reads('train-c was loading and is now running');
	rentty.type('y');
	rentty.type('\u0015');
	expect(await rentty.listed()).toContain(market.stuck.id);
	await rentty.enter('train-c');
	rentty.type('\r');
	await rentty.sees(`${market.stuck.id} is gone.`);
});

test('what begins to run after a sweep was agreed to is left alone', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	await agreeToSweep(rentty);
	await beginToRun(market);
	rentty.type('R');
	await rentty.sees(/train-c .*\* running/);
	await rentty.pass(6);
	await rentty.sees('2 was not destroyed: it began to run meanwhile.');
	expect(await rentty.listed()).toContain(market.stuck.id);
});

test('stopping says what it goes on costing, and what was stopped can be started', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('/');
	await rentty.sees('filter> _');
	rentty.type('train-a');
	rentty.type('\r');
	await rentty.sees('1 of 4 instances');
	rentty.type('S');
	await rentty.reads(/Its disk still costs \$0\.\d{4}\/h/);
	rentty.type('y');
	await rentty.sees(`${market.running.id} is stopped.`);
	await rentty.sees('o stopped');
	rentty.type('S');
	await rentty.sees('START INSTANCE');
});

test('of marked ones those that an action makes no sense for are named, and left out', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('*');
	await rentty.sees('4 marked');
	rentty.type('S');
	const asked = await rentty.reads('STOP 3 INSTANCES');
	expect(asked).toMatch(/Left out +old-run \(it is stopped\)\./);
	rentty.type('\u001B');
	await rentty.sees('4 marked');
});

test('all that a filter shows is asked about as hard as all there is', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('/');
	await rentty.sees('filter> _');
	await rentty.enter('train');
	rentty.type('\r');
	await rentty.sees('2 of 4 instances');
	rentty.type('*');
	await rentty.sees('2 marked');
	rentty.type('x');
	await rentty.reads('To confirm, type: destroy 2');
});

test('those that are refused for one reason are named together, with what they go on costing', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('  ');
	await rentty.sees('2 marked');
	rentty.type('x');
	await rentty.reads('DESTROY 2 INSTANCES');
	await market.database.deleteFrom('api_keys').execute();
	await rentty.enter('destroy 2');
	rentty.type('\r');
	const said = await rentty.sees('were not destroyed');
	expect(said).toMatch(
		/2, 4 were not destroyed: the key is not accepted \(401[^]*They\s+still cost up to \$0\.39\/h\./,
	);
	expect(said).toContain('x stuck');
});

test('a label is changed, and one with escape sequences never reaches the terminal', async () => {
	await using market = await openFleetMarket();
	const evil = '\u001B]0;owned\u0007\u001B[2Jtrain\u009B31m';
	await market.database
		.updateTable('instances')
		.set({label: evil, message: evil})
		.where('id', '=', market.stuck.id)
		.execute();
	await using rentty = await openFleetConsole(market);
	rentty.type('x');
	await rentty.reads('DESTROY INSTANCE');
	rentty.type('n');
	await rentty.sees(/ of 4\b/);
	rentty.type('z');
	await rentty.sees('BURN');
	rentty.type('i');
	await rentty.sees('EVENTS');
	rentty.type('i');
	await rentty.sees(/RAW {2}2 /);
	rentty.type('z');
	await rentty.sees(/ of 4\b/);
	rentty.type('\r');
	await rentty.sees('Instances > ');
	for (const _ of [1, 2, 3]) rentty.type(']');
	await rentty.sees('[JSON]');
	expect(rentty.written()).not.toContain('\u001B]0;owned');
	expect(rentty.written()).not.toContain('\u009B');
	expect(rentty.written()).not.toContain('\u001B[2Jtrain');
	rentty.type('e');
	await rentty.sees('label>');
	rentty.type('\u0015');
	await rentty.enter('new-name');
	rentty.type('\r');
	await rentty.sees('is labelled "new-name"');
});

test('a lease that a label keeps is not shown, and stays when the label is changed', async () => {
	await using market = await openFleetMarket();
	const lease = '[lease1 e4000000000 td]';
	await market.database
		.updateTable('instances')
		.set({label: `train ${lease}`})
		.where('id', '=', market.stuck.id)
		.execute();
	await using rentty = await openFleetConsole(market);
	rentty.type('e');
	await rentty.sees('label> train');
	expect(rentty.written()).not.toContain('lease1');
	rentty.type('\u0015');
	await rentty.enter('new-name');
	rentty.type('\r');
	await rentty.sees('is labelled "new-name"');
	const rows = await market.database.selectFrom('instances').select('label').execute();
	expect(rows.map(({label}) => label)).toContain(`new-name ${lease}`);
});

test('one key asks about all that agents rented, and about nothing else', async () => {
	await using market = await openFleetMarket();
	const label = JSON.stringify({label: 'train agent:bot'});
	await market.call(`/api/v0/instances/${market.stuck.id}/`, {method: 'PUT', body: label});
	await using rentty = await openFleetConsole(market);
	await rentty.sees('train agent:bot');
	rentty.type('@');
	const asked = await rentty.reads('DESTROY INSTANCE');
	expect(asked).toContain('train agent:bot');
	rentty.type('y');
	await rentty.sees('is gone');
	expect(await rentty.listed()).toHaveLength(3);
	rentty.type('@');
	await rentty.sees('no agent rented any of them');
});
