import {expect, test} from 'vitest';
import type {JournalAnswer, JournalEntry} from '../../../source/client/journal/journal.ts';
import {abilitiesOf, triedIn} from '../../../source/renter/profiles/check.ts';

const at = '2026-11-21T12:00:00.000Z';

function entry(
	change: Partial<JournalEntry['change']>,
	...answers: ReadonlyArray<Pick<JournalAnswer, 'outcome' | 'status'>>
): JournalEntry {
	return {
		change: {kind: 'wish', at, request: 'r', action: 'instances.create', ...change},
		answers: answers.map(answer => ({kind: 'answer', at, request: 'r', ...answer})),
	};
}

const canOf = (...entries: readonly JournalEntry[]) =>
	abilitiesOf({at: 0, reads: [], tried: triedIn(entries)})
		.filter(({isRead}) => !isRead)
		.map(({what, can}) => `${what} ${can}`);

test('what a key has done from here it may do, and what was refused with 403 it may not', () => {
	expect(canOf()).toEqual(['create instance ?', 'stop, destroy ?']);
	expect(canOf(entry({}, {outcome: 'done'}))).toEqual(['create instance yes', 'stop, destroy ?']);
	expect(canOf(entry({}, {outcome: 'refused', status: 403}))).toEqual([
		'create instance no',
		'stop, destroy ?',
	]);
	expect(canOf(entry({}, {outcome: 'refused', status: 410}))).toEqual([
		'create instance ?',
		'stop, destroy ?',
	]);
	const ended = entry({action: 'instances.destroy'}, {outcome: 'lost'}, {outcome: 'gone'});
	expect(canOf(ended)).toEqual(['create instance ?', 'stop, destroy yes']);
	const newer = entry(
		{action: 'instances.change', state: 'stopped'},
		{outcome: 'refused', status: 403},
	);
	expect(canOf(newer, ended)).toEqual(['create instance ?', 'stop, destroy no']);
});
