import {openClient} from '../../../../source/client/client.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import type {TestConsoleOptions} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import type {TestMarket} from '../../../helpers/market/market.ts';
import {openProfiles} from '../../../helpers/console/profiles.ts';
import {sshKeyText} from '../../../helpers/host/ssh-keys.ts';

const NOON = new Date(2026, 10, 21, 12, 41, 7).getTime();

type KeysOptions = TestConsoleOptions & {
	/** A market that is there already, and stays. */
	readonly market?: TestMarket;
	/** What is unusual about the profile. */
	readonly profile?: (home: string) => Readonly<Record<string, unknown>>;
};

/** Screen 4 of an account with a key of its own, in a home with SSH keys. */
export async function openKeys({market: given, service, profile, ...options}: KeysOptions = {}) {
	const market = given ?? (await openTestMarket({offers: 0}));
	const user = openProfiles(home => [
		{name: 'prod', url: market.url, 'key-file': '/keys/prod', ...profile?.(home)},
	]);
	user.write('.ssh/id_ed25519.pub', sshKeyText(1, 'laptop'));
	user.write('.ssh/old.pub', sshKeyText(2, 'old-mac'));
	user.write('.ssh/notes.pub', 'no key at all');
	user.switcher.foundKey(market.key);
	let now = NOON;
	const client = openClient({...market, paceScale: 0});
	await client.sshKeys.create(sshKeyText(1, 'laptop'));
	const rentty = openTestConsole({
		service: service ?? market,
		switcher: user.switcher,
		now: () => new Date(now),
		...options,
		environment: {LANG: 'C', HOME: user.home, ...options.environment},
	});
	await rentty.sees(/12:41/);
	rentty.type('4');
	await rentty.sees('old-mac');
	return {
		...rentty,
		market,
		client,
		user,
		/** What is shown, without what differs each time. */
		async frame(): Promise<string> {
			const shown = await rentty.shown();
			return shown.replaceAll(market.key.slice(-4), '9f3c').replaceAll(user.home, '/home/of/user');
		},
		/** Opens the list of what can be added, once the account's keys are read. */
		async add(): Promise<void> {
			await rentty.sees(/laptop .*account/);
			rentty.type('n');
			await rentty.sees('ADD');
		},
		/** What is typed before a question could be read is dropped. */
		readOn: () => void (now += 2000),
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await client.close();
			user[Symbol.dispose]();
			if (given === undefined) await market[Symbol.asyncDispose]();
		},
	};
}
