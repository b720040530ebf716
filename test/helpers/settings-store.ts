import {
	defaultSettings,
	type Settings,
	type SettingsStore,
} from '../../source/renter/settings/default-settings.ts';
import {createStore} from '../../source/renter/state/store.ts';

/** Settings that are changed in memory alone. */
export function createSettingsStore(initial: Settings): SettingsStore {
	const store = createStore(initial);
	return {
		get: store.get,
		subscribe: store.subscribe,
		change: patch => store.set({...store.get(), ...patch}),
	};
}

/** Settings by which lists of offers begin with their numbers, by which tests tell them apart. */
export function settingsWithIds(): SettingsStore {
	const offers = {set: 'normal', visible: {id: true}, order: ['id'], widths: {}} as const;
	return createSettingsStore({...defaultSettings, columns: {offers}});
}
