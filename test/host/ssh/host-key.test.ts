import ssh2 from 'ssh2';
import {expect, test} from 'vitest';
import {makeHostKey} from '../../../source/host/ssh/server.ts';

test('of a thousand keys everyone can be read again', () => {
	const keys = Array.from({length: 1000}, () => ssh2.utils.parseKey(makeHostKey()));
	expect(keys.filter(key => key instanceof Error)).toEqual([]);
});
