import type {KeptLists} from '../../../source/renter/fleet/kept-list.ts';
import type {RunBook} from '../../../source/renter/training/kept-runs.ts';
import type {ExaminedBook} from '../../../source/renter/instance/examined.ts';
import type {BudgetFile} from '../../../source/renter/leases/budgets.ts';
import {type Client, openClient} from '../../../source/client/client.ts';
import type {Time} from '../../../source/client/exchange/time.ts';
import type {RunOutside} from '../../../source/console/services/outside-program.ts';
import type {SshPaths} from '../../../source/renter/connect/ssh.ts';
import type {Timers} from '../../../source/renter/state/timers.ts';
import type {HostHistory} from '../../../source/renter/offers/host-history.ts';
import type {AlertStore} from '../../../source/renter/alerts/kept-alerts.ts';
import type {AgreedLeases} from '../../../source/renter/leases/agreed.ts';
import type {KeepKey} from '../../../source/renter/nouns/instance-keys.ts';
import type {LineHistory} from '../../../source/renter/offers/line-history.ts';
import type {UseHistory} from '../../../source/renter/history/use-history.ts';
import type {UndoHistory} from '../../../source/renter/actions/undo-history.ts';
import type {Memory} from '../../../source/renter/offers/memory.ts';
import {openConsole} from '../../../source/console/app/open.tsx';
import {
	defaultSettings,
	type SettingsStore,
} from '../../../source/renter/settings/default-settings.ts';
import type {ProfileSwitcher} from '../../../source/console/services/profile-switcher.ts';
import {createSettingsStore} from '../settings-store.ts';
import {createTheme, type TerminalEnvironment} from '../../../source/console/ui/theme.ts';
import type {Observation} from '../../../source/renter/instance/observations.ts';
import {openTestTerminal} from './terminal.ts';

export type TestConsoleOptions = {
	readonly columns?: number;
	readonly rows?: number;
	readonly environment?: TerminalEnvironment;
	/** Where the service is; by default nothing answers, ever. */
	readonly service?: {
		readonly url: string;
		readonly key: string;
		/** What an earlier run saw of its instances until a moment on this machine's clock. */
		readonly seen?: (localNow: number) => ReadonlyMap<number, Observation>;
	};
	readonly memory?: Memory;
	/** What was seen of hosts before. */
	readonly hosts?: HostHistory;
	/** What was searched for before. */
	readonly queries?: LineHistory;
	/** Changes that can be taken back. */
	readonly undo?: UndoHistory;
	/** Use of instances before. */
	readonly use?: UseHistory;
	/** The last lists of instances, also of other services. */
	readonly lists?: KeptLists;
	/** Runs of the last month. */
	readonly runBook?: RunBook;
	/** Examinations of instances before. */
	readonly examined?: ExaminedBook;
	readonly settings?: SettingsStore;
	/** The user's profiles; by default there are none. */
	readonly switcher?: ProfileSwitcher;
	/** The user's clock. @default one that stands still */
	readonly now?: () => Date;
	/** How something is called later; by default after the time that passes for everybody. */
	readonly after?: Timers['after'];
	/** What the client waits by. @default the time that passes for everybody */
	readonly time?: Time;
	/** Where SSH keeps things, and how its ports answer; by default none is tried. */
	readonly ssh?: SshPaths;
	/** What is said to somebody who is here for the first time. */
	readonly welcome?: string;
	/** What was told before; by default nothing. */
	readonly alerts?: AlertStore;
	/** Where servers of agents keep what they did; by default nowhere. */
	readonly state?: string;
	/** Leases that were agreed here; by default none are kept. */
	readonly agreed?: AgreedLeases;
	/** The user's budgets; by default there are none. */
	readonly budgets?: () => BudgetFile;
	/** Keeps keys of instances; by default none can be kept. */
	readonly keepKey?: KeepKey;
	/** What happens instead of running another program in the terminal. */
	readonly run?: RunOutside;
};

type Given<Options> = {[Name in keyof Options]?: Exclude<Options[Name], undefined>};

/** Those options that are given. */
function given<Options extends object>(options: Options): Given<Options> {
	const some = Object.entries(options).filter(([, value]) => value !== undefined);
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the others were left out
	return Object.fromEntries(some) as Given<Options>;
}

/** The console on an emulated terminal, talking to a real service. */
export function openTestConsole({
	columns = 80,
	rows = 24,
	environment = {LANG: 'C'},
	service,
	memory,
	hosts,
	queries,
	undo,
	settings = createSettingsStore(defaultSettings),
	switcher,
	now = () => new Date(2026, 10, 21, 12, 41, 7),
	after,
	time,
	run = async () => ({kind: 'ended', code: 0}),
	...others
}: TestConsoleOptions = {}) {
	const terminal = openTestTerminal({columns, rows});
	const remembered = service?.seen?.(now().getTime()) ?? new Map<number, Observation>();
	let client: Client | undefined;
	const screen = openConsole({
		// The link would be on frames or not, as quickly as the test came to them.
		terminal: {...terminal.terminal, measureLink: () => {}},
		service: {name: 'practice', isPractice: true},
		async client(onExchange) {
			if (service === undefined) return new Promise<Client>(() => {});
			// A fixed time, so that frames can be compared whole.
			client = openClient({
				...service,
				...given({time}),
				now: () => now().getTime(),
				paceScale: 0,
				onExchange: () => onExchange(12),
			});
			return client;
		},
		settings,
		fleetMemory: {
			recall: () => ({remembered, boots: {}, lastTemplate: undefined}),
			remember: async () => {},
		},
		...given({memory, hosts, switcher, queries, undo}),
		theme: looks => createTheme(environment, looks),
		environment,
		run,
		fillTmux: async () => {},
		now,
		...given({after, ...others}),
	});
	return {
		...terminal,
		left: screen.left,
		async [Symbol.asyncDispose]() {
			screen.leave();
			await client?.close();
			terminal[Symbol.dispose]();
		},
	};
}
