import {spawn} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {expect, test} from 'vitest';
import {MARK_VARIABLE} from '../../../source/contract/rules/env.ts';
import {alertOf} from '../../../source/renter/alerts/guard-alerts.ts';
import {openAgreedLeases} from '../../../source/renter/leases/agreed.ts';
import {baseValues} from '../../../source/renter/orders/rent-values.ts';
import {readRentForm} from '../../../source/renter/orders/rent-order.ts';
import {endlessLease, readLabel, relabelled} from '../../../source/renter/words/lease.ts';
import {openFolder} from '../../helpers/folder.ts';
import {guarded, MADE} from '../../helpers/commands/guarded.ts';

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

test.each(edits)(
	'a label that is edited to %j ends nothing, and is told, and once more when it is late',
	async label => {
		using folder = openFolder();
		const agreed = openAgreedLeases(folder.path, of);
		const world = guarded({label: LABEL, agreed});
		await world.looks(60, 30);
		world.set({label});
		await world.looks(30, 7200, 30, 30);
		expect(world.calls).toEqual([]);
		const [lost, ...others] = world.told;
		expect(others.map(({kind}) => kind)).toEqual(['late']);
		expect(lost).toMatchObject({kind: 'lost lease', id: 7, terms: 'for 1h58m then destroy'});
		const alert = lost && alertOf(lost, 'lab', 0);
		expect(alert).toMatchObject({kind: 'guard-trouble'});
		expect(alert?.text).toContain(
			'rentty lease 7 --restore writes it again, --none lets go of it.',
		);
	},
);

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
	agreed.note([{id: 7, start_date: MADE, label: LABEL}], MADE * 1000);
	expect(agreed.lost({id: 7, start_date: MADE, label: 'train'})).toMatchObject({endsAt: END});
	expect(agreed.lost({id: 7, start_date: MADE + 0.9, label: 'train'})).toMatchObject({endsAt: END});
	expect(agreed.lost({id: 7, start_date: MADE + 9, label: 'train'})).toBeUndefined();
	expect(agreed.lost({id: 7, start_date: MADE, label: LABEL})).toBeUndefined();
	const other = openAgreedLeases(folder.path, {...of, url: 'http://y'});
	expect(other.lost({id: 7, start_date: MADE, label: 'train'})).toBeUndefined();
	agreed.note([], MADE * 1000);
	expect(agreed.lost({id: 7, start_date: MADE, label: 'train'})).toBeUndefined();
});

test('a deadline that comes overdue ends nothing, and is told, also by the next guard', async () => {
	using folder = openFolder();
	for (const label of [`prod [lease1 e${MADE - 9000} td]`, `prod [lease1 e${MADE + 60} td]`]) {
		const world = guarded({label, agreed: openAgreedLeases(folder.path, of)});
		await world.looks(3600, 30);
		world.restart();
		await world.looks(30, 30);
		world.restart('');
		await world.looks(30, 30, 3600, 30);
		expect(world.calls).toEqual([]);
		expect(new Set(world.told.map(({kind}) => kind))).toEqual(new Set(['overdue lease']));
	}
});

test.each([
	['from here ends', 'mark', ['destroy 7']],
	['from elsewhere does not end', 'another mark', []],
])('a deadline that comes overdue by an order %s its instance', async (_, mark, calls) => {
	using folder = openFolder();
	const label = `prod [lease1 e${MADE - 60} td]`;
	const world = guarded({
		label,
		extra_env: [[MARK_VARIABLE, 'mark']],
		agreed: openAgreedLeases(folder.path, of),
		ordered: async () => new Map([[mark, label]]),
	});
	await world.looks(30, 30, 30);
	expect(world.calls).toEqual(calls);
});

test.each([
	['over by a clock that is hours ahead', 9000, END, ['destroy 7']],
	['not over by a clock that is hours behind', -9000, MADE - 60, []],
])('a deadline that is first seen when it is %s', async (_, ahead, end, calls) => {
	for (const looks of [[30], [30, 30, 30]]) {
		using folder = openFolder();
		const world = guarded({label: 'prod', agreed: openAgreedLeases(folder.path, of)});
		await world.looks(30, 30);
		world.jump(ahead);
		world.set({label: `prod [lease1 e${end} td]`});
		await world.looks(...looks);
		world.jump(-ahead);
		await world.looks(30, 30, 30);
		expect(world.calls).toEqual([]);
		await world.looks(7200, 30, 30);
		expect(world.calls).toEqual(calls);
	}
});

test('what was agreed here ends its instance although no guard was there in time', async () => {
	using folder = openFolder();
	const agreed = openAgreedLeases(folder.path, of);
	agreed.agree({id: 7, start_date: MADE}, readLabel(LABEL).lease);
	const world = guarded({label: LABEL, agreed});
	await world.looks(9000, 30);
	expect(world.calls).toEqual(['destroy 7']);
});

test.each([
	['a past one', MADE - 60, []],
	['an earlier one', MADE + 3600, ['destroy 7']],
	['a much later one', MADE + 900_000, []],
])(
	'a lease that is changed to %s elsewhere is told, and a past one ends nothing',
	async (_, end, calls) => {
		using folder = openFolder();
		const world = guarded({label: LABEL, agreed: openAgreedLeases(folder.path, of)});
		await world.looks(60, 60);
		world.set({label: `train [lease1 e${end} td]`});
		await world.looks(60, 60, 60, 3400, 30, 3600, 30);
		expect(world.calls).toEqual(calls);
		const changes = world.told.filter(({kind}) => kind === 'changed lease');
		expect(changes[0]).toMatchObject({id: 7, label: 'train', before: 'for 1h56m then destroy'});
		const ids = new Set(changes.map(change => alertOf(change, 'lab', 0).id));
		expect(ids.size).toBe(1);
	},
);

test('what is agreed here between a list and the next is no change', async () => {
	using folder = openFolder();
	const agreed = openAgreedLeases(folder.path, of);
	const world = guarded({label: LABEL, agreed});
	await world.looks(60, 60);
	const later = `train [lease1 e${END + 600} td]`;
	agreed.agree({id: 7, start_date: MADE}, readLabel(later).lease);
	await world.looks(60);
	world.set({label: later});
	await world.looks(60, 60);
	expect(world.told).toEqual([]);
	expect(agreed.isAgreed({id: 7, start_date: MADE, label: later})).toBe(true);
});

test('what looks like a lease in a label that is typed is none', () => {
	expect(relabelled('train', LABEL)).toBe('train');
	expect(relabelled(LABEL, `eval [lease1 e${MADE} td]`)).toBe(`eval [lease1 e${END} td]`);
	const base = baseValues(undefined);
	const {order, problem} = readRentForm({...base, image: 'ubuntu:24.04', label: LABEL}, base);
	expect([problem, order?.label]).toEqual([undefined, 'train']);
});

/** Whatever a guard cannot read, or believe, of an instance whose end was agreed here. */
const unread: ReadonlyArray<readonly [what: string, given: Parameters<typeof guarded>[0]]> = [
	['no date', {hasDate: false}],
	['no start', {start_date: null}],
	['a start in milliseconds', {start_date: MADE * 1000}],
	['a list without it', {list: {isWhole: false, instances: []}, isUnreadable: true}],
	['a list that is not whole, and no record', {list: {isWhole: false}, isUnreadable: true}],
	['another label', {label: 'train'}],
];

test.each(unread)('an agreed end that nothing brings is told once, with %s', async (_, given) => {
	using folder = openFolder();
	const agreed = openAgreedLeases(folder.path, of);
	agreed.agree({id: 7, start_date: MADE}, readLabel(LABEL).lease);
	const world = guarded({label: LABEL, ...given, agreed});
	await world.looks(7200, 30);
	expect(world.told.filter(({kind}) => kind === 'late')).toEqual([]);
	await world.looks(60, 60, 600, 3600);
	expect(world.calls).toEqual([]);
	expect(world.told.filter(({kind}) => kind === 'late')).toMatchObject([{id: 7}]);
});

test('an agreed end that came, or that is being brought, is not told as late', async () => {
	using folder = openFolder();
	const agreed = openAgreedLeases(folder.path, of);
	const world = guarded({label: LABEL, agreed});
	await world.looks(60, 7140, 12);
	expect(world.calls).toEqual(['destroy 7']);
	world.setList({isWhole: false, instances: []});
	await world.looks(60, 600);
	expect(world.told.map(({kind}) => kind)).toEqual(['ended']);
});

test('a deadline that was set by a wrong clock of the service is told once that is right, and ends nothing sooner', async () => {
	using folder = openFolder();
	const agreed = openAgreedLeases(folder.path, of);
	const {lease} = readLabel(LABEL);
	agreed.agree({id: 7, start_date: MADE}, lease, 3_600_000);
	const world = guarded({label: LABEL, agreed});
	await world.looks(60, 30, 30);
	const moved = world.told.find(({kind}) => kind === 'moved lease');
	expect(moved).toMatchObject({id: 7, ms: 3_600_000, leftMs: 7_140_000});
	expect(moved && alertOf(moved, 'lab', 0).text).toBe(
		"The service's clock was 1 h ahead when the lease of 7 was set, and is right now. It ends in 1 h 59 min, and 59 min was meant: rentty lease 7 --for 59m sets that.",
	);
	expect(world.calls).toEqual([]);
});

test('a deadline of another lease, or by a clock that is as wrong as it was, is not told as moved', () => {
	using folder = openFolder();
	const agreed = openAgreedLeases(folder.path, of);
	const instance = {id: 7, start_date: MADE, label: LABEL};
	agreed.agree(instance, readLabel(LABEL).lease, 3_600_000);
	const {movedMs} = agreed.known();
	expect(movedMs(instance, 0)).toBe(3_600_000);
	expect(movedMs(instance, 3_590_000)).toBeUndefined();
	expect(movedMs({...instance, label: `x [lease1 e${END + 60} td]`}, 0)).toBeUndefined();
	expect(movedMs({...instance, start_date: MADE + 999}, 0)).toBeUndefined();
	agreed.agree(instance, readLabel(LABEL).lease, 20_000);
	expect(agreed.known().movedMs(instance, 0)).toBeUndefined();
});

test('no lease is lost where console, guard and commands agree to theirs at once', async () => {
	using folder = openFolder();
	const source = new URL('../../../source/renter/leases/agreed.ts', import.meta.url).href;
	const lease = {...endlessLease, endsAt: END};
	const code = `
		const {openAgreedLeases} = await import(${JSON.stringify(source)});
		const [, folder, first] = process.argv;
		const agreed = openAgreedLeases(folder, ${JSON.stringify(of)});
		for (let id = Number(first); id < Number(first) + 40; id++) {
			agreed.agree({id, start_date: 5}, ${JSON.stringify(lease)});
		}`;
	const start = (first: number) =>
		spawn(process.execPath, ['--input-type=module', '-e', code, folder.path, `${first}`], {
			stdio: ['ignore', 'ignore', 'inherit'],
		});
	await Promise.all([100, 200, 300].map(async first => once(start(first), 'exit')));
	expect(openAgreedLeases(folder.path, of).open()).toHaveLength(120);
});
