import type {Settings, SettingsStore} from '../../source/renter/settings/default-settings.ts';
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
