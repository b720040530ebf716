import {expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import {createFleet} from '../../../source/renter/fleet/fleet.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {listOf} from '../../helpers/fleet/looks.ts';

const MIDNIGHT = Date.UTC(2026, 10, 22);

test('the charges of a new day are asked for with its first list, and unknown until they are answered', async () => {
	const timers = createHandScheduler(MIDNIGHT - 60_000);
	const asked: number[] = [];
	let isRefused = false;
	const records = [{amount: -6.2, start: MIDNIGHT / 1000 - 3600, end: undefined}];
	const client = {
		instances: {list: async () => listOf([{id: 7, actual_status: 'running', dph_total: 1}])},
		account: {current: async () => ({credit: 5})},
		billing: {
			async invoices() {
				asked.push(timers.now());
				if (isRefused) throw new Error('refused');
				return {records, total: undefined, next: undefined, unreadable: noneUnreadable};
			},
		},
	};
	const fleet = createFleet({
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked for
		client: async () => client as unknown as Client,
		limits: () => defaultSettings.limits,
		timers,
	});
	const leave = fleet.watch();
	await timers.pass(30_000);
	expect(fleet.state.get().spent).toMatchObject({today: 6.2, month: 6.2});
	expect(asked).toHaveLength(1);
	isRefused = true;
	await timers.pass(40_000);
	expect(asked).toHaveLength(2);
	expect(fleet.state.get().spent).toMatchObject({today: undefined, month: 6.2});
	isRefused = false;
	await timers.pass(300_000);
	expect(asked).toHaveLength(3);
	expect(fleet.state.get().spent).toMatchObject({today: 0, month: 6.2});
	leave();
	fleet.close();
});
