import {expect, test} from 'vitest';
import {isPublicAddress, PRIVATE_IPV4} from '../../../source/contract/rules/public-address.ts';

const inside = [
	['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254'],
	['172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1'],
	['198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
	['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12:3456::1', 'ff02::1', '100::1'],
	['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1'],
	['2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fec0::1'],
	['', 'localhost', '127.1', '0x7f000001', '1.2.3', '8.8.8.8 ', '[2606:4700::1]'],
].flat();

test.each(inside)('%j is no address of a stranger', address => {
	expect(isPublicAddress(address)).toBe(false);
});

const outside = ['1.1.1.1', '8.8.8.8', '100.63.0.1', '172.32.0.1', '192.169.0.1', '223.255.255.1'];

test.each([...outside, '2606:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888'])(
	'%j is one',
	address => {
		expect(isPublicAddress(address)).toBe(true);
	},
);

test.each(PRIVATE_IPV4)('the first and the last address of %s are private', range => {
	const [first = '', bits] = range.split('/');
	const number = first.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
	const last = number + 2 ** (32 - Number(bits)) - 1;
	const text = [24, 16, 8, 0].map(shift => (last >>> shift) & 255).join('.');
	expect([first, text].map(isPublicAddress)).toEqual([false, false]);
});
