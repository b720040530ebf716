import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Alert} from '../../../source/renter/words/alert.ts';
import {alertOf, wordedAt, openOutbox} from '../../../source/renter/alerts/guard-alerts.ts';
import {openKeptAlerts} from '../../../source/renter/alerts/kept-alerts.ts';
import {openFolder} from '../../helpers/folder.ts';

const NOW = Date.UTC(2026, 10, 22, 12);

const ending = alertOf(
	{kind: 'ending', id: 7, label: 'train', seconds: 60, due: '60 abc'},
	'lab',
	NOW,
);
const alerts: readonly Alert[] = [
	ending,
	alertOf({kind: 'unknown lease', id: 8, label: ''}, 'lab', NOW),
	alertOf({kind: 'late', id: 9, label: '', seconds: 90, due: 'abc'}, 'lab', NOW),
];

/** A guard's outbox over a file: `hangs` is a way that takes nothing until the guard is killed. */
function openGuardsOutbox(file: string, hangs = false) {
	const killed = new AbortController();
	const sent: Alert[] = [];
	const inFile: boolean[] = [];
	let hours = 0;
	const outbox = openOutbox({
		kept: openKeptAlerts(file, () => NOW),
		signal: killed.signal,
		now: () => NOW + hours * 3_600_000,
		async deliver(alert) {
			sent.push(alert);
			inFile.push(readFileSync(file, 'utf8').includes(alert.id));
			if (hangs) await new Promise(resolve => killed.signal.addEventListener('abort', resolve));
		},
	});
	return {...outbox, sent, inFile, kill: () => killed.abort(), pass: () => void (hours += 1)};
}

const idsOf = (sent: readonly Alert[]) => sent.map(({id}) => id).toSorted();

test('each alert is in its file before it is sent, and sent once', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'alerts.json');
	const first = openGuardsOutbox(file);
	for (const alert of [...alerts, ...alerts]) first.add(alert);
	await first.settle();
	expect(idsOf(first.sent)).toEqual(idsOf(alerts));
	expect(first.inFile).toEqual([true, true, true]);
	const next = openGuardsOutbox(file);
	next.resume();
	for (const alert of alerts) next.add(alert);
	await next.settle();
	expect(next.sent).toEqual([]);
});

test('of a flood so many alerts leave in an hour, those of ends before troubles of the guard', async () => {
	using folder = openFolder();
	const guard = openGuardsOutbox(join(folder.path, 'alerts.json'));
	const troubles = Array.from({length: 100}, (_, id) =>
		alertOf({kind: 'unknown lease', id, label: ''}, 'lab', NOW),
	);
	for (const alert of [...troubles, ...alerts]) guard.add(alert);
	const kinds = () => guard.sent.map(({kind}) => kind);
	const ten = troubles.slice(0, 10).map(({kind}) => kind);
	await guard.settle();
	expect(kinds()).toEqual([...ten, 'lease-ending', 'lease-failed']);
	guard.pass();
	guard.resume();
	guard.resume();
	await guard.settle();
	expect(kinds().slice(12)).toEqual(ten);
});

test('an alert under way when the guard is killed is sent by the next one, each once', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'alerts.json');
	for (const round of [1, 2]) {
		const killed = openGuardsOutbox(file, true);
		if (round === 1) for (const alert of alerts) killed.add(alert);
		killed.resume();
		await expect.poll(() => idsOf(killed.sent)).toEqual(idsOf(alerts));
		killed.kill();
		await killed.settle();
	}
	const next = openGuardsOutbox(file);
	next.resume();
	next.resume();
	for (const alert of alerts) next.add(alert);
	await next.settle();
	expect(idsOf(next.sent)).toEqual(idsOf(alerts));
	expect(next.sent.find(({id}) => id === ending.id)?.ends).toEqual(ending.ends);
	const after = openGuardsOutbox(file);
	after.resume();
	await after.settle();
	expect(after.sent).toEqual([]);
});

test.for([
	[0, '7 train ends in 1 min'],
	[-540, '7 train ends in 10 min'],
	[107, '7 train was to end 47 s ago'],
] as const)('an end is told %d s after its warning as it is then', ([after, title]) => {
	const {id, title: said} = wordedAt(ending, NOW + after * 1000);
	expect([id, said]).toEqual([ending.id, title]);
});
