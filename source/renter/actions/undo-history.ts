/** Changes of a service and of settings, stored across restarts so that they can be undone. */
import type {Client} from '../../client/client.ts';
import {openSharedWriter} from '../../client/files/shared-file.ts';
import type {Template} from '../../contract/nouns/templates.ts';
import {readKeptJson} from '../files/kept-file.ts';
import {relabelled, shownLabel} from '../words/lease.ts';
import type {SettingsStore} from '../settings/default-settings.ts';
import {createStore, type Readable} from '../state/store.ts';
import {
	addUndoable,
	readUndoables,
	settingChanges,
	takenBack,
	type KeptTemplate,
	type Undoable,
} from './undo.ts';
import {isSame} from '../settings/settings-file.ts';

export type UndoHistory = {
	readonly list: Readable<readonly Undoable[]>;
	readonly note: (entry: Undoable) => void;
	readonly forget: (entry: Undoable) => void;
};

type Change = (list: readonly Undoable[]) => readonly Undoable[];

/** @param file Undo file; without one, changes can be undone only until rentty ends */
export function openUndoHistory(file?: string): UndoHistory {
	const read = () => (file === undefined ? [] : readUndoables(readKeptJson(file)));
	const list = createStore<readonly Undoable[]>(read());
	/** Changes that are not in the file yet. */
	let unsaved: readonly Change[] = [];
	const write = file === undefined ? undefined : openSaving(file);

	/** Makes the changes anew in what another window has written since. */
	function openSaving(name: string) {
		let count = 0;
		let saved = list.get();
		const makeText = () => {
			count = unsaved.length;
			saved = madeIn(read(), unsaved);
			return `${JSON.stringify({changes: saved})}\n`;
		};
		return openSharedWriter(name, makeText, () => {
			unsaved = unsaved.slice(count);
			list.set(madeIn(saved, unsaved));
		});
	}

	function make(change: Change): void {
		if (write !== undefined) unsaved = [...unsaved, change];
		list.set(change(list.get()));
		// If a change cannot be saved, it can be undone only until rentty ends.
		write?.().catch(() => undefined);
	}

	return {
		list,
		note: entry => make(all => addUndoable(all, entry)),
		forget: entry => make(all => all.filter(other => !isSame(other, entry))),
	};
}

function madeIn(list: readonly Undoable[], changes: readonly Change[]): readonly Undoable[] {
	return changes.reduce((all, change) => change(all), list);
}

type Noting = {
	readonly book: UndoHistory;
	readonly now: () => number;
	/** Label of an instance as it was last seen, with its lease. */
	readonly labelOf: (id: number) => string | undefined;
};

export function notingSettings(settings: SettingsStore, {book, now}: Noting): SettingsStore {
	return {
		...settings,
		change(patch) {
			for (const entry of settingChanges(settings.get(), patch, now())) book.note(entry);
			settings.change(patch);
		},
	};
}

/** Records changes of labels and templates that the service has accepted. */
export function notingClient(client: Client, {book, now, labelOf}: Noting): Client {
	const {instances, templates} = client;
	return {
		...client,
		instances: {
			...instances,
			async label(id, label, options) {
				const known = labelOf(id);
				await instances.label(id, label, options);
				if (known === undefined) return;
				const texts = {before: shownLabel(known), after: shownLabel(label)};
				book.note({kind: 'label', at: now(), id, ...texts});
			},
		},
		templates: {
			...templates,
			async edit(hash, changes, options) {
				const kept = await keptTemplate(client, hash);
				const named = await templates.edit(hash, changes, options);
				if (kept !== undefined) book.note({...kept, at: now(), after: named.hash_id});
				return named;
			},
			async delete(which, options) {
				const kept = await keptTemplate(client, which);
				await templates.delete(which, options);
				if (kept !== undefined) book.note({...kept, at: now(), after: undefined});
			},
		},
	};
}

async function findTemplate(
	{templates}: Client,
	which: number | string,
): Promise<Template | undefined> {
	const field = typeof which === 'number' ? 'id' : 'hash_id';
	const found = await templates.search({filter: [{field, operator: 'eq', value: which}]});
	return found.templates[0];
}

/** Content of a template before it is changed; without it the change is made nevertheless. */
async function keptTemplate(client: Client, which: number | string) {
	try {
		const template = await findTemplate(client, which);
		if (template === undefined) return undefined;
		const {readTemplate} = await import('../../contract/nouns/template-content.ts');
		// Passwords are not stored.
		const {name, image, docker_login_pass: _, ...content} = readTemplate(template);
		if (name === undefined || image === undefined) return undefined;
		const before: KeptTemplate = {...content, name, image};
		return {kind: 'template', id: template.id ?? undefined, before} as const;
	} catch {
		return undefined;
	}
}

/** Current state of a changed item, before the change is undone. */
type Standing =
	| {readonly kind: 'ready'; readonly sinceThen: string | undefined}
	| {readonly kind: 'impossible'; readonly why: string};

type Means = {readonly client: () => Promise<Client>; readonly settings: SettingsStore};

/** Reads the present state of the changed item, and later changes. */
export async function standingOf(entry: Undoable, means: Means): Promise<Standing> {
	if (entry.kind === 'setting') {
		const isAsLeft = isSame(means.settings.get()[entry.name], entry.after);
		return ready(isAsLeft ? undefined : 'it was changed again; later changes of other parts stay');
	}
	const client = await means.client();
	if (entry.kind === 'label') {
		const found = await client.instances.find({id: entry.id});
		if (found.kind !== 'there') return impossible(`instance ${entry.id} is ${found.kind}`);
		const present = shownLabel(found.instance.label);
		return ready(present === entry.after ? undefined : `its label became "${present}"`);
	}
	if (entry.after === undefined) return ready(undefined);
	const present = await findTemplate(client, entry.id ?? entry.after);
	if (present === undefined) return impossible('the template is no longer there');
	return ready(present.hash_id === entry.after ? undefined : 'it was changed again, which is lost');
}

const ready = (sinceThen: string | undefined) => ({kind: 'ready', sinceThen}) as const;
const impossible = (why: string) => ({kind: 'impossible', why}) as const;

/** Undoes a change, through a client that records the new change in turn. */
export async function takeBack(entry: Undoable, {client, settings}: Means): Promise<void> {
	if (entry.kind === 'setting') {
		const {name, before, after} = entry;
		settings.change({[name]: takenBack(settings.get()[name], before, after)});
		return;
	}
	const {instances, templates} = await client();
	if (entry.kind === 'label') {
		const found = await instances.find({id: entry.id});
		const present = found.kind === 'there' ? found.instance.label : undefined;
		await instances.label(entry.id, relabelled(present, entry.before) ?? entry.before);
		return;
	}
	if (entry.after === undefined) {
		await templates.create(entry.before);
		return;
	}
	const present = await findTemplate(await client(), entry.id ?? entry.after);
	await templates.edit(present?.hash_id ?? entry.after, entry.before);
}
