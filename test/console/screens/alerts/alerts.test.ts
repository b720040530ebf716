import {expect, test} from 'vitest';
import type {Event} from '../../../../source/renter/words/alert.ts';
import {alertOfEvent, openKeptAlerts} from '../../../../source/renter/alerts/kept-alerts.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';

const NOW = new Date(2026, 10, 21, 12, 41, 7).getTime();

/** What an earlier run told, so many minutes ago. */
function openAlerts(...events: ReadonlyArray<readonly [minutes: number, event: Partial<Event>]>) {
	const alerts = openKeptAlerts(undefined, () => NOW);
	for (const [minutes, {about = 'thing', ...event}] of events) {
		const text = 'train-c (2) is stuck. X sweeps what is stuck.';
		const whole = {kind: 'stuck', state: '', text, about, ...event} as const;
		alerts.add(alertOfEvent(whole, 'practice', NOW - minutes * 60_000));
	}
	return alerts;
}

const several = () =>
	openAlerts(
		[
			1500,
			{kind: 'price-found', about: 'watch', text: 'Offer 7, 1x RTX 4090, is $0.30/h.', offer: 7},
		],
		[30, {about: '2', instance: 2}],
		[
			4,
			{kind: 'idle', about: '\u001B[2J', text: 'a\u001B]0;owned\u0007b (1) is idle.', instance: 1},
		],
	);

test('A lists what was told and nobody acknowledged, the newest first, at 80x24', async () => {
	await using rentty = openTestConsole({alerts: several()});
	await rentty.sees('3 alerts');
	rentty.type('A');
	expect(await rentty.sees('ALERTS')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    3 alerts
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		ALERTS                                                                     3 new
		--------------------------------------------------------------------------------
		  TIME        WHAT           NOW        TEXT
		> 12:37:07    idle           -          a�]0;owned�b (1) is idle.
		| 12:11:07    STUCK          -          train-c (2) is stuck. X sweeps what is ~
		  11-20 11:41 price found    -          Offer 7, 1x RTX 4090, is $0.30/h.












		------------------------------------------------------------------------ 1 of 3
		 a�]0;owned�b (1) is idle.

		Enter go there  Space acknowledge  * all  + an hour more  ? help  a actions"
	`);
});

test('the same at 140x40, without colour', async () => {
	await using rentty = openTestConsole({alerts: several(), columns: 140, rows: 40});
	rentty.type('A');
	expect(await rentty.sees('ALERTS')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                                                                                3 alerts
		 0 Overview   [1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
		ALERTS                                                                                                                                 3 new
		--------------------------------------------------------------------------------------------------------------------------------------------
		  TIME        WHAT           NOW        TEXT
		> 12:37:07    idle           -          a�]0;owned�b (1) is idle.
		| 12:11:07    STUCK          -          train-c (2) is stuck. X sweeps what is stuck.
		  11-20 11:41 price found    -          Offer 7, 1x RTX 4090, is $0.30/h.




























		------------------------------------------------------------------------------------------------------------------------------------ 1 of 3
		 a�]0;owned�b (1) is idle.

		Enter go there  Space acknowledge  * all  + an hour more  ? help  a actions  q quit"
	`);
});

test('Space acknowledges one and * all, the header counts what is left, and the rest is empty', async () => {
	const alerts = several();
	await using rentty = openTestConsole({alerts});
	rentty.type('A');
	await rentty.sees('1 of 3');
	rentty.type(' ');
	await rentty.sees('2 alerts');
	expect(alerts.get().map(({isNew}) => isNew)).toEqual([false, true, true]);
	rentty.type('*');
	expect(await rentty.sees('There is no new alert.')).not.toContain('alerts ');
	rentty.type('\r');
	await rentty.sees('Not now: there is no new alert.');
	rentty.type('\u001B');
	await rentty.sees('[1 Offers]');
});

test('Enter goes to the instance that an alert is about, and Esc comes back to the list', async () => {
	await using market = await openFleetMarket();
	const {id} = market.stuck;
	await using rentty = await openFleetConsole(market, {
		alerts: openAlerts([3, {about: String(id), instance: id}], [9, {kind: 'budget'}]),
	});
	rentty.type('A');
	await rentty.sees('1 of 2');
	rentty.type('\r');
	await rentty.sees('pulling layer 7/19');
	rentty.type('\u001B');
	await rentty.sees('1 of 2');
	rentty.type('j\r');
	await rentty.sees('it is about no single instance or offer');
	rentty.type('+');
	await rentty.sees('it is about no');
});

test('an end that comes is told at the foot with its key, stays listed, and + puts it off', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('jj');
	await rentty.sees('3 of 4');
	rentty.type('L');
	await rentty.sees('ends by itself');
	rentty.type('\u0015for 62m then stop');
	await rentty.sees('That is');
	rentty.type('\r');
	await rentty.sees('Confirmed: market.');
	await rentty.pass(150);
	await rentty.sees('A lists alerts; + there puts it off by an hour.');
	await rentty.sees('1 alert');
	rentty.type('A');
	// The alert, and what has become of its instance.
	expect(await rentty.sees('ends soon')).toMatch(/ends soon +\* run +.*1 train-a ends in 60 min/);
	rentty.type('+');
	await rentty.sees(/then stop\. Confirmed: market\./);
	await rentty.sees('There is no new alert.');
});
