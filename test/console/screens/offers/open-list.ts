import {settingsWithIds} from '../../../helpers/settings-store.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import type {TestConsoleOptions} from '../../../helpers/console/console.ts';
import type {TestMarket} from '../../../helpers/market/market.ts';

/** The console with the list of some sixty offers on the screen. */
export async function openList(
	market: Pick<TestMarket, 'url' | 'key'>,
	options: TestConsoleOptions = {},
) {
	const rentty = openTestConsole({service: market, settings: settingsWithIds(), ...options});
	await rentty.sees('1 of ');
	return rentty;
}
