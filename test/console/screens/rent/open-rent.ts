import {defaultSettings} from '../../../../source/console/default-settings.ts';
import type {Settings} from '../../../../source/console/default-settings.ts';
import {createSettingsStore} from '../../../../source/console/settings-store.ts';
import {readSettings} from '../../../../source/market/rules/instance-settings.ts';
import {openTestConsole} from '../../../helpers/console.ts';
import type {TestConsoleOptions} from '../../../helpers/console.ts';
import {openRentable} from '../../../helpers/rentable.ts';

export type World = Awaited<ReturnType<typeof openRentable>>;

export type RentTestOptions = Omit<TestConsoleOptions, 'settings' | 'service' | 'now'> & {
	readonly settings?: Partial<Settings>;
};

/** The console with the cursor on an offer that can be rented, on a clock that is moved by hand. */
export async function openOn(
	service: Pick<World, 'url' | 'key'>,
	{settings = {}, ...options}: RentTestOptions = {},
) {
	let at = new Date(2026, 10, 21, 12, 41, 7).getTime();
	const rentty = openTestConsole({
		service,
		now: () => new Date(at),
		settings: createSettingsStore({...defaultSettings, ...settings}),
		...options,
	});
	await rentty.sees('1 of ');
	const pass = (ms: number) => {
		at += ms;
	};
	return {
		...rentty,
		pass,
		/** Opens the form on the offer under the cursor. */
		async openForm(): Promise<string> {
			rentty.type('r');
			return rentty.sees('Review and rent');
		},
		/** Goes to the review, once it is there. */
		async review(): Promise<string> {
			rentty.type('\r');
			return rentty.sees('RENT OFFER');
		},
		/** Says yes, not sooner than the dialog listens. */
		agree(): void {
			pass(1000);
			rentty.type('y');
		},
		/** Types key after key, each once the one before was taken. */
		async keys(...keys: readonly string[]): Promise<void> {
			for (const key of keys) {
				rentty.type(key);
				await new Promise(resolve => setTimeout(resolve, 15));
			}
		},
	};
}

/** Makes a template, and answers its hash and number. */
export async function makeTemplate(market: World, content: object) {
	const logins = {docker_login_repo: '', docker_login_user: '', docker_login_pass: ''};
	const body = JSON.stringify({...logins, ...content});
	const {text} = await market.call('/api/v0/template/', {method: 'POST', body});
	const hash = /"hash_id":\s*"([^"]+)"/.exec(text)?.[1];
	if (hash === undefined) throw new Error(`no template: ${text}`);
	return {hash};
}

/** What was rented. */
export async function rentals({database}: World) {
	const rows = await database.selectFrom('instances').selectAll().orderBy('id').execute();
	return rows.map(({image, disk_gb, is_bid, ask_id, settings}) => ({
		image,
		disk: disk_gb,
		isBid: is_bid === 1,
		askId: ask_id,
		settings: readSettings(settings),
	}));
}
