import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {commandsOf, jsonOf} from '../../helpers/commands/commands.ts';
import {openFleetMarket} from '../../helpers/fleet/fleet.ts';

test('ps --watch says each instance once, and then a line for each change', async () => {
	await using market = await openFleetMarket();
	const client = openClient({...market, paceScale: 0});
	const {id} = market.stopped;
	const looked = Promise.withResolvers<void>();
	const run = commandsOf(market, {interruptAfter: /"to":"gone"/, onSaid: looked.resolve});
	const watching = run('ps', '--watch', '--every', '1', '--json');
	await looked.promise;
	await client.instances.destroy(id);
	const ran = await watching;
	const lines = jsonOf(ran).map(({id: which, from, to}) => [which, from, to]);
	expect(lines.slice(0, 4).map(([, from]) => from)).toEqual([null, null, null, null]);
	expect(lines.filter(([which]) => which === id)).toEqual([
		[id, null, 'stopped'],
		[id, 'stopped', 'gone'],
	]);
	expect([lines.length, ran.code, ran.err]).toEqual([5, 130, '']);
	await client.close();
});
