import {expect, test} from 'vitest';
import {hostUsage, readHostCommand} from '../../source/commands/host/options.ts';
import {readRelayCommand, relayUsage} from '../../source/commands/relay/options.ts';
import {isOpenWithoutTls} from '../../source/commands/market/market.ts';
import {marketUsage, readMarketCommand} from '../../source/commands/market/options.ts';

/** The options that a usage lists with a value. */
function valuedIn(usage: string): readonly string[] {
	return [...usage.matchAll(/^ {2}(--[a-z-]+) [A-Z]/gm)].map(([, flag = '']) => flag);
}

/** Why words are refused; undefined where they are not. */
function refusalOf(read: () => unknown): string | undefined {
	try {
		read();
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

const market = (...argv: readonly string[]) => readMarketCommand(['--data=file', ...argv]);
const host = (...argv: readonly string[]) =>
	readHostCommand(['--market=http://127.0.0.1:1', '--key-file=file', ...argv], '/data');

const relay = (...argv: readonly string[]) =>
	readRelayCommand(['--market=http://127.0.0.1:1', '--key-file=file', ...argv]);

test.each([
	['market', marketUsage, market, 21],
	['host', hostUsage, host, 19],
	['relay', relayUsage, relay, 8],
] as const)('a value of rentty %s may begin with a dash', (_, usage, read, count) => {
	const flags = valuedIn(usage);
	expect(flags).toHaveLength(count);
	for (const flag of flags) {
		const [spaced, joined] = [[flag, '-x'], [`${flag}=-x`]].map(words =>
			refusalOf(() => read(...words)),
		);
		expect([flag, spaced]).toEqual([flag, joined]);
		expect(spaced ?? '').not.toMatch(/ambiguous|needs a value/);
		expect(refusalOf(() => read(flag, '--help'))).toContain(
			`${flag} needs a value, and --help is an option itself`,
		);
	}
});

test('files, addresses and names that begin with a dash are taken as they are', () => {
	expect(readMarketCommand(['--data', '-d', '--host', '-a'])).toMatchObject({
		file: '-d',
		address: '-a',
	});
	expect(host('--name', '-box', '--key-file', '-k')).toMatchObject({name: '-box', keyFile: '-k'});
});

test('the image that tests of machines run is the name of one', () => {
	expect(market('--test-image', 'lab/test:1')).toMatchObject({testImage: 'lab/test:1'});
	expect(market()).toMatchObject({testImage: undefined});
	expect(refusalOf(() => market('--test-image', 'a b'))).toMatch(/takes the name of an image/);
});

test('the place of a machine is a city and the code of its country', () => {
	expect(host('--place', 'Stockholm, SE')).toMatchObject({place: 'Stockholm, SE'});
	expect(host()).toMatchObject({place: undefined});
	for (const place of [
		'',
		'Stockholm',
		'Stockholm, SWE',
		'Stock\nholm, SE',
		`${'x'.repeat(99)}, SE`,
	]) {
		expect(refusalOf(() => host('--place', place))).toMatch(
			/^--place takes a city and its country/,
		);
	}
});

test('terms of an offer are those that are given, and no others', () => {
	expect(host()).toMatchObject({terms: {}});
	const given = ['--disk=0.2', '--up=0.01', '--down=0', '--bid=0.05', '--parts=4'];
	expect(host(...given)).toMatchObject({
		terms: {price_disk: 0.2, price_inetu: 0.01, price_inetd: 0, price_min_bid: 0.05, min_chunk: 4},
	});
	expect(refusalOf(() => host('--parts=3'))).toMatch(/--parts takes one of/);
	expect(refusalOf(() => host('--disk=much'))).toMatch(/--disk takes a number/);
});

/** Where a machine is reached that is offered on a market elsewhere. */
const far = (...argv: readonly string[]) => {
	const command = readHostCommand(
		['--market=https://market.example', '--key-file=file', ...argv],
		'/data',
	);
	return command === 'help' ? undefined : command.reach;
};

test('ports of instances are bound where the machine has the address, and told as renters see it', () => {
	expect(far('--address', '203.0.113.7', '--ports', '40000-40999')).toEqual({
		address: '203.0.113.7',
		listen: '0.0.0.0',
		portRange: {first: 40_000, last: 40_999},
		isDirect: true,
	});
	expect(far('--address=2001:db8::7')).toMatchObject({listen: '::', portRange: undefined});
	expect(far('--address=203.0.113.7', '--listen=127.0.0.2')).toMatchObject({listen: '127.0.0.2'});
	expect(far()).toMatchObject({address: '127.0.0.1', listen: '127.0.0.1', isDirect: false});
	expect(host()).toMatchObject({reach: {address: '127.0.0.1', isDirect: true}});
	for (const ports of ['', '40000', '40999-40000', '22-99', '40000-70000', '40000-40000', 'a-b'])
		expect(refusalOf(() => far('--ports', ports))).toMatch(/--ports takes the first and the last/);
	expect(refusalOf(() => far('--listen', 'here'))).toMatch(/--listen takes an IP address/);
});

/** Whether a market with these options listens beyond its machine without TLS. */
const isOpen = (...argv: readonly string[]) => {
	const command = market(...argv);
	return command !== 'help' && isOpenWithoutTls(command);
};

test('a market that listens beyond its machine is to have TLS, its own or of a proxy', () => {
	expect([isOpen(), isOpen('--host=::1'), isOpen('--host=0.0.0.0')]).toEqual([false, false, true]);
	expect(isOpen('--host=0.0.0.0', '--trusted-proxy=10.0.0.1')).toBe(false);
	expect(isOpen('--host=0.0.0.0', '--tls-cert=a', '--tls-key=b')).toBe(false);
	expect(refusalOf(() => market('--tls-cert=a'))).toMatch(/are given together/);
	expect(refusalOf(() => market('--tls-cert=a', '--tls-key=b', '--offers=9'))).toMatch(/with TLS/);
});
