/** Doors of copies have a bound, and a door that is shut makes room for another. */
import {expect, test} from 'vitest';
import type {ListenerWork} from '../../../source/contract/nouns/copies.ts';
import {createCopyListeners} from '../../../source/host/copies/listeners.ts';
import {folderInside} from '../../../source/host/inside/inside.ts';
import {
	MOST_COPY_LISTENERS,
	MOST_LISTENERS_OF_SOURCE,
} from '../../../source/host/ssh/connection-limits.ts';
import {makeCopyKey} from '../../../source/host/ssh/remote-files.ts';
import {systemScheduler} from '../../../source/host/base/scheduler.ts';
import {noteRest} from '../../helpers/host/at-rest.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openNotes} from '../../helpers/host/host.ts';

async function openDoors(
	sourceOf: (id: number) => number,
	check: (doors: {
		readonly told: Map<number, string | undefined>;
		readonly want: (wanted: ReadonlyArray<readonly [number, ListenerWork['wanted']]>) => void;
		readonly problems: () => readonly string[];
	}) => Promise<void>,
): Promise<void> {
	using folder = openFolder();
	const rest = noteRest();
	const ending = new AbortController();
	const {signal} = ending;
	const told = new Map<number, string | undefined>();
	const files = {address: '127.0.0.1', inside: async () => folderInside(folder.path)};
	const reportCopyDoor = async (id: number, {problem}: {readonly problem?: string | undefined}) => {
		told.set(id, problem);
		return {success: true} as const;
	};
	const patience = {scheduler: systemScheduler, random: () => 0, log: () => undefined, signal};
	const runtime = {...openNotes().runtime, files};
	const doors = createCopyListeners({calls: {reportCopyDoor}, runtime}, patience);
	const {publicKey: public_key} = makeCopyKey();
	const door = ([id, wanted]: readonly [number, ListenerWork['wanted']]) =>
		({id, wanted, source: {instance_id: sourceOf(id)}, public_key}) as const;
	await check({
		told,
		want: wanted => doors.want(wanted.map(door)),
		problems: () => [...told.values()].filter(problem => problem !== undefined),
	});
	ending.abort();
	await rest.end();
}

/** Sources that have as many doors as they may, and one that has all but one of them. */
const ofSixteen = (id: number) => Math.floor(id / MOST_LISTENERS_OF_SOURCE);
const ofFirst = (id: number) => (id > MOST_LISTENERS_OF_SOURCE ? 2 : 1);

const TOLD = {timeout: 20_000};
const first = (count: number) => Array.from({length: count}, (_, id) => [id, 'done'] as const);

test('one door more than the bound is refused in a sentence, until one is shut', async () => {
	await openDoors(ofSixteen, async ({told, want, problems}) => {
		want(first(MOST_COPY_LISTENERS + 1));
		await expect.poll(() => told.size, TOLD).toBe(MOST_COPY_LISTENERS + 1);
		expect(problems()).toEqual(['too many copies are made from this host']);
		want([[0, 'gone']]);
		const isOpened = () => {
			want([
				[1000, 'gone'],
				[1000, 'done'],
			]);
			return told.get(1000) === undefined && told.has(1000);
		};
		await expect.poll(isOpened, TOLD).toBe(true);
	});
});

test('one instance or volume has so many doors, and leaves the others to others', async () => {
	await openDoors(ofFirst, async ({told, want, problems}) => {
		want(first(MOST_LISTENERS_OF_SOURCE + 2));
		await expect.poll(() => told.size, TOLD).toBe(MOST_LISTENERS_OF_SOURCE + 2);
		expect(problems()).toEqual(['too many copies are made from it at once']);
		want([[0, 'gone']]);
		const isOpened = () => {
			want([
				[16, 'gone'],
				[16, 'done'],
			]);
			return told.get(16) === undefined;
		};
		await expect.poll(isOpened, TOLD).toBe(true);
	});
});
