import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {
	notingClient,
	notingSettings,
	openUndoHistory,
	standingOf,
	takeBack,
} from '../../../source/renter/actions/undo-history.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {createSettingsStore} from '../../helpers/settings-store.ts';

/** A client whose changes are noted, at a market. */
async function openWorld() {
	const market = await openTestMarket();
	const plain = openClient({url: market.url, key: market.key, paceScale: 0});
	const book = openUndoHistory();
	let at = 0;
	const noting = {book, now: () => (at += 100_000), labelOf: () => undefined};
	const client = notingClient(plain, noting);
	const settings = notingSettings(createSettingsStore(defaultSettings), noting);
	const means = {client: async () => client, settings};
	const template = async (name: string) => {
		const {templates} = await client.templates.search({
			filter: [{field: 'name', operator: 'eq', value: name}],
		});
		return templates[0];
	};
	return {
		client,
		settings,
		book,
		means,
		template,
		/** Takes the newest change back. */
		async back() {
			const [entry] = book.list.get();
			if (entry === undefined) throw new Error('nothing was noted');
			const standing = await standingOf(entry, means);
			if (standing.kind === 'ready') await takeBack(entry, means);
			return standing;
		},
		async [Symbol.asyncDispose]() {
			await plain.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

const content = {name: 'torch', image: 'torch', tag: '2', onstart: 'echo hi'};

test('a template that was edited says again what it said, also after another edit', async () => {
	await using world = await openWorld();
	const {hash_id: hash} = await world.client.templates.create(content);
	const edited = await world.client.templates.edit(hash, {onstart: 'echo other'});
	expect(world.book.list.get()).toMatchObject([{kind: 'template', after: edited.hash_id}]);
	const [first] = world.book.list.get();
	await world.client.templates.edit(edited.hash_id, {tag: '3'});
	if (first === undefined) throw new Error('nothing was noted');
	const {sinceThen} = {sinceThen: '', ...(await standingOf(first, world.means))};
	expect(sinceThen).toContain('changed again');
	await takeBack(first, world.means);
	expect(await world.template('torch')).toMatchObject({onstart: 'echo hi', tag: '2'});
});

test('a template that was deleted is made anew, without the password of its registry', async () => {
	await using world = await openWorld();
	const made = await world.client.templates.create({...content, docker_login_pass: 'secret'});
	await world.client.templates.delete(made.hash_id);
	expect(await world.template('torch')).toBeUndefined();
	expect(JSON.stringify(world.book.list.get())).not.toContain('secret');
	await world.back();
	expect(await world.template('torch')).toMatchObject({onstart: 'echo hi', image: 'torch'});
});

test('an edit of a template that is gone cannot be taken back, and that is said', async () => {
	await using world = await openWorld();
	const {hash_id: hash} = await world.client.templates.create(content);
	const edited = await world.client.templates.edit(hash, {tag: '3'});
	const [entry] = world.book.list.get();
	await world.client.templates.delete(edited.hash_id);
	if (entry === undefined) throw new Error('nothing was noted');
	const standing = await standingOf(entry, world.means);
	expect(standing).toEqual({kind: 'impossible', why: 'the template is no longer there'});
});

test('a change of settings is taken back, and what was saved later stays', async () => {
	await using world = await openWorld();
	const [cheap, h100] = [
		{name: 'cheap', words: 'price<1'},
		{name: 'h100', words: 'h100'},
	];
	world.settings.change({searches: [cheap]});
	const [entry] = world.book.list.get();
	world.settings.change({searches: [cheap, h100]});
	if (entry === undefined) throw new Error('nothing was noted');
	await takeBack(entry, world.means);
	expect(world.settings.get().searches).toEqual([h100]);
});

test('what one window noted is there although another one noted or took back a change since', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'undo.json');
	const [one, other] = [openUndoHistory(file), openUndoHistory(file)];
	const kept = () => openUndoHistory(file).list.get();
	const before = {name: 'torch', image: 'a/torch', onstart: 'hours of work'};
	one.note({kind: 'template', at: 1, id: 5, before, after: undefined});
	await expect.poll(() => kept().map(({kind}) => kind)).toEqual(['template']);
	other.note({kind: 'label', at: 2, id: 7, before: 'a', after: 'b'});
	other.note({kind: 'setting', at: 3, name: 'diskGb', before: 40, after: 50});
	const all = ['setting', 'label', 'template'];
	await expect.poll(() => kept().map(({kind}) => kind)).toEqual(all);
	await expect.poll(() => other.list.get().map(({kind}) => kind)).toEqual(all);
	const [template] = one.list.get();
	if (template === undefined) throw new Error('nothing was noted');
	one.forget(template);
	await expect.poll(() => kept().map(({kind}) => kind)).toEqual(['setting', 'label']);
	other.note({kind: 'label', at: 4, id: 8, before: 'a', after: 'b'});
	await expect.poll(() => kept().map(({kind}) => kind)).toEqual(['label', 'setting', 'label']);
});

test('what cannot be written can be taken back, and is kept with the next change', async () => {
	using folder = openFolder();
	const state = join(folder.path, 'state');
	writeFileSync(state, 'no folder');
	const book = openUndoHistory(join(state, 'undo.json'));
	book.note({kind: 'label', at: 1, id: 7, before: 'a', after: 'b'});
	expect(book.list.get()).toHaveLength(1);
	rmSync(state);
	book.note({kind: 'label', at: 2, id: 8, before: 'a', after: 'b'});
	const kept = () => openUndoHistory(join(state, 'undo.json')).list.get();
	await expect.poll(() => kept().map(({at}) => at)).toEqual([2, 1]);
});
