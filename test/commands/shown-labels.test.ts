import {expect, test} from 'vitest';
import {commandsOf} from '../helpers/commands/commands.ts';
import {openFleetConsole} from '../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {createSettingsStore} from '../helpers/settings-store.ts';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';

/** A fleet whose labels all keep a lease, as services without leases of their own have it. */
async function openLeasedFleet() {
	const market = await openFleetMarket();
	const rows = await market.database.selectFrom('instances').select(['id', 'label']).execute();
	for (const {id, label} of rows) {
		const set = {label: `${label ?? ''} [lease1 e4000000000 td]`};
		// oxlint-disable-next-line no-await-in-loop -- one writer at a time
		await market.database.updateTable('instances').set(set).where('id', '=', id).execute();
	}
	return market;
}

const rent = ['rent', 'any', '--image', 'a/b', '--label', 'fresh', '--for', '6h', '--yes'];

test('no command shows or exports the lease that a label keeps', async () => {
	await using market = await openLeasedFleet();
	const run = commandsOf(market);
	const calls = [
		['ps'],
		['ps', 'train-a'],
		['ssh', 'train-c'],
		['exec', 'train-c,vllm-2', '--', 'true'],
		['cp', 'train-c:/x', './x'],
		['lease', 'train-a'],
		['jobs', 'train-a'],
		['increases'],
		['prepay', 'train-a'],
		['complete', '--', 'ps', ''],
		['sweep', '--yes', '--no-wait'],
		['stop', 'train-a', '--yes', '--no-wait'],
		['start', 'old-run', '--yes'],
		['destroy', 'train-a'],
		['destroy', 'train-a', 'old-run', '--yes', '--no-wait'],
		rent,
	];
	for (const [name = '', ...argv] of calls) {
		const at = argv.indexOf('--');
		const asJson = at < 0 ? [...argv, '--json'] : argv.toSpliced(at, 0, '--json');
		for (const words of [argv, asJson]) {
			// oxlint-disable-next-line no-await-in-loop -- later ones change what earlier ones show
			const {out, err} = await run(name, ...words);
			expect([name, ...words, out, err].join(' ')).not.toContain('lease1');
		}
	}
	const {out} = await run('ps', '--json');
	expect(out).toContain('"fresh"');
});

test('no screen shows the lease that a label keeps, and no program is given it', async () => {
	await using market = await openLeasedFleet();
	const command = ['echo', 'name={label}.'];
	const own = {name: 'name it', key: 'F5', screen: 'instances', runs: 'aside', asks: true} as const;
	await using rentty = await openFleetConsole(market, {
		settings: createSettingsStore({...defaultSettings, commands: [{...own, command}]}),
	});
	rentty.type('\u001B[15~');
	await rentty.reads('echo name=train-c.');
	for (const [key, seen] of [
		['x', 'DESTROY'],
		['X', 'SWEEP'],
		['e', 'label> train-c'],
		['L', 'train-c'],
	] as const) {
		rentty.type('\u001B');
		// oxlint-disable-next-line no-await-in-loop -- one screen after the other
		await rentty.sees('1 of 4');
		rentty.type(key);
		// oxlint-disable-next-line no-await-in-loop -- one screen after the other
		await rentty.reads(seen);
	}
	expect(rentty.written()).not.toContain('lease1');
});
