import {useServices, useSettings} from '../services.tsx';
import type {ColumnChoice} from '../../renter/settings/default-settings.ts';
import {usualChoice} from './chosen-columns.ts';

/** Which columns a list has by the user's settings, and a way to change it for good. */
export function useColumnChoice(list: string) {
	const {settings} = useServices();
	const {columns} = useSettings();
	return {
		choice: columns[list] ?? usualChoice,
		/** The choice as it is by now: of keys typed together, one may have changed it undrawn. */
		presentChoice: () => settings.get().columns[list] ?? usualChoice,
		setChoice: (choice: ColumnChoice) =>
			settings.change({columns: {...settings.get().columns, [list]: choice}}),
	};
}
