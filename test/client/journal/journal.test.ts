import {appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {openJournal, readJournal} from '../../../source/client/journal/journal.ts';
import type {JournalOptions} from '../../../source/client/journal/journal.ts';
import {answered, dropReply} from '../../helpers/services/faults.ts';
import {openSafeRental, plainOrder} from '../../helpers/market/safe-rental.ts';

const AT = Date.UTC(2026, 10, 21, 12);

function openFolder(options: Partial<JournalOptions> = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-journal-'));
	const file = join(folder, 'state', 'journal.jsonl');
	const base = {file, profile: 'prod', secret: 'k3y', now: () => AT, onTrouble: undefined};
	const open = () => openJournal({...base, ...options});
	return {file, open, [Symbol.dispose]: () => rmSync(folder, {recursive: true})};
}

test('each change and each answer is a line that nobody else can read', async () => {
	using folder = openFolder();
	const journal = folder.open();
	await journal.change({request: 'r1', action: 'instances.create', target: 7, price: 0.29});
	await journal.answer({request: 'r1', outcome: 'done', instance: 9});
	expect(readFileSync(folder.file, 'utf8')).toBe(
		`{"at":"2026-11-21T12:00:00.000Z","kind":"wish","profile":"prod","request":"r1","action":"instances.create","target":7,"price":0.29}\n` +
			`{"at":"2026-11-21T12:00:00.000Z","kind":"answer","request":"r1","outcome":"done","instance":9}\n`,
	);
	expect(statSync(folder.file).mode & 0o777).toBe(0o600);
});

test('the newest request comes first, with all that was learned of it', async () => {
	using folder = openFolder();
	const journal = folder.open();
	await journal.change({request: 'r1', action: 'instances.create', target: 7});
	await journal.change({request: 'r2', action: 'instances.destroy', target: 9});
	await journal.answer({request: 'r1', outcome: 'lost'});
	await journal.answer({request: 'r2', outcome: 'done'});
	await journal.answer({request: 'r1', outcome: 'found', instance: 10});
	const entries = await readJournal(folder.file);
	expect(
		entries.map(({change, answers}) => [change.request, answers.map(({outcome}) => outcome)]),
	).toEqual([
		['r2', ['done']],
		['r1', ['lost', 'found']],
	]);
});

test.each([
	['prod', 'r1'],
	['practice', 'r2'],
] as const)(
	'%s reads its own changes alone: an id of another service is another instance',
	async (profile, own) => {
		using folder = openFolder();
		await folder.open().change({request: 'r1', action: 'instances.destroy', target: 1});
		const practice = openJournal({
			file: folder.file,
			profile: 'practice',
			secret: 'k3y',
			onTrouble: undefined,
		});
		await practice.change({request: 'r2', action: 'instances.change', target: 1, state: 'running'});
		const client = openClient({
			url: 'http://127.0.0.1:9',
			key: 'k3y',
			profile,
			journalFile: folder.file,
		});
		expect((await client.journal.read()).map(({change}) => change.request)).toEqual([own]);
		expect((await client.journal.starts()).size).toBe(profile === 'practice' ? 1 : 0);
		await client.close();
	},
);

test('lines that are cut, strange or none are passed over', async () => {
	using folder = openFolder();
	await folder.open().change({request: 'r1', action: 'a.b'});
	appendFileSync(
		folder.file,
		'\n[]\n{"kind":"wish"}\n{"kind":"answer","request":"r9"}\n{"at":"2026',
	);
	// The next start does not write behind what was cut.
	await folder.open().change({request: 'r2', action: 'a.b'});
	const entries = await readJournal(folder.file);
	expect(entries.map(({change}) => change.request)).toEqual(['r2', 'r1']);
	expect(await readJournal(`${folder.file}.none`)).toEqual([]);
});

test('a journal that has grown long is put aside, and read with the next', async () => {
	using folder = openFolder({longestBytes: 200});
	const journal = folder.open();
	for (const request of ['r1', 'r2', 'r3', 'r4', 'r5'])
		await journal.change({request, action: 'a.b'});
	const entries = await readJournal(folder.file);
	expect(entries.map(({change}) => change.request)).toEqual(['r5', 'r4', 'r3', 'r2', 'r1']);
	expect(statSync(folder.file).size).toBeLessThan(200);
	for (const request of ['r6', 'r7', 'r8', 'r9']) await journal.change({request, action: 'a.b'});
	const later = await readJournal(folder.file);
	expect(later[0]?.change.request).toBe('r9');
	expect(later.length).toBeLessThan(9);
});

test('the key is never written, wherever it stands', async () => {
	using folder = openFolder();
	await folder.open().answer({request: 'r1', outcome: 'refused', says: 'the key k3y is old'});
	expect(readFileSync(folder.file, 'utf8')).toContain('the key *** is old');
});

test('a journal that cannot be written is told of, and keeps nobody from acting', async () => {
	const troubles: unknown[] = [];
	await using world = await openSafeRental();
	writeFileSync(join(world.folder, 'none'), '');
	const client = world.openAnother({
		journalFile: join(world.folder, 'none', 'journal.jsonl'),
		onTrouble: error => troubles.push(error),
	});
	await client.instances.rent(world.offer.id, plainOrder);
	expect(await world.made()).toHaveLength(1);
	expect(troubles).not.toEqual([]);
});

test('all that is changed is written down, and nothing that is read', async () => {
	await using world = await openSafeRental();
	const {client} = world;
	world.proxy.next({method: 'PUT', path: '/api/v0/asks/'}, dropReply);
	await client.instances.rent({id: world.offer.id, dph_total: 0.31}, plainOrder);
	const [id = 0] = await world.made();
	await client.offers.search();
	await client.instances.label(id, 'second');
	await client.instances.stop(id);
	await expect(client.instances.changeBid(id, 99)).rejects.toThrow('400');
	world.proxy.next({method: 'PUT', path: '/api/v0/instances/'}, answered({status: 502}));
	await expect(client.instances.start(id)).rejects.toThrow('502');
	await client.secrets.create({key: 'TOKEN', value: 'hunter2'});
	await client.instances.remove(id);
	const entries = await client.journal.read();
	expect(
		entries
			.toReversed()
			.map(({change: {profile, action, target, price, label, state}, answers}) => [
				{profile, action, target, price, label, state},
				answers.map(({outcome, instance, status}) => instance ?? status ?? outcome),
			]),
	).toEqual([
		[
			{
				profile: 'test',
				action: 'instances.create',
				target: world.offer.id,
				label: 'trainer',
				price: 0.31,
			},
			['lost', id],
		],
		[{profile: 'test', action: 'instances.change', target: id, label: 'second'}, ['done']],
		[{profile: 'test', action: 'instances.change', target: id, state: 'stopped'}, ['done']],
		[{profile: 'test', action: 'instances.changeBid', target: id, price: 99}, [400]],
		[{profile: 'test', action: 'instances.change', target: id, state: 'running'}, [502]],
		[{profile: 'test', action: 'secrets.create', target: 'TOKEN'}, ['done']],
		[{profile: 'test', action: 'instances.destroy', target: id}, ['done', 'gone']],
	]);
	expect(readFileSync(world.journalFile, 'utf8')).not.toContain('hunter2');
});

test('differences from an order stand with the rental that they are about, cut to a readable length', async () => {
	await using world = await openSafeRental();
	const {client} = world;
	const {pending} = await client.instances.rent(world.offer.id, plainOrder);
	await client.journal.differs(pending, 7, `disk 20 GB instead of 40 GB${'!'.repeat(500)}`);
	const [entry] = await client.journal.read();
	const answers = entry?.answers ?? [];
	expect(answers).toMatchObject([
		{outcome: 'done'},
		{outcome: 'differs', instance: 7, says: expect.stringMatching(/^disk 20 GB/) as unknown},
	]);
	expect(answers[1]?.says).toHaveLength(300);
});
