/** Settings by their names: switches are turned at once, others are said with where they are changed. */
import {defaultSettings, type SettingsStore} from '../../../renter/settings/default-settings.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {nothing, type PaletteEntry} from './state.ts';

type Sources = {
	readonly settings: SettingsStore;
	readonly say: (text: string) => void;
};

/** Groups of settings whose parts have names of their own. */
const groups = ['limits', 'notify', 'spend', 'fallback'] as const;
type Group = (typeof groups)[number];

const isGroup = (name: string): name is Group => groups.some(group => group === name);

export function settingEntries(sources: Sources): readonly PaletteEntry[] {
	const present = sources.settings.get();
	return Object.entries({...defaultSettings, ...present}).flatMap(([name, value]) =>
		isGroup(name)
			? Object.entries(present[name]).map(([part, own]) =>
					settingEntry(`${name}.${part}`, own, {...sources, turn: turned(name, part)}),
				)
			: [settingEntry(name, value, {...sources, turn: turnedAlone(name)})],
	);
}

type Turn = (settings: SettingsStore) => void;

/** Switches of a group, and those that stand alone: no other setting is yes or no. */
function turned(group: Group, part: string): Turn | undefined {
	if (group !== 'notify' || (part !== 'bell' && part !== 'osc9')) return undefined;
	return settings => {
		const {notify} = settings.get();
		settings.change({notify: {...notify, [part]: !notify[part]}});
	};
}

function turnedAlone(name: string): Turn | undefined {
	if (name !== 'keepInstanceKeys') return undefined;
	return settings => settings.change({keepInstanceKeys: !settings.get().keepInstanceKeys});
}

function settingEntry(
	name: string,
	value: unknown,
	{settings, say, turn}: Sources & {readonly turn: Turn | undefined},
): PaletteEntry {
	const text = textOf(value);
	return {
		...nothing,
		kind: 'setting',
		id: `setting ${name}`,
		title: name,
		about:
			turn === undefined
				? `setting: ${text}`
				: `setting: ${text}, Enter: ${text === 'on' ? 'off' : 'on'}`,
		names: [name],
		run() {
			if (turn === undefined) {
				say(`${name} is ${text}. settings.json says it, and is read again when it is saved.`);
				return;
			}
			turn(settings);
			say(`${name} was ${text}, and is turned.`);
		},
	};
}

function textOf(value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (typeof value === 'string') return value === '' ? 'empty' : printable(value);
	if (typeof value === 'number') return String(value);
	return value === null || value === undefined ? 'not set' : `${Object.keys(value).length} in it`;
}
