/** Overview of places, actions and help, a line each, for users who do not know what to type. */
import type {Reachable} from '../bindings.ts';
import type {ReachableScope} from '../keymap.ts';
import {
	themeNames,
	type Settings,
	type SettingsStore,
} from '../../renter/settings/default-settings.ts';
import {renterTabs} from '../screens/tabs.ts';
import {nothing, type Entry, type OverviewLine} from './state.ts';

type Found = {
	readonly scopes: readonly ReachableScope[];
	readonly places: readonly Entry[];
	readonly looks: readonly Entry[];
};

export function overviewOf({scopes, places, looks}: Found): readonly OverviewLine[] {
	const go = [
		...renterTabs.map(({title}) => title.toLowerCase()),
		...places.map(({title}) => title),
	];
	// What works everywhere is known from every other screen.
	const here = scopes.slice(0, -1).flatMap(({bindings}) => bindings);
	return [
		['GO', go.join('  ')],
		['DO', here.flatMap(hintOf).join('  ')],
		['SHOW', inGroups(looks.map(({title}) => title)).join('  ')],
	];
}

/** A few words for an action that is possible now, with its key. */
function hintOf({hint, keys: [key], unavailable}: Reachable): readonly string[] {
	return hint === undefined || key === undefined || unavailable() !== undefined
		? []
		: [`${hint} (${key})`];
}

/** Titles of one first word as one: "theme mono|light". */
function inGroups(titles: readonly string[]): readonly string[] {
	const groups = Map.groupBy(titles, title => title.replace(/ .*/, ''));
	return [...groups].map(
		([word, all]) => `${word} ${all.map(title => title.slice(word.length + 1)).join('|')}`,
	);
}

/** Settings of looks, applied at once and kept. */
export function lookEntries(settings: SettingsStore): readonly Entry[] {
	const set = (title: string, about: string, patch: Partial<Settings>): Entry => ({
		...nothing,
		id: title,
		title,
		about,
		run: () => settings.change(patch),
	});
	return [
		...themeNames.map(theme => set(`theme ${theme}`, 'colours and looks', {theme})),
		set('signs ascii', 'lines and signs', {glyphs: 'ascii'}),
		set('signs unicode', 'lines and signs', {glyphs: 'unicode'}),
		set('mouse on', 'wheel and click; Shift selects text', {mouse: true}),
		set('mouse off', 'the terminal selects text', {mouse: false}),
	];
}
