import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	canonicalRuntype,
	launchWord,
	launchWords,
	parseRuntype,
	printRuntype,
	usualWord,
} from '../../../source/contract/rules/runtype.ts';

test.each([
	['args', 'args', 'args'],
	['ssh', 'ssh ssh_proxy', 'ssh_proxy'],
	['ssh_proxy', 'ssh ssh_proxy', 'ssh_proxy'],
	['ssh_direct', 'ssh ssh_direc ssh_proxy', 'ssh_direct'],
	['ssh_direc ssh_proxy', 'ssh ssh_direc ssh_proxy', 'ssh_direct'],
	['ssh ssh_direc ssh_proxy', 'ssh ssh_direc ssh_proxy', 'ssh_direct'],
	['jupyter', 'jupyter_proxy ssh_proxy', 'jupyter_proxy'],
	['jupyter_proxy ssh_proxy', 'jupyter_proxy ssh_proxy', 'jupyter_proxy'],
	['jupyter_direct', 'jupyter_direc ssh_direc ssh_proxy', 'jupyter_direct'],
	['jupyter_direc', 'jupyter_direc ssh_direc ssh_proxy', 'jupyter_direct'],
	['jupyter_direc ssh_direc ssh_proxy', 'jupyter_direc ssh_direc ssh_proxy', 'jupyter_direct'],
	['jupyter_direc ssh_proxy', 'jupyter_direc ssh_proxy', 'jupyter_direct'],
	['jupyter_proxy,ssh_direc, ssh_proxy', 'jupyter_proxy ssh_direc ssh_proxy', 'jupyter_proxy'],
	['  SSH ', 'ssh ssh_proxy', 'ssh_proxy'],
])('%j is listed as %j', (sent, tokens, word) => {
	const launch = parseRuntype(sent) ?? expect.fail('not understood');
	expect(printRuntype(launch)).toBe(tokens);
	expect(launchWord(launch)).toBe(word);
});

test.each(['', ' , ', 'args ssh', 'jupyter_direc args', 'vm', 'ssh tty', 'ssh_dire', 'toString'])(
	'%j is not understood',
	sent => expect(parseRuntype(sent)).toBeUndefined(),
);

test('what is listed reads as the same again', () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...launchWords), {minLength: 1}), words => {
			const launch = parseRuntype(words.join(' '));
			if (launch === undefined) expect(new Set(words).size).toBeGreaterThan(1);
			else expect(parseRuntype(printRuntype(launch))).toEqual(launch);
		}),
	);
});

test('a word is documented as it stands, and tokens are not', () => {
	expect(launchWords.map(canonicalRuntype)).toEqual(launchWords);
	expect(canonicalRuntype(' SSH ')).toBe('ssh');
	for (const tokens of ['ssh_direc', 'ssh ssh_proxy', 'ssh,', '']) {
		expect(canonicalRuntype(tokens)).toBeUndefined();
	}
});

test.each([
	['args', 'args'],
	['ssh_proxy', 'ssh'],
	['ssh_direct', 'ssh_direct'],
	['jupyter_proxy ssh_proxy', 'jupyter'],
	['jupyter_direct', 'jupyter_direct'],
])('a template that is entered by %j says %j', (sent, word) => {
	expect(usualWord(parseRuntype(sent) ?? expect.fail('not understood'))).toBe(word);
});
