/** Changes that can be taken back later: labels, templates and settings, each with its time. Pure rules. */
import {isRecord} from '../contract/json.ts';
import type {TemplateContent} from '../contract/template-content.ts';
import type {Settings} from './settings/default-settings.ts';

/** Contents of a template as far as they can be written again. */
export type KeptTemplate = Partial<TemplateContent> & Pick<TemplateContent, 'name' | 'image'>;

type Json = Readonly<Record<string, unknown>>;

export type Undoable = {
	/** Milliseconds since 1970. */
	readonly at: number;
} & (
	| {readonly kind: 'label'; readonly id: number; readonly before: string; readonly after: string}
	| {
			readonly kind: 'template';
			readonly id: number | undefined;
			readonly before: KeptTemplate;
			/** Hash after the change; undefined where it was deleted. */
			readonly after: string | undefined;
	  }
	| {
			readonly kind: 'setting';
			readonly name: keyof Settings;
			readonly before: unknown;
			readonly after: unknown;
	  }
);

/** Entries kept; the oldest go first. */
export const MOST_UNDOABLE = 100;

/** Changes of one thing within this time are one change: widths of columns are set key by key. */
const TOGETHER_MS = 60_000;

/** Adds a change; the newest comes first. A change that ends where it began is none. */
export function noted(list: readonly Undoable[], next: Undoable): readonly Undoable[] {
	const [last, ...others] = list;
	const isJoined =
		last !== undefined && subjectOf(last) === subjectOf(next) && next.at - last.at < TOGETHER_MS;
	const joined = isJoined ? ({...next, before: last.before} as Undoable) : next;
	const rest = isJoined ? others : list;
	return isSame(joined.before, joined.after) ? rest : [joined, ...rest].slice(0, MOST_UNDOABLE);
}

function subjectOf(entry: Undoable): string {
	if (entry.kind === 'setting') return `setting ${entry.name}`;
	// Each save of a template has a hash of its own, and a deletion is never part of an edit.
	return entry.kind === 'label' ? `label ${entry.id}` : `template ${entry.id} ${entry.at}`;
}

/** Changes of settings that a patch makes. */
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
 * A value with one change taken back: of lists and records only what that change added, removed or
 * replaced, so that later changes of other parts stay.
 */
export function takenBack(present: unknown, before: unknown, after: unknown): unknown {
	if (Array.isArray(present) && Array.isArray(before) && Array.isArray(after)) {
		const isIn = (list: readonly unknown[], item: unknown) => list.some(one => isSame(one, item));
		const left = present.filter(item => isIn(before, item) || !isIn(after, item));
		const lost = before.filter(item => !isIn(after, item) && !isIn(left, item));
		return [...left, ...lost];
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

export function isSame(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

/** Words for a list: kind of the change, its subject, and the value that it would have again. */
export type UndoWords = {readonly what: string; readonly about: string; readonly back: string};

export function wordsOf(entry: Undoable): UndoWords {
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

/** Parts of a setting that come back and that go: "+cheap -dear", or its former value. */
function changeText({before, after}: {readonly before: unknown; readonly after: unknown}): string {
	const named = (list: unknown, other: unknown): readonly string[] => {
		if (Array.isArray(list)) {
			const others: readonly unknown[] = Array.isArray(other) ? other : [];
			const gone = list.filter(item => !others.some(one => isSame(one, item)));
			return gone.map(item => (isRecord(item) ? String(item['name'] ?? 'one') : String(item)));
		}
		const mine: Json = isRecord(list) ? list : {};
		const theirs: Json = isRecord(other) ? other : {};
		return Object.keys(mine).filter(name => !isSame(mine[name], theirs[name]));
	};
	if (!Array.isArray(before) && !isRecord(before)) return JSON.stringify(before) ?? 'none';
	const back = named(before, after);
	const gone = named(after, before).filter(name => !back.includes(name));
	return (
		[...back.map(name => `+${name}`), ...gone.map(name => `-${name}`)].join(' ') || 'as before'
	);
}

/** Entries of a file; those that cannot be read are left out. */
export function readUndoables(json: unknown): readonly Undoable[] {
	const list = isRecord(json) && Array.isArray(json['changes']) ? json['changes'] : [];
	return list.filter(isUndoable).slice(0, MOST_UNDOABLE);
}

function isUndoable(value: unknown): value is Undoable {
	if (!isRecord(value) || typeof value['at'] !== 'number') return false;
	const {kind, id, before, after, name} = value;
	if (kind === 'label') {
		return typeof id === 'number' && typeof before === 'string' && typeof after === 'string';
	}
	if (kind === 'setting') return typeof name === 'string' && 'before' in value;
	const isContent =
		isRecord(before) && typeof before['name'] === 'string' && typeof before['image'] === 'string';
	return kind === 'template' && isContent && (after === undefined || typeof after === 'string');
}
