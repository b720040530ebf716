import {expect, test} from 'vitest';
import {openRentedMarket, reportOf} from '../../helpers/host/hosts.ts';
import {readInstance} from '../../helpers/market/instances.ts';

test('an instance has the SSH address from its creation on that its host is told, whatever is done to it', async () => {
	await using market = await openRentedMarket();
	const {host, renter, instance} = market;
	const {id} = instance;
	const shown = async () => {
		const found = await renter.instances.show(id);
		return {ssh_host: found?.ssh_host, ssh_port: found?.ssh_port};
	};
	const at = await shown();
	const order = async () => (await host.takeWork({after: 0})).work[0];
	expect(at).toEqual({ssh_host: '192.0.2.7', ssh_port: (await order())?.ssh_port});
	const access = {ssh_host: '192.0.2.7', ssh_port: (await order())?.ssh_port ?? 0};
	const row = async () => readInstance(market.database, id);
	await host.report([reportOf(await row(), {access})]);
	expect(await shown()).toEqual(at);
	for (const change of ['stop', 'start', 'reboot', 'recycle'] as const) {
		await renter.instances[change](id);
		expect([change, await shown()]).toEqual([change, at]);
	}
	expect((await order())?.ssh_port).toBe(at.ssh_port);
});
