import {expect, test} from 'vitest';
import type {Alert, Event} from '../../../source/renter/words/alert.ts';
import {openKeptAlerts} from '../../../source/renter/alerts/kept-alerts.ts';
import {createNotify} from '../../../source/console/app/notify.ts';

function openNotify(choice = {bell: true, osc9: false}) {
	const titles: string[] = [];
	const sent: string[] = [];
	const said: string[] = [];
	const progress: unknown[] = [];
	const elsewhere: Alert[] = [];
	const alerts = openKeptAlerts(undefined, () => 0);
	const notify = createNotify({
		choice: () => choice,
		send: sequence => sent.push(sequence),
		setTitle: title => titles.push(title),
		setProgress: shown => void progress.push(shown),
		say: text => said.push(text),
		alerts,
		profile: 'lab',
		now: () => 0,
		elsewhere: alert => elsewhere.push(alert),
	});
	return {notify, titles, progress, sent, said, alerts, elsewhere};
}

const stuck: Event = {
	kind: 'stuck',
	about: 'instance 7',
	state: 'stuck',
	text: 'train-c is stuck.',
	instance: 7,
};

test('an event is told once per thing and state, however often it is seen', () => {
	const {notify, sent, said} = openNotify();
	expect(notify.send(stuck)).toBe(true);
	expect(notify.send(stuck)).toBe(false);
	notify.send({...stuck, state: 'running', text: 'train-c runs.'});
	expect(notify.send(stuck)).toBe(false);
	notify.send({...stuck, about: 'instance 8', text: 'eval is stuck.'});
	expect(said).toEqual(['train-c is stuck.', 'train-c runs.', 'eval is stuck.']);
	expect(sent).toEqual(['\u0007', '\u0007', '\u0007']);
});

test('what is told is kept and told elsewhere once, and what runs is no new alert', () => {
	const {notify, alerts, elsewhere} = openNotify();
	notify.send(stuck);
	notify.send(stuck);
	notify.send({...stuck, kind: 'running', state: 'running', text: 'train-c is running.'});
	const kept = alerts.get().map(({kind, instance, isNew}) => [kind, instance, isNew]);
	expect(kept).toEqual([
		['running', 7, false],
		['stuck', 7, true],
	]);
	expect(elsewhere).toHaveLength(2);
	expect(elsewhere[0]).toEqual({
		id: 'lab instance 7 stuck 1970-01-01T00:00:00.000Z',
		kind: 'stuck',
		at: '1970-01-01T00:00:00.000Z',
		title: 'train-c is stuck',
		text: 'train-c is stuck.',
		profile: 'lab',
		instance: 7,
		offer: undefined,
	});
});

test('the title counts what is in trouble, of every kind', () => {
	const {notify, titles} = openNotify();
	notify.setTrouble('instances', 2);
	notify.setTrouble('watches', 1);
	notify.setTrouble('instances', 0);
	notify.setTrouble('watches', 0);
	expect(titles).toEqual(['rentty', 'rentty 2!', 'rentty 3!', 'rentty 1!', 'rentty']);
});

test('what boots stands in the title, and as progress on the tab until it is over', () => {
	const {notify, titles, progress} = openNotify();
	for (const count of [0, 2, 2, 1, 0]) notify.setBooting(count);
	notify.setTrouble('instances', 1);
	notify.setBooting(1);
	expect(titles).toEqual([
		'rentty',
		'rentty 2 booting',
		'rentty 1 booting',
		'rentty',
		'rentty 1!',
		'rentty 1! 1 booting',
	]);
	expect(progress).toEqual(['some', 'some', 'none', 'some']);
});

test('bell and desktop are told as chosen, and no label commands the terminal', () => {
	const {notify, sent} = openNotify({bell: false, osc9: true});
	notify.send({...stuck, text: '\u001B]0;owned\u0007 is stuck.'});
	expect(sent).toHaveLength(1);
	// oxlint-disable-next-line no-control-regex -- these are the bytes that end it
	expect(sent[0]).toMatch(/^\u001B\]9;rentty: [^\u0007\u001B]* is stuck\.\u001B\\$/);
	expect(openNotify({bell: false, osc9: false}).notify.send(stuck)).toBe(true);
});
