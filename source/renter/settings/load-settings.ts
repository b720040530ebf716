import {defaultSettings, type Settings} from './default-settings.ts';

export type SettingsText = {readonly file: string; readonly text: string | undefined};

export type SettingsFound = SettingsText & {
	readonly initial: Settings;
	readonly problem: string | undefined;
};

/** Reads settings at the start. Without a file, the code that reads them is not loaded. */
export async function loadSettings(found: SettingsText): Promise<SettingsFound> {
	const {file, text} = found;
	if (text === undefined) return {...found, initial: defaultSettings, problem: undefined};
	const {readSettings} = await import('./settings.ts');
	const {settings, problem} = readSettings(file, text);
	if (settings !== undefined) return {...found, initial: settings, problem};
	const message = `${problem}; the default settings are used, and the limits on spending are not known.`;
	const spend = {...defaultSettings.spend, problem: problem ?? file};
	return {...found, initial: {...defaultSettings, spend}, problem: message};
}
