import {expect, test} from 'vitest';
import {nextCommands} from '../../../source/commands/market/market.ts';

test('a market says which three commands follow its first start', () => {
	const [, ...commands] = nextCommands('http://127.0.0.1:8747', '/k');
	expect(commands.map(line => line.trim().split(/ {2,}/))).toEqual([
		['rentty host --market http://127.0.0.1:8747 --key-file /k', 'offers this machine'],
		['rentty offers any --url http://127.0.0.1:8747 --key-file /k', 'lists what can be rented'],
		['rentty --url http://127.0.0.1:8747 --key-file /k', 'opens the console'],
	]);
	expect(nextCommands('http://127.0.0.1:8747')[0]).toMatch(/Put the key into a file/);
});
