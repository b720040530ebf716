import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	acknowledged,
	alertLine,
	alertOfEvent,
	alertCountText,
	keptAlert,
	merged,
	addAlert,
	openKeptAlerts,
	readAlerts,
	type KeptAlert,
	type KeptAlerts,
} from '../../../source/renter/alerts/kept-alerts.ts';
import type {Event} from '../../../source/renter/words/alert.ts';
import {openFolder} from '../../helpers/folder.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR_MS = 3_600_000;

const stuck: Event = {
	kind: 'stuck',
	about: 'instance 7',
	state: 'stuck',
	text: 'train-c (7) is stuck. X sweeps what is stuck.',
	instance: 7,
};

const at = (ms: number, event: Event = stuck) => alertOfEvent(event, 'lab', NOW + ms);
const addAll = (...alerts: readonly KeptAlert[]) =>
	alerts.reduce<KeptAlerts>((kept, one) => addAlert(kept, one, Date.parse(one.at)), []);

test.for([
	['the same at once', [at(0), at(0)], 1],
	['the same after 59 minutes', [at(0), at(59 * 60_000)], 1],
	['the same after an hour', [at(0), at(HOUR_MS)], 2],
	['another state', [at(0), at(0, {...stuck, state: 'dead'})], 2],
	['another instance', [at(0), at(0, {...stuck, about: 'instance 8'})], 2],
	['a clock that was set back', [at(0), at(-60_000)], 1],
] as const)('one event is one alert: %s', ([, alerts, count]) => {
	expect(addAll(...alerts)).toHaveLength(count);
});

test('an acknowledged alert does not come again for the same event, and is forgotten in a day', () => {
	const [first] = [at(0)];
	const seen = acknowledged(addAll(first), new Set([first.id]));
	expect(seen.map(({isNew}) => isNew)).toEqual([false]);
	expect(acknowledged(seen, new Set([first.id]))).toBe(seen);
	expect(addAlert(seen, at(1000), NOW + 1000)).toBe(seen);
	const later = at(25 * HOUR_MS, {...stuck, about: 'instance 9'});
	expect(addAlert(seen, later, NOW + 25 * HOUR_MS)).toEqual([later]);
});

test('at most 200 are kept, the newest first, and what nobody has acknowledged stays longest', () => {
	const many = Array.from({length: 200}, (_, id) => at(id, {...stuck, about: `instance ${id}`}));
	const [oldest] = many;
	const kept = acknowledged(addAll(...many), new Set(many.slice(1, 3).map(({id}) => id)));
	const next = addAlert(kept, at(500, {...stuck, about: 'instance 999'}), NOW + 500);
	expect(next).toHaveLength(200);
	expect(next[0]?.key).toBe('instance 999 stuck');
	expect(next).toContainEqual(oldest);
	expect(next.map(({key}) => key)).not.toContain('instance 1 stuck');
});

test('two processes have each event once, acknowledged where either has it so', () => {
	const [mine, theirs, twice] = [at(0), at(5, {...stuck, about: 'instance 8'}), at(3)];
	const seen = acknowledged([mine], new Set([mine.id]));
	const both = merged([mine], [...seen, theirs, twice], NOW);
	expect(both.map(({key, isNew}) => [key, isNew])).toEqual([
		['instance 8 stuck', true],
		['instance 7 stuck', false],
	]);
	expect(merged(both, seen, NOW)).toBe(both);
});

test('an alert is one harmless line of bounded length, its title the first sentence of it', () => {
	const text = `\u001B]0;owned\u0007 a\nb is stuck. ${'x'.repeat(9000)}`;
	const alert = at(0, {...stuck, text, about: '\u202Eevil'});
	expect(alert.title).toBe('�]0;owned� a b is stuck');
	expect(alert.text).toHaveLength(400);
	// oxlint-disable-next-line no-control-regex -- none of them may be left
	expect(JSON.stringify(alert)).not.toMatch(/\\u001b|\\u0007|[\u0000-\u001F\u202E]/);
	expect(alertLine(alert)).toBe(alert.text);
	expect(alertLine({title: '7 ends in 10 min', text: 'More.'})).toBe('7 ends in 10 min. More.');
});

test.for([
	['nothing', undefined],
	['another shape', {alerts: {}}],
	['no objects', {alerts: [1, null, 'x', []]}],
	['another kind', {alerts: [{...at(0), kind: 'fire'}]}],
	['no time', {alerts: [{...at(0), at: 'soon'}]}],
	['no text', {alerts: [{...at(0), text: 7}]}],
] as const)('a file that cannot be read is no alert: %s', ([, json]) => {
	expect(readAlerts(json)).toEqual([]);
});

test('texts of a file are made harmless, and numbers that are none lead nowhere', () => {
	const json = {alerts: [{...at(0), text: 'a\u001B[2J', instance: '7; rm', offer: 1e99}]};
	const [alert] = readAlerts(JSON.parse(JSON.stringify(json)));
	expect(alert).toMatchObject({text: 'a�[2J', instance: undefined, offer: undefined});
});

test('alerts outlive the program, for the service that they are of, and for its owner alone', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'state', 'alerts-lab.json');
	const first = openKeptAlerts(file, () => NOW);
	expect(first.get()).toEqual([]);
	expect(first.add(at(0))).toBe(true);
	expect(first.add(at(1))).toBe(false);
	await first.settle();
	const second = openKeptAlerts(file, () => NOW);
	expect(second.get()).toEqual([at(0)]);
	expect(second.add(at(2))).toBe(false);
	second.acknowledge([at(0).id]);
	await second.settle();
	first.refresh();
	expect(first.get().map(({isNew}) => isNew)).toEqual([false]);
	expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({alerts: [{isNew: false}]});
});

test('what two processes keep at once is kept whole', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'alerts.json');
	const stores = [0, 1].map(() => openKeptAlerts(file, () => NOW));
	for (let id = 0; id < 40; id++) stores[id % 2]?.add(at(id, {...stuck, about: `instance ${id}`}));
	await Promise.all(stores.map(async ({settle}) => settle()));
	expect(openKeptAlerts(file, () => NOW).get()).toHaveLength(40);
});

test('a file that cannot be written takes no alert from the screen', async () => {
	using folder = openFolder();
	writeFileSync(join(folder.path, 'file'), '');
	const alerts = openKeptAlerts(join(folder.path, 'file', 'alerts.json'), () => NOW);
	expect(alerts.add(at(0))).toBe(true);
	await alerts.settle();
	expect(alertCountText(alerts.get())).toBe('1 alert');
});

test('an end that two programs tell is one alert', () => {
	const ended = {
		...at(0),
		kind: 'lease-ended',
		title: '7 has ended',
		text: 'gone',
	} as const;
	const [mine, theirs] = [keptAlert({...ended, id: 'a'}), keptAlert({...ended, id: 'b'})];
	expect(addAlert([mine], theirs, NOW)).toEqual([mine]);
});
