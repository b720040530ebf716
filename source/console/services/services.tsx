import {createContext, useContext, useEffect, useLayoutEffect, useRef} from 'react';
import {QueryClient, environmentManager} from '@tanstack/react-query';
import type {Client} from '../../client/client.ts';
import type {AgentBook} from '../../renter/agents/agent-book.ts';
import type {RunOutside} from './outside-program.ts';
import type {Runs} from '../../renter/connect/runs.ts';
import type {Ssh} from '../../renter/connect/ssh.ts';
import type {SavedView, Settings, SettingsStore} from '../../renter/settings/default-settings.ts';
import type {Leases} from '../../renter/leases/leases.ts';
import type {ArmedActions} from '../../renter/actions/armed-actions.ts';
import type {KeptLists} from '../../renter/fleet/kept-list.ts';
import type {Fleet} from '../../renter/fleet/fleet.ts';
import type {BudgetLimits} from '../../renter/orders/limits-beside.ts';
import type {NextChange} from '../../renter/alerts/fleet-alerts.ts';
import type {InstanceComparisons} from '../../renter/orders/instance-comparisons.ts';
import type {Store} from '../../renter/state/store.ts';
import type {Polling, Poller} from '../../renter/state/polling.ts';
import type {Timers} from '../../renter/state/timers.ts';
import type {HostHistory} from '../../renter/offers/host-history.ts';
import type {KeepKey, OwnKeys} from '../../renter/nouns/instance-keys.ts';
import type {LineHistory} from '../../renter/offers/line-history.ts';
import type {AlertStore} from '../../renter/alerts/kept-alerts.ts';
import type {Notify} from '../../renter/words/alert.ts';
import type {ProfileSwitcher} from './profile-switcher.ts';
import type {Key} from '../terminal/input/keys.ts';
import type {ShownSecrets} from './shown-secrets.ts';
import type {TerminalEnvironment, Theme} from '../ui/theme.ts';
import type {PriceWatches} from '../../renter/offers/watches.ts';
import type {UseHistory} from '../../renter/history/use-history.ts';
import type {ExaminedBook} from '../../renter/instance/examined.ts';
import type {RunWatch} from '../../renter/training/run-watch.ts';
import type {UndoHistory} from '../../renter/actions/undo-history.ts';
import {useStore} from '../ui/painted.tsx';

type TimeServices = {
	readonly now: () => Date;
	/** Timers on the same clock. */
	readonly timers: Timers;
	readonly polling: Polling;
};

type TerminalServices = {
	/** Hands a key to an input component of Ink's that has the keyboard. */
	readonly typeToInk: (key: Key) => boolean;
	/** Reason why a view cannot have its key; undefined if it can. */
	readonly viewKeyProblem: (view: SavedView) => string | undefined;
	/** The text of so many rows of the screen, as they are shown: what a box is drawn over. */
	readonly shownRows: (count: number) => readonly string[];
	/** Round trip to the user's terminal, once measured. */
	readonly linkMs: () => number | undefined;
	/** Environment variables, such as the user's editor. */
	readonly environment: TerminalEnvironment;
	/** Sends a text to the clipboard, and shows it at the foot: nothing tells whether it arrived. */
	readonly copy: (text: string) => void;
	/** Shows a secret that a service gives once, until the user leaves it. */
	readonly secrets: Pick<ShownSecrets, 'show' | 'shown'>;
	/** Runs another program in this terminal, and comes back when it has ended. */
	readonly aside: RunOutside;
	/** Notifications, also for a user on another screen. */
	readonly notify: Notify;
	readonly alerts: AlertStore;
};

type RentingServices = {
	/** Actions that will run on instances without a question. */
	readonly armed: ArmedActions;
	/** Instances that are not as ordered. */
	readonly orders: InstanceComparisons;
	readonly nextChange: NextChange;
	/** Keeps the key of an instance, where the settings want that. */
	readonly keepKey: KeepKey;
	/** Keys of instances that were rented from here. */
	readonly ownKeys: OwnKeys;
	/** Limits on spending as they are now. @param isAgreed whether a sum beyond those of the settings was typed */
	readonly limits: (isAgreed?: boolean) => BudgetLimits;
	/** Dollars that this month may cost, by the user's budgets; undefined if none says so. */
	readonly monthBudget: () => number | undefined;
	readonly leases: Leases;
	readonly ssh: Ssh;
	readonly use: UseHistory;
	/** The last examination of each instance. */
	readonly examined: ExaminedBook;
	/** Trainings of instances, read from their logs. */
	readonly trainings: RunWatch;
	/** The command that was last run in several at once. */
	readonly runs: Runs;
	/** Commands that were run before. */
	readonly commands: LineHistory;
};

type OfferServices = {
	readonly hosts: HostHistory;
	readonly queries: LineHistory;
	readonly priceWatches: PriceWatches;
};

export type Services = {
	/** The client of the service, once there is one: it is opened while the first frame is shown. */
	readonly client: () => Promise<Client>;
	readonly live: QueryClient;
	readonly settings: SettingsStore;
	readonly theme: Theme;
	/** Rented instances, watched all the time. */
	readonly fleet: Fleet;
	/** The account has machines, as far as that is known. */
	readonly hasMachines: Store<boolean | undefined>;
	readonly switcher: ProfileSwitcher;
	/** The last lists of instances, of this service and of others. */
	readonly lists: Pick<KeptLists, 'of'>;
	/** Changes that can be taken back. */
	readonly undo: UndoHistory;
	/** Calls of agents, and rents of theirs that wait for a person. */
	readonly agents: Omit<AgentBook, 'close'>;
	readonly time: TimeServices;
	readonly terminal: TerminalServices;
	readonly renting: RentingServices;
	readonly offers: OfferServices;
};

const ServicesContext = createContext<Services | undefined>(undefined);

export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
	const services = useContext(ServicesContext);
	if (services === undefined) throw new Error('useServices is for what the console shows');
	return services;
}

export const useTime = (): TimeServices => useServices().time;

export const useTerminal = (): TerminalServices => useServices().terminal;

export const useRenting = (): RentingServices => useServices().renting;

export const useOfferServices = (): OfferServices => useServices().offers;

/** The present settings; the component renders again when they change. */
export function useSettings(): Settings {
	const {settings} = useServices();
	return useStore(settings);
}

/** The only cache of the service's answers; `queries/` has the requests. */
export function createLive(): QueryClient {
	// Without a window the library takes itself for a server, and neither refreshes nor expires.
	environmentManager.setIsServer(() => false);
	return new QueryClient({
		defaultOptions: {
			queries: {
				retry: false,
				staleTime: 30_000,
				// Comparing thousands of rows field by field costs more than drawing them.
				structuralSharing: false,
				refetchOnWindowFocus: false,
				refetchOnReconnect: false,
				// A service out of reach is reported, not waited for.
				networkMode: 'always',
			},
		},
	});
}

type PollTimes = {
	readonly everyMs: number;
	/** The wait before the first call. @default 0 */
	readonly firstMs?: number;
	readonly isPaused?: boolean;
	/** Value whose change restarts the waits. */
	readonly about?: string;
};

/** Polls while the component is drawn and seen; the returned function asks at once. */
export function usePoll(ask: () => Promise<unknown>, times: PollTimes): () => void {
	const {polling, timers} = useTime();
	const {everyMs, firstMs = 0, isPaused = false, about} = times;
	const latest = useRef(ask);
	const poller = useRef<Poller>(undefined);
	useLayoutEffect(() => {
		latest.current = ask;
	});
	useEffect(() => {
		const startedAt = timers.now();
		const started = polling.start({
			isForScreen: true,
			ask: async () => latest.current(),
			dueAt(lastAt) {
				if (isPaused) return undefined;
				return Number.isFinite(lastAt) ? lastAt + everyMs : startedAt + firstMs;
			},
		});
		poller.current = started;
		return started.close;
		// oxlint-disable-next-line react/exhaustive-effect-dependencies -- another question waits anew
	}, [polling, timers, everyMs, firstMs, isPaused, about]);
	return () => {
		poller.current?.now().catch(() => undefined);
	};
}
