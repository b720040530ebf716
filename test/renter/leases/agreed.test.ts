import {expect, test} from 'vitest';
import {alertOf} from '../../../source/renter/alerts/guard-alerts.ts';
import {openAgreedLeases} from '../../../source/renter/leases/agreed.ts';
import {readLabel} from '../../../source/renter/words/lease.ts';
import {openFolder} from '../../helpers/folder.ts';
import {guarded, MADE} from '../../helpers/guarded.ts';

const END = MADE + 7200;
const LABEL = `train [lease1 e${END} td]`;
const of = {name: 'lab', url: 'http://x'};

/** What others make of a label with a lease. */
const edits = [
	'train',
	'',
	null,
	LABEL.slice(0, -6),
	LABEL.slice(0, 9),
	`${LABEL} paused`,
	LABEL.toUpperCase(),
	LABEL.replaceAll(' ', '  ').replace('[', '[ '),
	LABEL.replace('td', 'tx'),
];

test.each(edits)('a label that is edited to %j ends nothing, and is told once', async label => {
	using folder = openFolder();
	const agreed = openAgreedLeases(folder.path, of);
	const world = guarded({label: LABEL, agreed});
	await world.looks(60, 30);
	world.set({label});
	await world.looks(30, 7200, 30, 30);
	expect(world.calls).toEqual([]);
	const [lost, ...others] = world.told;
	expect(others).toEqual([]);
	expect(lost).toMatchObject({kind: 'lost lease', id: 7, terms: 'for 1h58m then destroy'});
	const alert = lost && alertOf(lost, 'lab', 0);
	expect(alert).toMatchObject({kind: 'guard-trouble'});
	expect(alert?.text).toContain('rentty lease 7 --restore writes it again, --none lets go of it.');
});

test('a label that is restored ends its instance again, and another lease is as good as agreed', async () => {
	for (const label of [LABEL, `x [lease1 e${END + 1} td]`]) {
		using folder = openFolder();
		const agreed = openAgreedLeases(folder.path, of);
		const world = guarded({label: LABEL, agreed});
		await world.looks(60);
		world.set({label: 'train'});
		await world.looks(30);
		world.set({label});
		await world.looks(30, 7200, 30);
		expect(world.calls).toEqual(['destroy 7']);
	}
});

test('what was let go of here is not told as lost, and what another guard agreed is', async () => {
	using folder = openFolder();
	const agreed = openAgreedLeases(folder.path, of);
	const world = guarded({label: LABEL, agreed});
	await world.looks(60);
	agreed.agree({id: 7, start_date: MADE}, undefined);
	world.set({label: 'train'});
	await world.looks(30);
	expect(world.told).toEqual([]);
	agreed.agree({id: 7, start_date: MADE}, readLabel(LABEL).lease);
	const later = guarded({label: 'train', agreed: openAgreedLeases(folder.path, of)});
	await later.looks(30);
	expect(later.told).toMatchObject([{kind: 'lost lease', id: 7}]);
});

test('another instance with the same number has lost nothing, nor has one of another service', () => {
	using folder = openFolder();
	const agreed = openAgreedLeases(folder.path, of);
	agreed.note([{id: 7, start_date: MADE, label: LABEL}]);
	expect(agreed.lost({id: 7, start_date: MADE, label: 'train'})).toMatchObject({endsAt: END});
	expect(agreed.lost({id: 7, start_date: MADE + 0.9, label: 'train'})).toMatchObject({endsAt: END});
	expect(agreed.lost({id: 7, start_date: MADE + 9, label: 'train'})).toBeUndefined();
	expect(agreed.lost({id: 7, start_date: MADE, label: LABEL})).toBeUndefined();
	const other = openAgreedLeases(folder.path, {...of, url: 'http://y'});
	expect(other.lost({id: 7, start_date: MADE, label: 'train'})).toBeUndefined();
	agreed.note([]);
	expect(agreed.lost({id: 7, start_date: MADE, label: 'train'})).toBeUndefined();
});
