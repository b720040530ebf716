import {expect, test} from 'vitest';
import {openPorts, suggestedForwards} from '../../../source/renter/connect/ports.ts';

const at = (HostPort: string) => [{HostIp: '0.0.0.0', HostPort}];
const reached = (ports: Readonly<Record<string, string>>, address = '203.0.113.24') => ({
	public_ipaddr: address,
	ports: Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, at(port)])),
});

const urls = (port: string, address?: string) =>
	openPorts(reached({'8080/tcp': port}, address)).map(({url}) => url);

test('ports come in the order of their numbers, with what usually listens there', () => {
	const ports = openPorts(reached({'8888/tcp': '40003', '22/tcp': '40001', '9999/tcp': '40002'}));
	expect(ports.map(({name, guess, url}) => [name, guess, url])).toEqual([
		['22/tcp', 'ssh', undefined],
		['8888/tcp', 'jupyter', 'http://203.0.113.24:40003'],
		['9999/tcp', '', undefined],
	]);
	expect(openPorts({})).toEqual([]);
});

test('what is suggested to be forwarded is all but SSH, from a port that anybody may open', () => {
	const ports = {'22/tcp': '1', '80/tcp': '2', '6006/tcp': '3', '8080/udp': '4', 'x/tcp': '5'};
	expect(suggestedForwards(reached(ports))).toBe('10080:80 6006');
	expect(suggestedForwards({ports: null})).toBe('8080');
});

test('no address is made of what is none', () => {
	expect(urls('40001', '2001:db8::1')).toEqual(['http://[2001:db8::1]:40001']);
	for (const port of ['0', '70000', '1/../x', ' 80', '-1', ''])
		expect(urls(port)).toEqual([undefined]);
	for (const address of ['a b', 'x@y', 'a/b', '-o', '']) {
		expect(urls('40001', address)).toEqual([undefined]);
	}
});
