/** Undoable changes: labels, templates and settings, each with its time. Pure rules. */
import {fieldsOf, isRecord, listOf} from '../../contract/grammar/json.ts';
import type {TemplateContent} from '../../contract/nouns/template-content.ts';
import type {Settings} from '../settings/default-settings.ts';
import {isSame, withListChange} from '../settings/settings-file.ts';

/** Contents of a template as far as they can be written again. */
export type KeptTemplate = Partial<TemplateContent> & Pick<TemplateContent, 'name' | 'image'>;

export type Undoable = {
	/** Milliseconds since 1970. */
	readonly at: number;
} & (
	| {readonly kind: 'label'; readonly id: number; readonly before: string; readonly after: string}
	| {
			readonly kind: 'template';
			readonly id: number | undefined;
			readonly before: KeptTemplate;
			/** Hash after the change; undefined if it was deleted. */
			readonly after: string | undefined;
	  }
	| {
			readonly kind: 'setting';
			readonly name: keyof Settings;
			readonly before: unknown;
			readonly after: unknown;
	  }
);

/** Stored entries; the oldest are dropped first. */
export const MOST_UNDOABLE = 100;

/** Changes of the same item within this time are joined: column widths are set key by key. */
const TOGETHER_MS = 60_000;

/** Adds a change, the newest first. A change back to the start is dropped. */
export function addUndoable(list: readonly Undoable[], next: Undoable): readonly Undoable[] {
	const [last, ...others] = list;
	const joined =
		last !== undefined && next.at - last.at < TOGETHER_MS ? joinedOf(last, next) : undefined;
	const entry = joined ?? next;
	const rest = joined === undefined ? list : others;
	return isSame(entry.before, entry.after) ? rest : [entry, ...rest].slice(0, MOST_UNDOABLE);
}

/** Joins two changes of the same item; not of templates, because each save has its own hash. */
function joinedOf(last: Undoable, next: Undoable): Undoable | undefined {
	if (last.kind === 'label' && next.kind === 'label' && last.id === next.id) {
		return {...next, before: last.before};
	}
	if (last.kind === 'setting' && next.kind === 'setting' && last.name === next.name) {
		return {...next, before: last.before};
	}
	return undefined;
}

export function settingChanges(
	before: Settings,
	patch: Partial<Settings>,
	at: number,
): readonly Undoable[] {
	const names = Object.keys(patch).filter((name): name is keyof Settings =>
		Object.hasOwn(before, name),
	);
	return names
		.filter(name => !isSame(before[name], patch[name]))
		.map(name => ({kind: 'setting', at, name, before: before[name], after: patch[name]}));
}

/**
 * A value with one change undone: in lists and records only the parts that the change touched, so
 * that later changes of other parts stay.
 */
export function takenBack(present: unknown, before: unknown, after: unknown): unknown {
	if (Array.isArray(present)) {
		return withListChange(listOf(present), listOf(after), listOf(before));
	}
	if (isRecord(present) && isRecord(before) && isRecord(after)) {
		const next: Record<string, unknown> = {...present};
		for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
			if (isSame(before[name], after[name])) continue;
			if (Object.hasOwn(before, name)) next[name] = before[name];
			else delete next[name];
		}
		return next;
	}
	return before;
}

/** Words for a list: kind of the change, its subject, and the value that it would have again. */
type UndoTexts = {readonly what: string; readonly about: string; readonly back: string};

export function undoTextsOf(entry: Undoable): UndoTexts {
	switch (entry.kind) {
		case 'label':
			return {
				what: 'label',
				about: `${entry.id} ${entry.after}`.trim(),
				back: entry.before === '' ? 'no label' : entry.before,
			};
		case 'template': {
			const isGone = entry.after === undefined;
			const {name, image} = entry.before;
			return {
				what: isGone ? 'template deleted' : 'template edited',
				about: name,
				back: isGone ? `made anew from ${image}` : `${image}, as before`,
			};
		}
		case 'setting':
			return {
				what: settingNames[entry.name] ?? 'setting',
				about: entry.name,
				back: changeText(entry),
			};
	}
}

const settingNames: Readonly<Partial<Record<keyof Settings, string>>> = {
	searches: 'saved searches',
	columns: 'view',
	keys: 'keys',
	watches: 'price watches',
};

/** Restored and removed parts of a setting: "+cheap -dear", or its former value. */
function changeText({before, after}: {readonly before: unknown; readonly after: unknown}): string {
	if (!Array.isArray(before) && !isRecord(before)) return JSON.stringify(before) ?? 'none';
	const back = partsOf(before, after);
	const gone = partsOf(after, before).filter(name => !back.includes(name));
	return (
		[...back.map(name => `+${name}`), ...gone.map(name => `-${name}`)].join(' ') || 'as before'
	);
}

/** Names of the parts of a value that are missing, or different, in another value. */
function partsOf(value: unknown, other: unknown): readonly string[] {
	if (Array.isArray(value)) {
		const others = listOf(other);
		return listOf(value)
			.filter(item => !others.some(one => isSame(one, item)))
			.map(nameOf);
	}
	const [mine, theirs] = [fieldsOf(value), fieldsOf(other)];
	return Object.keys(mine).filter(name => !isSame(mine[name], theirs[name]));
}

function nameOf(item: unknown): string {
	const name = isRecord(item) ? item['name'] : item;
	return typeof name === 'string' ? name : 'one';
}

/** Entries of a file, without unreadable ones. */
export function readUndoables(json: unknown): readonly Undoable[] {
	return listOf(fieldsOf(json)['changes']).filter(isUndoable).slice(0, MOST_UNDOABLE);
}

function isUndoable(value: unknown): value is Undoable {
	if (!isRecord(value) || typeof value['at'] !== 'number') return false;
	const {kind, id, before, after, name} = value;
	switch (kind) {
		case 'label':
			return typeof id === 'number' && typeof before === 'string' && typeof after === 'string';
		case 'setting':
			return typeof name === 'string' && 'before' in value;
		case 'template':
			return isContent(before) && (after === undefined || typeof after === 'string');
		default:
			return false;
	}
}

function isContent(value: unknown): boolean {
	return isRecord(value) && typeof value['name'] === 'string' && typeof value['image'] === 'string';
}
