import {expect, test} from 'vitest';
import {openRentedMarket} from '../../helpers/hosts.ts';

test.each(['#', 'C.#', '#:/data', 'C.#:/data/a:b'])(
	'copies into %s are cancelled, however it is named',
	async word => {
		await using market = await openRentedMarket();
		const {id} = market.instance;
		const reply = await market.call('/api/v0/commands/copy_direct/', {
			method: 'DELETE',
			body: JSON.stringify({dst_id: word.replace('#', String(id))}),
		});
		const msg = `Copies into instance ${id} were cancelled.`;
		expect(reply).toMatchObject({status: 200, body: {success: true, msg}});
	},
);
