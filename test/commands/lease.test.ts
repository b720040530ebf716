import {expect, test} from 'vitest';
import {exitCodes} from '../../source/commands/failure.ts';
import {commandsOf} from '../helpers/commands.ts';

/** A service that nobody has asked so far; a call of it would fail with another code. */
const silent = {url: 'http://127.0.0.1:9', key: 'k'};

test.for([
	['--none', '--for=1h'],
	['--none', '--idle=30m'],
	['--none', '--extend=1h'],
	['--restore', '--for=1h'],
	['--restore', '--none'],
	['--extend=1h', '--for=1h'],
])('rentty lease takes no two different leases: %s %s', async words => {
	for (const order of [words, words.toReversed()]) {
		const {code, err} = await commandsOf(silent)('lease', '7', ...order);
		expect(code).toBe(exitCodes.usage);
		expect(err).toMatch(
			/^rentty: --[a-z]+ and --[a-z]+ ask for two different leases: leave one\. Nothing was changed\.\n$/,
		);
	}
});
