import {expect, test} from 'vitest';
import {networkOf} from '../../../source/contract/rules/network.ts';

test.each([
	['192.0.2.1', '192.0.2.1'],
	['::ffff:192.0.2.1', '192.0.2.1'],
	['2001:db8::1', '2001:db8:0:0'],
	['2001:db8:0:0:5:6:7:8', '2001:db8:0:0'],
	['2001:0db8:00a1:b::', '2001:db8:a1:b'],
	['::1', '0:0:0:0'],
	['fe80::1%eth0', 'fe80:0:0:0'],
	[undefined, ''],
])('of %s the network is %s', (address, network) => {
	expect(networkOf(address)).toBe(network);
});
