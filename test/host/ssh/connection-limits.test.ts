import {Socket} from 'node:net';
import {expect, test} from 'vitest';
import {createPlaces, limitConnections} from '../../../source/host/ssh/connection-limits.ts';

test('the last of a burst from one address is let in, however many before it say nothing', () => {
	const limits = limitConnections(createPlaces(128));
	const burst = Array.from({length: 200}, () => new Socket());
	const admitted = burst.map(socket => limits.admit(socket));
	expect(admitted).toEqual(burst.map(() => true));
	expect(burst.filter(({destroyed}) => !destroyed)).toEqual(burst.slice(-32));
	limits.sendAway();
	expect(burst.every(({destroyed}) => destroyed)).toBe(true);
});

test('those who logged in keep their places, and one more from their address is refused', () => {
	const limits = limitConnections(createPlaces(128));
	const known = Array.from({length: 64}, () => new Socket());
	for (const socket of known) {
		expect(limits.admit(socket)).toBe(true);
		limits.knows(socket);
	}
	expect(limits.admit(new Socket())).toBe(false);
	expect(known.some(({destroyed}) => destroyed)).toBe(false);
	limits.sendAway();
});
