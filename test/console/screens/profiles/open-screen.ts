import {openTestConsole} from '../../../helpers/console/console.ts';
import type {TestConsoleOptions} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {openProfiles} from '../../../helpers/console/profiles.ts';

const NOON = new Date(2026, 10, 21, 12, 41, 7).getTime();

/** Screen 6 of somebody with three profiles, of which the first is open. */
export async function openScreen(options: TestConsoleOptions = {}) {
	const market = await openTestMarket({offers: 3});
	const profilesAt = (home: string) => [
		{
			name: 'prod',
			url: market.url,
			'key-file': `${home}/prod`,
			colour: 'red',
			settings: {diskGb: 77},
		},
		{name: 'watch', url: market.url, 'key-command': ['cat', `${home}/prod`], mode: 'read-only'},
		// Nothing listens there.
		{name: 'staging', url: 'http://127.0.0.1:9', 'key-variable': 'STAGING_KEY'},
	];
	const user = openProfiles(profilesAt, () => market.clock.now() * 1000);
	user.write('prod', market.key);
	user.switcher.foundKey(market.key);
	const environment = {LANG: 'C', TERM: 'xterm-256color', ...options.environment};
	let now = NOON;
	const rentty = openTestConsole({
		service: market,
		switcher: user.switcher,
		now: () => new Date(now),
		...options,
		environment,
	});
	await rentty.sees('1 of ');
	rentty.type('6');
	await rentty.sees('> prod');
	return {
		...rentty,
		market,
		user,
		/** What is typed before a question could be read is dropped. */
		readOn: () => void (now += 2000),
		/** What is shown, without what differs each time. */
		async frame(): Promise<string> {
			const shown = await rentty.shown();
			return shown
				.replaceAll(/ok \d+ms/g, 'ok 0ms')
				.replaceAll(/rentty-process-(\w{6}|\w*~)/g, found =>
					'rentty-process-other'.slice(0, found.length),
				)
				.replaceAll(market.key.slice(-4), '9f3c')
				.replaceAll(new RegExp(`${market.url} *`, 'g'), found =>
					'http://127.0.0.1:8080'.padEnd(found.length),
				);
		},
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			user[Symbol.dispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}
