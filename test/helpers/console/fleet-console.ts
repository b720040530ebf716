import {setImmediate as nextTurn} from 'node:timers/promises';
import {openClient} from '../../../source/client/client.ts';
import type {Observation} from '../../../source/renter/instance/observations.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {openTestConsole, type TestConsoleOptions} from './console.ts';
import {createHandScheduler} from '../hand-scheduler.ts';
import type {HandClock} from '../market/market.ts';
import {createSettingsStore} from '../settings-store.ts';

/** What the user's clock says when a test begins. */
const START = new Date(2026, 10, 21, 12, 41, 7).getTime();

type Service = {
	readonly url: string;
	readonly key: string;
	/** Where changes are written down. */
	readonly journalFile?: string;
	/** Goes on with the time of the console. */
	readonly clock?: Pick<HandClock, 'follow'>;
	/** What an earlier run saw of its instances until a moment on this machine's clock. */
	readonly seen?: (localNow: number) => ReadonlyMap<number, Observation>;
};

type Options = Omit<TestConsoleOptions, 'service' | 'now' | 'after'> & {
	/** Another way to the same service. @default the service */
	readonly through?: {readonly url: string};
};

/** The list of instances of a service, in a console whose time is moved by hand. */
export async function openFleetConsole(service: Service, {through, ...options}: Options = {}) {
	const clock = createHandScheduler(START);
	service.clock?.follow(() => (clock.now() - START) / 1000);
	const rentty = openTestConsole({
		service: {...service, url: through?.url ?? service.url},
		...options,
		now: () => new Date(clock.now()),
		after(ms, run) {
			if (ms > 0) return clock.after(ms, run);
			// What is due at once is not waited for.
			const due = setImmediate(run);
			return () => clearImmediate(due);
		},
	});
	const client = openClient({url: service.url, key: service.key, paceScale: 0});
	rentty.type('2');
	await rentty.sees(/ 1 of \d+/);
	/** Lets time pass for the console, with what is due in it. */
	const pass = async (seconds: number) => clock.pass(seconds * 1000);
	return {
		...rentty,
		pass,
		/** Types a text, a key at a time. */
		async enter(text: string) {
			for (const letter of text) {
				rentty.type(letter);
				await nextTurn();
			}
		},
		/** Waits for a question, for as long as it takes to read it. */
		async reads(question: string | RegExp): Promise<string> {
			const shown = await rentty.sees(question);
			await pass(1);
			return shown;
		},
		/** What the service lists, whatever the console shows. */
		listed: async () => (await client.instances.list()).instances.map(({id}) => id),
		async [Symbol.asyncDispose]() {
			await client.close();
			await rentty[Symbol.asyncDispose]();
		},
	};
}

/** Settings by which two looks prove that something is dead. */
export function soonDead() {
	const limits = {...defaultSettings.limits, bootMinutes: 0, loadingSlowMinutes: 0};
	return createSettingsStore({...defaultSettings, limits});
}

export type FleetConsole = Awaited<ReturnType<typeof openFleetConsole>>;
