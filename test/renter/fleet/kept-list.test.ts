import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {unseenFleet, type FleetState} from '../../../source/renter/fleet/fleet-state.ts';
import {openKeptLists} from '../../../source/renter/fleet/kept-list.ts';
import {createStore} from '../../../source/renter/state/store.ts';
import {fleetRow} from '../../helpers/fleet/fleet-rows.ts';
import {openFolder} from '../../helpers/folder.ts';

const lab = {name: 'lab', url: 'https://gpus.example'};
const NOON = Date.UTC(2026, 10, 23, 12);

const rows = [
	fleetRow({id: 7, label: 'train [lease1 e1900000000 td]', num_gpus: 4, dph_total: 1.6}),
	{...fleetRow({id: 8, label: 'old'}), condition: 'gone' as const},
];

test('what a service listed last is known from another profile, in short and without secrets', async () => {
	using folder = openFolder();
	const state = createStore<FleetState>(unseenFleet);
	const stop = openKeptLists(folder.path, lab).follow({state});
	state.set({...unseenFleet, rows, checkedAt: NOON});
	const other = openKeptLists(folder.path, {name: 'prod', url: 'https://other.example'});
	await expect.poll(() => other.of(lab)?.at).toBe(NOON);
	const [file = ''] = readdirSync(folder.path);
	expect(statSync(join(folder.path, file)).mode & 0o777).toBe(0o600);
	expect(other.of(lab)?.instances).toEqual([
		{id: 7, label: 'train', state: 'running', gpus: '4x RTX 4090', perHour: 1.6},
	]);
	// A list that failed is no list, and the same one is written again only for its age.
	state.set({...unseenFleet, rows: [], checkedAt: NOON + 1000, error: new Error('silent')});
	state.set({...unseenFleet, rows, checkedAt: NOON + 2000});
	await new Promise(setImmediate);
	expect(other.of(lab)?.at).toBe(NOON);
	stop();
	expect(other.of({...lab, url: 'https://else.example'})).toBeUndefined();
});

test('a file of another service or of nobody is no list, and what cannot be read in it is left out', () => {
	using folder = openFolder();
	const lists = openKeptLists(folder.path, lab);
	const file = join(folder.path, 'list-lab-https-gpus.example.json');
	writeFileSync(file, '{"service":"lab https://evil.example","at":1,"instances":[]}');
	expect(lists.of(lab)).toBeUndefined();
	writeFileSync(file, '{"service"');
	expect(lists.of(lab)).toBeUndefined();
	const instances = [{id: '7'}, null, {id: 9, label: 5, perHour: -1}, {id: 1e300}];
	const service = 'lab https://gpus.example';
	writeFileSync(file, JSON.stringify({service, at: 5, instances}));
	expect(lists.of(lab)).toEqual({
		at: 5,
		instances: [{id: 9, label: '', state: '', gpus: '', perHour: undefined}],
	});
	expect(readFileSync(file, 'utf8')).toContain('lab');
});
