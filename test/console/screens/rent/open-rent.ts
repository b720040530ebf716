import {setImmediate} from 'node:timers/promises';
import {
	defaultSettings,
	type Settings,
} from '../../../../source/renter/settings/default-settings.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';
import {readInstanceSettings} from '../../../../source/market/lifecycle/instance-rules.ts';
import {openTestConsole, type TestConsoleOptions} from '../../../helpers/console/console.ts';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {keepHeard} from '../../../helpers/market/instances.ts';
import {openRentable} from '../../../helpers/market/rentable.ts';

export type World = Awaited<ReturnType<typeof openRentable>>;

export type RentTestOptions = Omit<TestConsoleOptions, 'settings' | 'service' | 'now'> & {
	readonly settings?: Partial<Settings>;
};

/** What the renter has as a template of their own, unless a test says otherwise. */
export const TORCH = {
	name: 'torch',
	image: 'a/torch',
	tag: '2.6',
	runtype: 'ssh',
	env: '-e TZ=UTC -e MODE=a',
};

type TorchOptions = RentTestOptions & {readonly template?: object};

/**
 * The console with the cursor on an offer, and a template that is rented with unless another is
 * chosen. All that it says to the market passes through a proxy that can do what bad networks do.
 */
export async function openTorch({template = TORCH, settings, ...options}: TorchOptions = {}) {
	const market = await openRentable();
	// Its machines are heard for as long as a test moves the clock.
	await keepHeard(market.database);
	const proxy = await openFaultProxy(market.url);
	const {hash} = await makeTemplate(market, template);
	const rentty = await openOn(
		{url: proxy.url, key: market.key, clock: market.clock},
		{settings: {templateHash: hash, ...settings}, ...options},
	);
	return {
		...rentty,
		market,
		proxy,
		hash,
		/** What was rented, and was not destroyed since. */
		rentals: async () => rentals(market),
		/** How often an offer was asked for. */
		orders: () => proxy.requests.filter(({method, path}) => isOrder(method, path)).length,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

function isOrder(method: string, path: string): boolean {
	return method === 'PUT' && path.startsWith('/api/v0/asks/');
}

/** The console with the cursor on an offer that can be rented, on a clock that is moved by hand. */
export async function openOn(
	service: Pick<World, 'url' | 'key'> & {readonly clock?: Pick<World['clock'], 'follow'>},
	{settings = {}, ...options}: RentTestOptions = {},
) {
	const start = new Date(2026, 10, 21, 12, 41, 7).getTime();
	let at = start;
	service.clock?.follow(() => (at - start) / 1000);
	const store = createSettingsStore({...defaultSettings, ...settings});
	const rentty = openTestConsole({
		service,
		now: () => new Date(at),
		settings: store,
		...options,
	});
	await rentty.sees('1 of ');
	const pass = (ms: number) => {
		at += ms;
	};
	/** Types key after key, each in a turn of its own: what comes at once is taken for pasted. */
	async function keys(...texts: readonly string[]): Promise<void> {
		for (const key of texts.join('').match(/\p{Cc}\[[A-Z]|[^]/gu) ?? []) {
			rentty.type(key);
			await setImmediate();
		}
	}
	return {
		...rentty,
		settings: store,
		pass,
		keys,
		/** Puts a text in the place of what the field with the cursor says. */
		async fill(text: string): Promise<void> {
			await keys('\r', '\u0015', text, '\r');
		},
		/** Opens the form on the offer under the cursor. */
		async openForm(): Promise<string> {
			rentty.type('r');
			return rentty.sees('Review and rent');
		},
		/** Goes from the field with the cursor to the button that reviews. */
		toReview: async () => keys('\u001B[F', 'k', 'k'),
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
		/** Waits until keys count on the instance that was rented. */
		async leaveKey(): Promise<void> {
			await rentty.sees('its key: ');
			pass(1000);
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

/** What was rented, and was not destroyed since. */
export async function rentals({database}: World) {
	const rows = await database
		.selectFrom('instances')
		.selectAll()
		.where('destroyed_at', 'is', null)
		.orderBy('id')
		.execute();
	return rows.map(({id, image, disk_gb, is_bid, ask_id, settings}) => ({
		id,
		image,
		disk: disk_gb,
		isBid: is_bid === 1,
		askId: ask_id,
		settings: readInstanceSettings(settings),
	}));
}
