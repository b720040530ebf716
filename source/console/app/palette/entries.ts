/**
 * Entries of the palette: actions of the keys in reach, then instances, offers and others by name or
 * number.
 */
import {targetName, type Target} from '../../../renter/profiles/target.ts';
import type {ProfileSwitcher} from '../../services/profile-switcher.ts';
import {parseLine} from '../../../renter/offers/words/parse.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import type {Template} from '../../../contract/nouns/templates.ts';
import {writeKeys, type Reachable} from '../../ui/bindings.ts';
import type {ReachableScope} from '../../ui/keymap.ts';
import {cachedKeys} from '../../queries/account.ts';
import {cachedOffers} from '../../queries/offers.ts';
import {goOnce, showTab, type Router, type StackEntry} from '../../services/router.ts';
import {labelOf, conditionText} from '../../screens/instances/words.ts';
import {queryAt} from '../../screens/offers/query/query.ts';
import {nameFor, withSearch} from '../../screens/offers/saved/saved.ts';
import {instanceListAt} from '../../screens/instances/list.tsx';
import {showView} from '../../screens/instances/show-view.ts';
import {viewsIn} from '../../../renter/fleet/views.ts';
import {cachedTemplates} from '../../queries/templates.ts';
import {idOf} from '../../../renter/templates/templates.ts';
import type {Services} from '../../services/services.tsx';
import type {Key} from '../../terminal/input/keys.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {helpEntries, instancesElsewhere, isOpenTarget, listServiceTargets} from './elsewhere.ts';
import {settingEntries} from './settings.ts';
import {
	nothing,
	type PaletteEntry,
	type EntrySource,
	appearanceEntries,
	overviewOf,
} from './state.ts';

type PaletteSources = Pick<
	Services,
	'switcher' | 'lists' | 'fleet' | 'live' | 'settings' | 'time'
> & {
	readonly router: Router;
	readonly say: (text: string) => void;
	readonly help: (scope: ReachableScope) => void;
};

/** Digits from which offers are searched by number: offers are many. */
const LEAST_DIGITS = 3;
const MOST_OFFERS = 20;

/** All entries that the palette can find, from the bindings in reach before it opened. */
export function entrySource(
	scopes: readonly ReachableScope[],
	sources: PaletteSources,
): EntrySource {
	const places = [...keylessPlaces(sources.router), ...profileEntries(sources.switcher)];
	const looked = appearanceEntries(sources.settings);
	const fixed = [
		...actions(scopes),
		...instances(sources),
		...instancesElsewhere({...sources, now: sources.time.timers.now()}),
		...templates(sources),
		...keyEntries(sources),
		...searches(sources),
		...views(sources),
		...places,
		...looked,
		...settingEntries(sources),
		...helpEntries(scopes, sources.help),
	];
	return {
		entries: query => [...fixed, ...offers(query, sources), ...typed(query, sources)],
		overview: overviewOf({scopes, places, looks: looked}),
	};
}

/** Actions of keys, without keys that an inner scope overrides. */
function actions(scopes: readonly ReachableScope[]): readonly PaletteEntry[] {
	const taken = new Set<Key>();
	return scopes.flatMap(({title: scope, bindings}) => {
		const reachable = bindings.filter(
			({keys}) => keys.length === 0 || keys.some(key => !taken.has(key)),
		);
		for (const {keys} of bindings) for (const key of keys) taken.add(key);
		return reachable.map(binding => actionEntry(scope, binding));
	});
}

function actionEntry(scope: string, {keys, title, unavailable, run}: Reachable): PaletteEntry {
	const reason = unavailable();
	return {
		kind: 'action',
		id: `${scope}: ${title}`,
		title,
		about: scope,
		names: keys,
		keys: writeKeys(keys),
		reason,
		run,
	};
}

function instances({fleet, router}: PaletteSources): readonly PaletteEntry[] {
	return fleet.state.get().rows.map(row => {
		const {id} = row.instance;
		const label = labelOf(row.instance);
		return {
			...nothing,
			kind: 'instance' as const,
			id: `instance ${id}`,
			title: label === '' ? `instance ${id}` : `${label} ${id}`,
			about: `instance ${conditionText(row)}`,
			names: [String(id), label].filter(name => name !== ''),
			run: () => goTo(router, {name: 'instance', id}),
		};
	});
}

function templates({live, router}: PaletteSources): readonly PaletteEntry[] {
	const known = new Map<number, Template>();
	for (const template of cachedTemplates(live)) known.set(idOf(template), template);
	return [...known].map(([id, {name, image}]) => ({
		...nothing,
		kind: 'template' as const,
		id: `template ${id}`,
		title: printable(name ?? `template ${id}`),
		about: `template ${printable(image ?? '')}`,
		names: [String(id)],
		run: () => goTo(router, {name: 'template', id}),
	}));
}

/** Keys that the service listed, if it was asked already: typing asks for nothing. */
function keyEntries({live, router}: PaletteSources): readonly PaletteEntry[] {
	return cachedKeys(live).map(({id, name, about}) => ({
		...nothing,
		kind: 'key' as const,
		id: `key ${id}`,
		title: printable(name),
		about,
		run: () => showTab(router, {name: 'keys'}),
	}));
}

function searches(sources: PaletteSources): readonly PaletteEntry[] {
	return sources.settings.get().searches.map(({name, words}) => ({
		...nothing,
		kind: 'search' as const,
		id: `search ${name}`,
		title: printable(name),
		about: `saved search: ${printable(words)}`,
		run: () => searchOffers(sources.router, words),
	}));
}

function views({settings, router}: PaletteSources): readonly PaletteEntry[] {
	return viewsIn(settings.get()).map(view => ({
		...nothing,
		id: `view ${view.name}`,
		title: `view ${printable(view.name)}`,
		about: `instances: ${view.words === '' ? 'all' : printable(view.words)}`,
		names: [view.name],
		run() {
			const list = toList(router, 'instances');
			if (list !== undefined) showView(instanceListAt(list), view);
		},
	}));
}

/** Screens without a key of their own. */
const keyless = [
	['volumes', 'volumes', 'go to Volumes: disks that outlive instances'],
	[
		'increases',
		'price increases',
		'go to Price increases: what needs your answer before it costs more',
	],
] as const;

function keylessPlaces(router: Router): readonly PaletteEntry[] {
	return keyless.map(([name, title, about]) => ({
		...nothing,
		id: name,
		title,
		about,
		run: () => goOnce(router, name),
	}));
}

/** Seen offers whose number begins with the typed digits. */
function offers(query: string, {live, router}: PaletteSources): readonly PaletteEntry[] {
	const digits = query.trim();
	if (!/^\d+$/.test(digits) || digits.length < LEAST_DIGITS) return [];
	const known = new Map<number, Offer>();
	for (const offer of cachedOffers(live)) {
		if (known.size >= MOST_OFFERS) break;
		if (String(offer.id).startsWith(digits)) known.set(offer.id, offer);
	}
	return [...known.values()].map(({id, num_gpus: gpus, gpu_name: name}) => ({
		...nothing,
		kind: 'offer' as const,
		id: `offer ${id}`,
		title: `offer ${id}`,
		about: printable(`${gpus ?? ''}x ${name ?? ''}`),
		names: [String(id)],
		run: () => goTo(router, {name: 'offer', id}),
	}));
}

/** Entries made of the typed words: a search, or a number not seen yet. */
function typed(query: string, {router, settings}: PaletteSources): readonly PaletteEntry[] {
	const words = query.trim().replace(/^offers\s+/, '');
	if (words === '') return [];
	const always = (title: string, about: string, run: () => void): PaletteEntry => ({
		...nothing,
		kind: 'offer',
		id: `${title} ${words}`,
		title,
		// The query makes this entry match any text, behind entries that match by name.
		about: `${about} ${query}`,
		run,
	});
	const entries: PaletteEntry[] = [];
	if (parseLine(words).problems.length === 0) {
		entries.push(
			always('search offers with these words', 'offers', () => searchOffers(router, words)),
			always('save these words as a search', 'b lists it', () => saveSearch(settings, words)),
		);
	}
	const id = Number(words);
	if (/^\d+$/.test(words) && Number.isSafeInteger(id)) {
		entries.push(always(`open offer ${id}`, '', () => goTo(router, {name: 'offer', id})));
	}
	return entries;
}

function saveSearch(settings: PaletteSources['settings'], words: string): void {
	const patch = withSearch(settings.get(), nameFor(settings.get(), words), words);
	if (typeof patch !== 'string') settings.change(patch);
}

type Numbered = {readonly name: 'offer' | 'instance' | 'template'; readonly id: number};

const tabsOf = {offer: 'offers', instance: 'instances', template: 'templates'} as const;

/** Opens a record over its list, so that Esc leads there. */
function goTo(router: Router, destination: Numbered): void {
	toList(router, tabsOf[destination.name]);
	router.go(destination);
}

function searchOffers(router: Router, words: string): void {
	const list = toList(router, 'offers');
	if (list !== undefined) queryAt(list).ask(words);
}

/** Shows the list of a tab. */
function toList(router: Router, name: (typeof tabsOf)[Numbered['name']]): StackEntry | undefined {
	if (router.stack.get()[0]?.destination.name !== name) router.visit({name});
	showTab(router, {name});
	return router.stack.get().at(-1);
}

/** Other services and accounts, by the names of their profiles: `@lab`. */
function profileEntries(switcher: ProfileSwitcher): readonly PaletteEntry[] {
	return listServiceTargets(switcher).map(target => {
		const name = targetName(target);
		return {
			kind: 'profile' as const,
			id: `profile ${name}`,
			title: `@${name}`,
			about: printable(serverOf(target)),
			names: [name],
			keys: '',
			reason: isOpenTarget(switcher, target) ? 'it is the one that is in use' : undefined,
			run: () => switcher.open(target),
		};
	});
}

function serverOf(target: Target): string {
	if (target.kind !== 'profile') return 'profile: no money';
	const {url, mode} = target.profile;
	return `profile ${mode === 'read-only' ? 'RO' : 'RW'} ${new URL(url).host}`;
}
