import {expect, test} from 'vitest';
import {lyingNames} from '../helpers/services/lying-services.ts';
import {type Actions, named, openLyingConsole} from '../helpers/console/lying-screens.ts';

const lease = /onfirmed: |lease was not set|Whether its end was changed|was asked for/;
const atOnce = new RegExp(`${lease.source}|^Not now`, 'm');

const actions: Actions = {
	sweep: {
		way: [['X', /SWEEP|^Not now|DESTROY/m]],
		held: 6,
		done: /\d is gone\.|not destroyed|not known|^Not now/m,
	},
	label: {
		way: [['e', /Label of \d+/]],
		answer: '-b\r',
		done: /is labelled|Whether that was changed/,
	},
	lease: {
		way: [['L', /ends by itself$/m]],
		answer: '\u0015for 6h then stop\r',
		done: lease,
	},
	extend: {way: [['g', / 1 of \d/]], answer: '+', done: atOnce},
	keep: {
		way: [
			['g', / 1 of \d/],
			['K', /KEEP (?:NO LONGER )?INSTANCE|^Not now/m],
		],
		done: atOnce,
	},
	reboot: {way: named('reboot', /REBOOT INSTANCE|^Not now/m), done: /rebooting|^Not now/m},
	recycle: {
		way: named('recycle', /RECYCLE INSTANCE|^Not now/m),
		done: /recycling|^Not now/m,
	},
	stop: {
		way: [['S', /(?:STOP|START) INSTANCE/]],
		done: /\d is (?:stopped|running|loading)/,
	},
	destroy: {
		way: [['  x', /DESTROY 2 INSTANCES/]],
		done: /are gone|not destroyed|not known/,
	},
	rent: {
		way: [
			['1', /1 of \d/],
			['r', /Review and rent/],
			['\u001B[Fkk\r', /RENT OFFER|was asked for|^Nothing was sent/m],
		],
		// What is not as ordered is said in the place of what was rented, on the page of the instance.
		done: /was asked for|^Nothing was sent|Rented: |^Instances > /m,
	},
};

/** Actions that nothing is written for, by name of a service: for most there is nothing to sweep. */
const silentAt: Readonly<Record<string, readonly string[]>> = {
	'answers-with-another-id': ['label', 'lease', 'extend', 'keep', 'rent'],
	// A lease that somebody cuts from its label has no deadline to put off.
	'labels-edited': ['sweep', 'extend', 'keep'],
	doubles: [],
	// A template of which so much is odd says no image.
	odd: ['sweep', 'rent'],
};

test.for(lyingNames)(
	'nothing that the screens write to the service %s names an id that its question did not show',
	async name => {
		await using rentty = await openLyingConsole(name);
		const silent = silentAt[name] ?? ['sweep'];
		expect(await rentty.perform(actions)).toEqual(silent);
		// The end that was asked for goes with the order.
		const orders = rentty.requests.filter(({path}) => path.startsWith('/api/v0/asks/'));
		expect(orders.map(({body}) => /\[lease1 e\d+ td\]/.test(body))).toEqual(
			silent.includes('rent') ? [] : [true],
		);
	},
);
