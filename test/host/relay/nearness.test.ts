import {expect, test} from 'vitest';
import {createNearness} from '../../../source/host/relay/nearness.ts';

test.each([
	'https://127.0.0.1:8748',
	'https://10.1.2.3:8748',
	'https://[::1]:8748',
	'https://[::ffff:10.0.0.1]:8748',
	'https://169.254.169.254',
	'https://localhost:8748',
	'http://1.1.1.1:8748',
])('a market elsewhere cannot have an agent call %s', async url => {
	const nearness = createNearness('https://8.8.8.8');
	await expect(nearness.lookupFor(url)).rejects.toThrow('is not called');
});

test('an agent calls relays at public addresses, and in its own network where its market is there', async () => {
	const far = await createNearness('https://8.8.8.8').lookupFor('https://1.1.1.1:8748');
	const found = await new Promise(resolve => {
		far?.('ignored', {all: true}, (_error, addresses) => resolve(addresses));
	});
	expect(found).toEqual([{address: '1.1.1.1', family: 4}]);
	const near = createNearness('http://192.168.1.5:8747');
	expect(await near.lookupFor('http://192.168.1.6:8748')).toBeUndefined();
});
