import {Socket} from 'node:net';
import {expect, test} from 'vitest';
import {createSemaphore, limitConnections} from '../../../source/host/ssh/connection-limits.ts';

/** A connection from an address. */
function from(remoteAddress: string): Socket {
	return Object.defineProperty(new Socket(), 'remoteAddress', {value: remoteAddress});
}

test('the last of a burst from one address is let in, however many before it say nothing', () => {
	const limits = limitConnections(createSemaphore(128));
	const burst = Array.from({length: 200}, () => new Socket());
	const admitted = burst.map(socket => limits.admit(socket));
	expect(admitted).toEqual(burst.map(() => true));
	expect(burst.filter(({destroyed}) => !destroyed)).toEqual(burst.slice(-32));
	limits.sendAway();
	expect(burst.every(({destroyed}) => destroyed)).toBe(true);
});

test('those who logged in keep their places, and one more from their address is refused', () => {
	const limits = limitConnections(createSemaphore(128));
	const known = Array.from({length: 64}, () => new Socket());
	for (const socket of known) {
		expect(limits.admit(socket)).toBe(true);
		limits.knows(socket);
	}
	expect(limits.admit(new Socket())).toBe(false);
	expect(known.some(({destroyed}) => destroyed)).toBe(false);
	limits.sendAway();
});

test.each([
	['one address', () => '192.0.2.1', '192.0.2.2'],
	[
		'many addresses of one network',
		(at: number) => `2001:db8:1:2::${at.toString(16)}`,
		'2001:db8:1:3::1',
	],
])(
	'a burst from %s ends its own connections, and nobody from elsewhere',
	(_, addressOf, elsewhere) => {
		const limits = limitConnections(createSemaphore(128));
		const early = from(elsewhere);
		expect(limits.admit(early)).toBe(true);
		const burst = Array.from({length: 200}, (__, at) => from(addressOf(at)));
		for (const socket of burst) expect(limits.admit(socket)).toBe(true);
		const late = from(elsewhere);
		expect(limits.admit(late)).toBe(true);
		expect([early, late].map(({destroyed}) => destroyed)).toEqual([false, false]);
		expect(burst.filter(({destroyed}) => !destroyed)).toEqual(burst.slice(-30));
		limits.sendAway();
	},
);

test('of as many from each of many networks the one that waits longest makes room', () => {
	const limits = limitConnections(createSemaphore(128));
	const all = Array.from({length: 40}, (_, at) => from(`192.0.2.${at}`));
	for (const socket of all) expect(limits.admit(socket)).toBe(true);
	expect(all.filter(({destroyed}) => !destroyed)).toEqual(all.slice(-32));
	limits.sendAway();
});
