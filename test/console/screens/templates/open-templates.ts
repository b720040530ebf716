import {openClient} from '../../../../source/client/client.ts';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';
import type {NewTemplate} from '../../../../source/contract/nouns/template-content.ts';
import type {Template} from '../../../../source/contract/nouns/templates.ts';
import {openTestConsole, type TestConsoleOptions} from '../../../helpers/console/console.ts';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

/** A template with something to say in every field that is shown. */
export const FULL = {
	name: 'pytorch-2.6-cuda12',
	image: 'vastai/pytorch',
	tag: '2.6',
	runtype: 'ssh',
	ssh_direct: true,
	recommended_disk_space: 40,
	env: '-e TZ=UTC -e HF_HOME=/workspace/hf -p 8080:8080 -p 6006:6006',
	onstart: 'cd /workspace\npip install -q -r req.txt\npython -m http.server 8080 &\n',
	readme: 'PyTorch 2.6 with CUDA 12.4, tmux and a jupyter kernel.\nPut code in /workspace.',
	extra_filters: {cuda_max_good: {gte: 12.4}, gpu_ram: {gte: 16_000}},
	volume_info: {path: '/data', size: 50},
} as const satisfies NewTemplate;

const SMALL: NewTemplate = {name: 'torch', image: 'a/torch', tag: '2.6', env: '-e TZ=UTC'};

type Options = Partial<TestConsoleOptions> & {
	/** The user's own template, the only one that there is. */
	readonly template?: NewTemplate;
	/** Whether it is rented with unless another is chosen. */
	readonly isUsual?: boolean;
};

/** The console on the templates of a real market, with a clock that is moved by hand. */
export async function openTemplates({template = SMALL, isUsual = true, ...options}: Options = {}) {
	const market = await openTestMarket({offers: 0});
	const client = openClient(market);
	const {hash_id: hash, id} = await client.templates.create(template);
	const proxy = await openFaultProxy(market.url);
	let now = new Date(2026, 10, 21, 12, 41, 7).getTime();
	const settings = createSettingsStore({...defaultSettings, templateHash: isUsual ? hash : null});
	const rentty = openTestConsole({
		service: {...market, url: proxy.url},
		settings,
		now: () => new Date(now),
		...options,
	});
	rentty.type('3');
	await rentty.sees(`${template.name}   private`);
	return {
		...rentty,
		client,
		/** The way of the console to the market. */
		proxy,
		settings,
		hash,
		id: id ?? 0,
		/** Lets the time pass that a question wants to be read. */
		read: () => (now += 2000),
		find: async (name: string): Promise<Template | undefined> =>
			(await client.templates.search()).templates.find(({name: other}) => other === name),
		/** Presses keys one after the other, each when the one before was seen to. */
		async press(...texts: readonly string[]) {
			for (const key of texts.join('').match(/\p{Cc}\[[A-Z]|[^]/gu) ?? []) {
				rentty.type(key);
				// Two turns: one for the key, one for what React makes of it.
				for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve));
			}
		},
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await proxy.close();
			await client.close();
			await market[Symbol.asyncDispose]();
		},
	};
}
