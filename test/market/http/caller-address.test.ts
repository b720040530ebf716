import {expect, test} from 'vitest';
import {callerNetwork} from '../../../source/market/http/caller-address.ts';

test.each([
	['192.0.2.7', undefined, '192.0.2.7'],
	['::ffff:192.0.2.7', undefined, '192.0.2.7'],
	['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2'],
	['2001:db8:1:2::9', undefined, '2001:db8:1:2'],
	['2001:db8::9', undefined, '2001:db8:0:0'],
	['::1', undefined, '0:0:0:0'],
	['fe80::1%eth0', undefined, 'fe80:0:0:0'],
	[undefined, '198.51.100.1', 'nowhere'],
	['192.0.2.7', '198.51.100.1', '192.0.2.7'],
])('a call from %s that was sent on for %s comes from %s', (socket, forwarded, network) => {
	expect(callerNetwork({socket, forwarded}, [])).toBe(network);
});

test.each([
	['198.51.100.1', '198.51.100.1'],
	['203.0.113.9, 198.51.100.1', '198.51.100.1'],
	['203.0.113.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
	['203.0.113.9, 2001:DB8:1:2:0::5', '2001:db8:1:2'],
	['203.0.113.9, nonsense', '10.0.0.1'],
	['10.0.0.2', '10.0.0.1'],
	[undefined, '10.0.0.1'],
])('a proxy that is trusted sends on %s: it comes from %s', (forwarded, network) => {
	const proxies = ['10.0.0.1', '10.0.0.2'];
	expect(callerNetwork({socket: '::ffff:10.0.0.1', forwarded}, proxies)).toBe(network);
});
