/** Settings of one profile, overriding those of the user's file. */
import {isRecord} from '../../contract/grammar/json.ts';
import type {Settings, SettingsStore} from '../settings/default-settings.ts';
import {createStore, type Readable} from '../state/store.ts';
import type {ProfileBook} from './profile-file.ts';
import type {Profile} from './profile.ts';
import type {Target} from './target.ts';

type Json = Readonly<Record<string, unknown>>;

type Problem = Readable<string | undefined>;

type Overlaid = {
	readonly settings: SettingsStore;
	readonly problem: Problem;
};

type Below = SettingsStore & {readonly problem: Problem};

type Book = Pick<ProfileBook, 'problem' | 'keepSettings'>;

/**
 * Applies a profile's settings over those of the file. A change made in rentty is written to its
 * origin: the profile for settings that it overrides, otherwise the file for all profiles.
 */
export async function overlaySettings(below: Below, target: Target, book: Book): Promise<Overlaid> {
	const profile = target.kind === 'profile' ? target.profile : undefined;
	const {settings, problem} = await overlay(below, profile, book);
	const {subscribe} = below.problem;
	return {
		settings,
		problem: {subscribe, get: () => below.problem.get() ?? problem ?? book.problem()},
	};
}

async function overlay(below: SettingsStore, profile: Profile | undefined, book: Book) {
	if (profile === undefined || Object.keys(profile.settings).length === 0) {
		return {settings: below, problem: undefined};
	}
	const {readSettings} = await import('../settings/settings.ts');
	const text = JSON.stringify(profile.settings, undefined, '\t');
	const {settings: own, problem} = readSettings(`settings of profile ${profile.name},`, text);
	if (own === undefined) {
		return {
			settings: withUnreadLimits(below, problem ?? ''),
			problem: `${problem}; they are left out.`,
		};
	}
	let present = profile;
	const lay = (base: Settings) => {
		const both = JSON.stringify(merged({...base}, present.settings));
		return keepUnread(base, readSettings('', both).settings ?? base);
	};
	const store = createStore(lay(below.get()));
	const refresh = () => store.set(lay(below.get()));
	below.subscribe(refresh);
	const settings: SettingsStore = {
		get: store.get,
		subscribe: store.subscribe,
		change(patch) {
			const changes = Object.entries(patch);
			const isOwn = ([name]: (typeof changes)[number]) => Object.hasOwn(present.settings, name);
			const mine = changes.filter(isOwn);
			if (mine.length > 0) {
				const changed = Object.fromEntries(mine);
				present = {...present, settings: {...present.settings, ...changed}};
				try {
					book.keepSettings(present.name, changed);
				} catch {
					// It applies while rentty runs; the next change retries the write.
				}
			}
			below.change(Object.fromEntries(changes.filter(change => !isOwn(change))));
			refresh();
		},
	};
	return {settings, problem};
}

function merged(base: Json, over: Json): Json {
	const laid = Object.entries(over).map(([name, value]) => {
		const before = base[name];
		return [name, isRecord(before) && isRecord(value) ? merged(before, value) : value] as const;
	});
	return {...base, ...Object.fromEntries(laid)};
}

function withUnreadLimits(below: SettingsStore, problem: string): SettingsStore {
	const lay = (base: Settings) => ({...base, spend: {...base.spend, problem}});
	const store = createStore(lay(below.get()));
	below.subscribe(() => store.set(lay(below.get())));
	return {get: store.get, subscribe: store.subscribe, change: below.change};
}

/** Settings over others with unreadable limits: those limits stay unknown. */
function keepUnread({spend: {problem}}: Settings, laid: Settings): Settings {
	return problem === undefined ? laid : {...laid, spend: {...laid.spend, problem}};
}
