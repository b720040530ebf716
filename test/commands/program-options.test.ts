import {expect, test} from 'vitest';
import {hostUsage, readHostCommand} from '../../source/commands/host-options.ts';
import {marketUsage, readMarketCommand} from '../../source/commands/market-options.ts';

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

test.each([
	['market', marketUsage, market, 17],
	['host', hostUsage, host, 8],
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
