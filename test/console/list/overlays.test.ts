import {expect, test} from 'vitest';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {createSettingsStore} from '../../helpers/settings-store.ts';
import {openTestConsole} from '../../helpers/console/console.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {openOfferAnswers} from '../../helpers/services/offer-answers.ts';

const headingOf = (frame: string) =>
	/^ .*(?:\bGPU\b|\$\/H).*$/m.exec(frame)?.[0].trim().split(/ +/);

test('columns are chosen one by one, at once and for good', async () => {
	await using market = await openTestMarket({offers: 60});
	const settings = createSettingsStore(defaultSettings);
	await using rentty = openTestConsole({service: market, settings});
	await rentty.sees('1 of ');
	rentty.type('W');
	expect(await rentty.sees('COLUMNS')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter> what do you need? 4090 x2 <0.80 us,ca      + defaults: verified rentable
		price incl. 40G disk . on-demand                                       35 offers
		--------------------------------------------------------------------------------
		COLUMNS                                                              set: normal
		--------------------------------------------------------------------------------
		> [x] GPU      15 wide  its GPUs
		  [x] VRAM     4 wide   memory of a GPU
		  [x] $/H ALL~ 10 wide  with your disk and traffic, an hour
		  [ ] ALL/GPU  8 wide   with your disk and traffic, an hour of a GPU
		  [ ] $/DAY    8 wide   with your disk and traffic, a day
		  [ ] $/WEEK   9 wide   with your disk and traffic, a week
		  [x] AGAINST~ 23 wide  price beside the median of its GPU
		  [x] REL%     5 wide   reliability
		  [x] DOWN     5 wide   download, Mb/s
		  [x] WHERE    5 wide   country
		  [x] DAYS     4 wide   longest rental
		  [x] CUDA     4 wide   newest CUDA
		  [x] PORTS    5 wide   open ports
		  [x] DISK     6 wide   free disk
		  [ ] QTY      3 wide   number of GPUs

		Space show  < left  > right  + wider  _ narrower  w set  u usual  Esc close"
	`);
	rentty.type(' ');
	await rentty.sees('[ ] GPU');
	rentty.type('j>++');
	await rentty.sees('6 wide');
	rentty.type('\u001B');
	const heading = headingOf(await rentty.sees('1 of '));
	expect(heading?.slice(0, 3)).toEqual(['$/H', 'ALL-IN', 'VRAM']);
	expect(settings.get().columns['offers']).toMatchObject({
		visible: {gpu_name: false},
		widths: {gpu_ram: 6},
	});
	rentty.type('W');
	await rentty.sees('COLUMNS');
	rentty.type('uq');
	expect(headingOf(await rentty.sees('1 of '))?.slice(0, 2)).toEqual(['GPU', 'VRAM']);
});

test('one key goes from normal to wide to compact, and asks for what wide needs', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market, columns: 240});
	expect(headingOf(await rentty.sees('1 of '))).toContain('CUDA');
	rentty.type('w');
	await rentty.sees('PCIE');
	// The last cell of a row is one that only the wide set asks for.
	await rentty.sees(/^> .* \d+\.\d\S*[ |]/m);
	rentty.type('w');
	await rentty.sees('Columns: compact');
	const compact = headingOf((await rentty.sees(/^ +GPU/m)).replaceAll(/\|.*/g, ''));
	expect(compact).toEqual([
		'GPU',
		'VRAM',
		'$/H',
		'ALL-IN',
		'AGAINST',
		'ALL',
		'OF',
		'ITS',
		'KIND',
		'REL%',
		'WHERE',
	]);
});

test('a column that the service sends nothing for is left out, and told of where columns are chosen', async () => {
	await using market = await openOfferAnswers([{id: 1, num_gpus: 2}, {id: 2}]);
	await using rentty = openTestConsole({service: market.service});
	expect(headingOf(await rentty.sees('1 of 2'))).toEqual(['GPU']);
	rentty.type('W');
	const frame = await rentty.sees('COLUMNS');
	expect(frame).toMatch(/REL% .* \(not sent by this service\)$/m);
	expect(frame).not.toMatch(/GPU {6}.* not sent/);
	// What was not asked for may well be sent.
	expect(frame).not.toMatch(/PCIE .* not sent/);
});
