/** Alert routes of the user: read from `alerts.json` beside the settings. */
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {UsageError} from '../renter/usage-error.ts';
import type {AlertSettings} from '../renter/alerts/alert.ts';
import {AlertSettingsError, readAlertSettings} from '../renter/alerts/alert-settings.ts';
import {createDelivery} from '../renter/alerts/delivery.ts';
import type {Context} from './command.ts';

/** @throws UsageError where the file cannot be followed */
export function alertSettingsOf({folders}: Pick<Context, 'folders'>): AlertSettings {
	const file = join(folders.settings, 'alerts.json');
	try {
		return readAlertSettings(existsSync(file) ? readFileSync(file, 'utf8') : undefined);
	} catch (error) {
		if (!(error instanceof AlertSettingsError)) throw error;
		throw new UsageError(`${file}: ${error.message}.`, {cause: error});
	}
}

export function openTelling(context: Context): ReturnType<typeof createDelivery> {
	const {output, signal, now, isJson} = context;
	return createDelivery({
		settings: alertSettingsOf(context),
		signal,
		now,
		// Whoever reads JSON gets nothing else.
		write: isJson ? undefined : output.notify,
		onTrouble: (route, why) => output.say(`rentty: An alert was not told by ${route}: ${why}.`),
	});
}
