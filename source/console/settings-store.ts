import type {Settings, SettingsStore} from './default-settings.ts';
import {createStore} from './store.ts';

/** Settings that are changed in memory alone. */
export function createSettingsStore(initial: Settings): SettingsStore {
	const store = createStore(initial);
	return {
		get: store.get,
		subscribe: store.subscribe,
		change: patch => store.set({...store.get(), ...patch}),
	};
}
