/** State of a console before anything is drawn: its keys, its screen and its message. */
import type {AgreedLeases} from '../../renter/leases/agreed.ts';
import {noPulse, type Pulse, type ServiceName} from '../ui/chrome.ts';
import {followKeys} from './chosen-keys.ts';
import type {Rebound} from '../ui/bindings.ts';
import {readOnlyReason, type ProfileSwitcher} from '../services/profile-switcher.ts';
import {createKeymap, type Keymap} from '../ui/keymap.ts';
import type {Message} from '../ui/message.ts';
import {createRouter, type Router, type Destination} from '../services/router.ts';
import {createStore, type Store, type Readable} from '../../renter/state/store.ts';
import type {Client} from '../../client/client.ts';
import type {FleetMemory} from '../../renter/fleet/fleet-memory.ts';
import type {Timers} from '../../renter/state/timers.ts';
import type {SshPaths} from '../../renter/connect/ssh.ts';
import type {HostHistory} from '../../renter/offers/host-history.ts';
import type {AwayAlerts} from '../../renter/alerts/console-alerts.ts';
import type {AlertStore} from '../../renter/alerts/kept-alerts.ts';
import type {BudgetFile} from '../../renter/leases/budgets.ts';
import type {KeepKey, OwnKeys} from '../../renter/nouns/instance-keys.ts';
import type {LineHistory} from '../../renter/offers/line-history.ts';
import type {KeptLists} from '../../renter/fleet/kept-list.ts';
import type {RunBook} from '../../renter/training/kept-runs.ts';
import type {ExaminedBook} from '../../renter/instance/examined.ts';
import type {UseHistory} from '../../renter/history/use-history.ts';
import type {UndoHistory} from '../../renter/actions/undo-history.ts';
import type {Memory} from '../../renter/offers/memory.ts';
import type {RunOutside} from '../services/outside-program.ts';
import type {Settings, SettingsStore} from '../../renter/settings/default-settings.ts';
import type {Terminal} from '../terminal/terminal.ts';
import type {Theme} from '../ui/theme.ts';

export type Stage = {
	readonly keymap: Keymap;
	readonly rebound: Rebound;
	readonly router: Router;
	readonly service: ServiceName;
	readonly pulse: Store<Pulse>;
	readonly message: Store<Message | undefined>;
	/** Stops following settings and problems. */
	readonly close: () => void;
};

type Options = Pick<
	ConsoleOptions,
	'service' | 'settings' | 'switcher' | 'start' | 'welcome' | 'problem' | 'elsewhere'
>;

export function createStage(options: Options): Stage {
	const {service, settings, switcher, welcome, problem, elsewhere} = options;
	const {start = {name: 'offers'}} = options;
	const chosen = followKeys(settings);
	const said = welcome === undefined ? undefined : {text: welcome, isError: false};
	const message = createStore<Message | undefined>(said);
	const closes = [
		...[chosen.problem, problem, switcher?.trouble, elsewhere?.trouble].map(showProblems(message)),
		chosen.close,
	];
	return {
		rebound: chosen.rebound,
		keymap: createKeymap(switcher && readOnlyReason(switcher.target)),
		router: createRouter(start),
		service,
		pulse: createStore(noPulse),
		message,
		close() {
			for (const close of closes) close();
		},
	};
}

/** Shows the present problem, at once and after each change. */
function showProblems(message: Store<Message | undefined>) {
	return (problem: ConsoleOptions['problem']): (() => void) => {
		const say = () => {
			const text = problem?.get();
			if (text !== undefined) message.set({text, isError: true});
		};
		say();
		// After the key's own message: an unsaved change matters more than the change.
		return problem?.subscribe(() => queueMicrotask(say)) ?? (() => {});
	};
}

export type ConsoleOptions = {
	readonly terminal: Terminal;
	readonly service: ServiceName;
	/** Opens the client of the service; called while the first frame is shown. */
	readonly client: (onExchange: (ms: number) => void) => Promise<Client>;
	readonly settings: SettingsStore;
	/** Results of the last run; undefined if none are kept. */
	readonly memory?: Memory;
	/** History of hosts; by default nothing is kept. */
	readonly hosts?: HostHistory;
	/** History of searches; by default only those of this run. */
	readonly queries?: LineHistory;
	/** Changes that can be taken back; by default only those of this run. */
	readonly undo?: UndoHistory;
	/** Use of instances over time; by default that of this run. */
	readonly use?: UseHistory;
	/** The last lists of instances; by default none are kept. */
	readonly lists?: KeptLists;
	/** Runs of a month; by default none are kept. */
	readonly runBook?: RunBook;
	/** Examinations of instances; by default those of this run. */
	readonly examined?: ExaminedBook;
	/** History of commands run in instances; by default only those of this run. */
	readonly commands?: LineHistory;
	/** Observations of instances in earlier runs; undefined if none are kept. */
	readonly fleetMemory?: FleetMemory;
	/** Paths of SSH's files; by default no port is tried and nothing is written. */
	readonly ssh?: SshPaths;
	/** The folder in which a guard says that it runs; by default none is known. */
	readonly state?: string;
	/** Leases that were agreed on this machine; by default none are kept. */
	readonly agreed?: AgreedLeases;
	/** Alerts that are kept until acknowledged; by default only those of this run. */
	readonly alerts?: AlertStore;
	/** Sends an alert away from the terminal; by default it stays there. */
	readonly elsewhere?: AwayAlerts | undefined;
	/** The user's budgets; by default those of the settings alone. */
	readonly budgets?: () => BudgetFile;
	/** Keeps keys of instances; by default none can be kept. */
	readonly keepKey?: KeepKey;
	/** Keys of instances of this service that were rented since the program started. */
	readonly ownKeys?: OwnKeys;
	/** The user's profiles; by default there are none. */
	readonly switcher?: ProfileSwitcher;
	/**
	 * First screen.
	 * @default the offers
	 */
	readonly start?: Destination | undefined;
	/** Greeting for a first session. */
	readonly welcome?: string | undefined;
	readonly theme: (settings: Settings) => Theme;
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Runs another program in the terminal once that is free. */
	readonly run: RunOutside;
	/** Fills the buffer that tmux pastes from, where this runs in tmux. */
	readonly fillTmux: (text: string) => Promise<void>;
	/** Says whether the user has tmux use the mouse; by default it is not asked. */
	readonly tmuxMouse?: () => Promise<boolean>;
	readonly now: () => Date;
	/** Calls later, for tests that move time by hand. */
	readonly after?: Timers['after'];
	/** Problem of the user's files, as a sentence. */
	readonly problem?: Readable<string | undefined>;
};
