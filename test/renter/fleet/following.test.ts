import process from 'node:process';
import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {followFleet} from '../../../source/renter/fleet/following.ts';
import type {LastExamination} from '../../../source/renter/instance/examined.ts';
import {applyList, noteGone} from '../../../source/renter/fleet/apply-polls.ts';
import {unseenFleet} from '../../../source/renter/fleet/fleet-state.ts';
import {createNextChange} from '../../../source/renter/alerts/fleet-alerts.ts';
import {createHostHistory} from '../../../source/renter/offers/host-history.ts';
import {createNotify} from '../../../source/console/app/notify.ts';
import {openKeptAlerts} from '../../../source/renter/alerts/kept-alerts.ts';
import {createStore} from '../../../source/renter/state/store.ts';
import {listOf, lookAt, startDate} from '../../helpers/fleet/looks.ts';

/** A fleet of one instance that is followed, a look a minute. */
function openFollowed(hosts = createHostHistory()) {
	const state = createStore(unseenFleet);
	const [said, sent, titles]: [string[], string[], string[]] = [[], [], []];
	const notify = createNotify({
		choice: () => ({bell: true, osc9: false}),
		send: bytes => sent.push(bytes),
		setTitle: title => titles.push(title),
		say: text => said.push(text),
		alerts: openKeptAlerts(undefined, () => 0),
		profile: 'lab',
		now: () => 0,
	});
	followFleet({state}, notify, hosts);
	const nextChange = createNextChange({state}, notify);
	let minutes = 0;
	/** What the service says of it next. */
	let examined: LastExamination | undefined;
	const sees = (actual_status: string | null, more: Partial<Instance> = {}, passed = 1) => {
		minutes += passed;
		const wishes = {intended_status: 'running', cur_state: 'running'};
		const made = {id: 7, label: 'train-c', host_id: 3, start_date: startDate(0)};
		const instance = {...made, ...wishes, actual_status, ...more};
		const look = {...lookAt(minutes), examined: () => examined};
		state.set(applyList(state.get(), listOf([instance]), look));
	};
	/** What an examination finds of its GPUs. */
	const examine = (...gpus: LastExamination['gpus']) => {
		examined = {at: (examined?.at ?? 0) + 1, grade: 'bad', gpus};
		sees('running');
	};
	/** What a look proves: that it is gone. */
	const isGone = () => state.set(noteGone(state.get(), 7, lookAt((minutes += 1))));
	const forgets = () => {
		for (let looks = 0; looks < 3; looks++) {
			state.set(applyList(state.get(), listOf([]), lookAt((minutes += 1))));
		}
		return state.get().rows;
	};
	return {said, sent, titles, hosts, nextChange, sees, examine, isGone, forgets};
}

const lost = {intended_status: 'running', cur_state: 'stopped', next_state: 'stopped'};

test('what gets stuck rings once, is in the title while it is so, and is noted for its host', () => {
	const {sees, said, sent, titles, hosts} = openFollowed();
	sees('loading');
	sees('loading', {}, 12);
	sees('loading');
	expect(said).toEqual(['train-c (7) is stuck. X sweeps what is stuck.']);
	expect(sent).toEqual(['\u0007']);
	expect(titles.at(-1)).toBe('rentty 1!');
	expect(hosts.of(3)?.stuck).toHaveLength(1);
	sees('running');
	expect(titles.at(-1)).toBe('rentty');
	expect(said.at(-1)).toBe('train-c (7) is running.');
});

test('what was gone and is listed again is said, as often as it comes back', () => {
	const {sees, said, isGone, forgets} = openFollowed();
	const back = 'train-c (7) was gone, and is listed again: it may be charged. x destroys it.';
	sees('running');
	isGone();
	expect(said).toEqual([]);
	sees('running');
	expect(said).toEqual([back]);
	sees('running');
	expect(said).toEqual([back]);
	isGone();
	expect(forgets()).toEqual([]);
	sees('running');
	expect(said).toEqual([back, back]);
});

test('a boot that cannot be noted for its host ends nothing', async () => {
	const unhandled: unknown[] = [];
	const note = (error: unknown) => unhandled.push(error);
	process.on('unhandledRejection', note);
	try {
		const refused = new Error('the disk is full');
		const refuse = async () => {
			throw refused;
		};
		const hosts = {...createHostHistory(), booted: refuse, gotStuck: refuse};
		const {sees, said} = openFollowed(hosts);
		sees('loading');
		sees('running');
		expect(said).toEqual(['train-c (7) is running.']);
		await new Promise(setImmediate);
		expect(unhandled).toEqual([]);
	} finally {
		process.off('unhandledRejection', note);
	}
});

test('who idles is told of once, and what goes on after that is no news', () => {
	const {sees, said} = openFollowed();
	for (let look = 0; look <= 40; look++) sees('running', {gpu_util: 0});
	const idle = ['train-c (7) is idle: it costs, and its GPUs do nothing.'];
	expect(said).toEqual(idle);
	sees('running', {gpu_util: 90});
	expect(said).toEqual(idle);
});

test('a run that ends by itself is told of at the second look, with what the service says of it', () => {
	const {sees, said, sent} = openFollowed();
	sees('running');
	sees('exited', {status_msg: 'exit 1: Xid 79'});
	expect(said).toEqual([]);
	sees('exited', {status_msg: 'exit 1: Xid 79'});
	const exited = 'train-c (7) exited, not by you: exit 1: Xid 79. l shows its log.';
	expect(said).toEqual([exited]);
	expect(sent).toEqual(['\u0007']);
	sees('exited', {status_msg: 'exit 1: Xid 79'});
	expect(said).toEqual([exited]);
});

test('what was stopped, or never ran, has not ended by itself', () => {
	const {sees, said} = openFollowed();
	sees('loading');
	for (let looks = 0; looks < 3; looks++) sees('exited');
	sees('running');
	said.length = 0;
	for (let looks = 0; looks < 3; looks++) sees('exited', {intended_status: 'stopped'});
	expect(said).toEqual([]);
});

test('a host that is lost is told as such, and not as the death of an instance', () => {
	const {sees, said} = openFollowed();
	sees('running');
	sees('offline');
	expect(said).toEqual([]);
	sees('offline', {}, 10);
	expect(said).toEqual([
		'train-c (7) lost its host: nothing is heard of it. It may come back, or be dead.',
	]);
});

test('whoever is outbid is told, and whoever starts what has to wait is not', () => {
	const {sees, said} = openFollowed();
	sees('running');
	sees('exited', lost);
	expect(said).toEqual(['train-c (7) lost its GPUs, and waits for them.']);
	const other = openFollowed();
	other.sees('exited', {intended_status: 'stopped'});
	other.sees('exited', lost);
	expect(other.said).toEqual([]);
});

test('who asks for the next change is told one, whatever it is, and not the one after', () => {
	const {sees, said, nextChange} = openFollowed();
	sees('running');
	expect(nextChange.toggle(7)).toBe(true);
	sees('exited', {intended_status: 'stopped'});
	expect(said).toEqual(['train-c (7) was running, and is now stopped.']);
	expect(nextChange.isAsked(7)).toBe(false);
	sees('exited', {intended_status: 'stopped'}, 5);
	expect(said).toHaveLength(1);
});

test('a GPU that an examination finds sick is told of once, and again where it was well between', () => {
	const {sees, said, sent, examine} = openFollowed();
	const hot = {index: 1, health: 'watch', evidence: 'is 80 C warm'} as const;
	const sick = {index: 1, health: 'sick', evidence: 'has lost memory\u001B[2J'} as const;
	sees('running');
	const before = said.length;
	examine(hot);
	examine(sick);
	examine(sick);
	sees('running');
	expect(said.slice(before)).toEqual([
		'GPU 1 of train-c (7) is sick: it has lost memory\uFFFD[2J. h examines it again.',
	]);
	expect(sent.at(-1)).toBe('\u0007');
	examine();
	examine({...sick, health: 'lost'});
	expect(said.at(-1)).toMatch(/^GPU 1 of train-c \(7\) is lost/);
});

test('what was examined before the fleet came into sight is no news', () => {
	const {said, examine} = openFollowed();
	examine({index: 0, health: 'lost', evidence: 'is gone'});
	expect(said).toEqual([]);
});

test('what could not start is said once, and a stop that was wanted is not', () => {
	const {sees, said} = openFollowed();
	const stopped = {intended_status: 'stopped', cur_state: 'stopped', next_state: 'stopped'};
	sees('loading');
	sees('exited', stopped);
	expect(said).toEqual([]);
	sees('loading');
	for (const _ of [1, 2]) sees('exited', {...stopped, status_msg: 'Error: there is no such image'});
	expect(said).toEqual(['train-c (7) could not start, or go on. Its disk still costs.']);
});
