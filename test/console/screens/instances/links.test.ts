import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {instance, openLoggingService} from './logs/open-logs.ts';

const page = 'http://203.0.113.7:40123';

async function openPorts(columns: number, rows: number, environment: Record<string, string>) {
	const ports = {
		'8888/tcp': [{HostIp: '', HostPort: '40123'}],
		'22/tcp': [{HostIp: '', HostPort: '7'}],
	};
	const service = await openLoggingService([{...instance, ports, public_ipaddr: '203.0.113.7'}]);
	const rentty = openTestConsole({service, columns, rows, environment});
	rentty.type('2');
	await rentty.sees('1 of 1');
	rentty.type('\r');
	await rentty.sees('Instances > ');
	rentty.type(']');
	await rentty.sees('8888/tcp');
	return {
		...rentty,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await service.close();
		},
	};
}

test.each([
	[60, 15],
	[80, 24],
	[100, 30],
])(
	'at %dx%d the page of a port is a link where the terminal says that it has links',
	async (columns, rows) => {
		await using linking = await openPorts(columns, rows, {FORCE_HYPERLINK: '1', NO_COLOR: '1'});
		await linking.sees('203.0.113.7:40123');
		expect(linking.written()).toContain(
			`\u001B]8;;${page}\u001B\\203.0.113.7:40123\u001B]8;;\u001B\\`,
		);
		await using plain = await openPorts(columns, rows, {NO_COLOR: '1'});
		await plain.sees('203.0.113.7:40123');
		expect(plain.written()).not.toContain(']8;');
	},
);
