/** Alerts of a console: their storage, and the routes that reach a user away from the terminal. */
import {join} from 'node:path';
import type {Environment} from '../../client/exchange/connections.ts';
import {readingTrouble} from '../../contract/rules/thrown.ts';
import type {Folders} from '../files/folders.ts';
import {serviceFile, type KeptService} from '../files/kept-file.ts';
import {openAgreedLeases} from '../leases/agreed.ts';
import {budgetsIn, type BudgetFile} from '../leases/budgets.ts';
import type {SettingsStore} from '../settings/default-settings.ts';
import {readUserText} from '../text/usage-error.ts';
import {createStore, type Readable} from '../state/store.ts';
import type {Alert} from '../words/alert.ts';
import {openKeptAlerts} from './kept-alerts.ts';

export type AwayAlerts = {
	readonly send: (alert: Alert) => void;
	/** Reason why an alert failed. */
	readonly trouble: Readable<string | undefined>;
};

type ConsoleAlertsOptions = {
	readonly folders: Pick<Folders, 'settings' | 'state'>;
	readonly of: KeptService;
	/** Practice instances cost nothing, so their alerts stay in the console. */
	readonly service: {readonly isPractice: boolean};
	/** Sends sequences to the terminal that leave its screen unchanged. */
	readonly terminal: {readonly send: (text: string) => void};
	readonly settings: Pick<SettingsStore, 'get'>;
	readonly environment: Environment;
};

export function consoleAlerts(given: ConsoleAlertsOptions) {
	const {folders, of, service} = given;
	const stop = new AbortController();
	const options = {
		alerts: openKeptAlerts(serviceFile(folders.state, 'alerts', of)),
		elsewhere: service.isPractice ? undefined : openElsewhere(given, stop.signal),
		agreed: openAgreedLeases(folders.state, of),
		budgets: (): BudgetFile => budgetsIn(folders.settings),
	};
	return {options, close: () => stop.abort()};
}

/** Sends by the routes of `alerts.json`, which is read for each alert. */
function openElsewhere(
	{folders, terminal, settings: chosen, environment}: ConsoleAlertsOptions,
	signal: AbortSignal,
): AwayAlerts {
	const trouble = createStore<string | undefined>(undefined);
	const onTrouble = (route: string, why: string) => {
		if (!signal.aborted) trouble.set(`An alert was not sent by ${route}: ${why}.`);
	};

	async function deliver(alert: Alert): Promise<void> {
		const text = readUserText(join(folders.settings, 'alerts.json'));
		if (text === undefined) return;
		const [{readAlertSettings}, {createDelivery}] = await Promise.all([
			import('./alert-settings.ts'),
			import('./delivery.ts'),
		]);
		const settings = readAlertSettings(text);
		// The console sends OSC 9 itself: a second one would repeat the alert.
		const write = chosen.get().notify.osc9 ? undefined : terminal.send;
		const options = {settings, signal, environment, write, onTrouble};
		await createDelivery(options).deliver(alert);
	}

	return {
		send: alert =>
			void deliver(alert).catch(error => onTrouble('alerts.json', readingTrouble(error))),
		trouble,
	};
}
