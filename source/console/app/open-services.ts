import {LINES_ABOVE} from './frame.ts';
import {machinePresence} from '../queries/account.ts';
import type {Shell} from './app.tsx';
import {createQuitWarning} from '../services/router.ts';
import {createOutsideProgram} from '../services/outside-program.ts';
import {viewKeyProblem} from './chosen-keys.ts';
import type {Client} from '../../client/client.ts';
import {homeFolder} from '../../renter/files/folders.ts';
import {type FindIdentities, createSsh} from '../../renter/connect/ssh.ts';
import {createRuns} from '../../renter/connect/runs.ts';
import {copier, openClipboard, createShownSecrets} from '../services/shown-secrets.ts';
import type {Settings} from '../../renter/settings/default-settings.ts';
import {
	followChangedLeases,
	followEnds,
	createNextChange,
} from '../../renter/alerts/fleet-alerts.ts';
import {followIncreases} from '../../renter/nouns/price-increases.ts';
import {openKeptAlerts} from '../../renter/alerts/kept-alerts.ts';
import {createLeases} from '../../renter/leases/leases.ts';
import {monthBudget, type Budget} from '../../renter/leases/budgets.ts';
import {createArmedActions} from '../../renter/actions/armed-actions.ts';
import {openAgentBook} from '../../renter/agents/agent-book.ts';
import {createFleet} from '../../renter/fleet/fleet.ts';
import {followFleet, followKeepers} from '../../renter/fleet/following.ts';
import {createInstanceComparisons} from '../../renter/orders/instance-comparisons.ts';
import {noKeptLists} from '../../renter/fleet/kept-list.ts';
import {followUse, openUseHistory} from '../../renter/history/use-history.ts';
import {openExaminedBook} from '../../renter/instance/examined.ts';
import {createRunWatch} from '../../renter/training/run-watch.ts';
import {createPolling, type Polling} from '../../renter/state/polling.ts';
import {realTimers} from '../../renter/state/timers.ts';
import type {FramePainter} from './frame-painter.ts';
import {createHostHistory} from '../../renter/offers/host-history.ts';
import {createLineHistory} from '../../renter/offers/line-history.ts';
import {followPrices} from '../queries/offers.ts';
import {createNotify} from './notify.ts';
import {progressSequence} from '../../renter/text/terminal-progress.ts';
import {followDoubles} from '../../renter/orders/doubles.ts';
import {settlePendingRents, settlingFirst} from '../../renter/orders/pending-rents.ts';
import {noOwnKeys} from '../../renter/nouns/instance-keys.ts';
import {createPriceWatches} from '../../renter/offers/watches.ts';
import {notingClient, notingSettings, openUndoHistory} from '../../renter/actions/undo-history.ts';
import type {ConsoleOptions} from './stage.ts';
import type {Services} from '../services/services.tsx';

type Opening = Pick<Services, 'client' | 'live' | 'switcher'> & {
	readonly options: ConsoleOptions;
	readonly shell: Shell;
	readonly painter: FramePainter;
};

export function openServices(opening: Opening): Services {
	const {live, options, switcher, shell} = opening;
	const {now, agreed, fleetMemory: memory, undo = openUndoHistory(), lists = noKeptLists} = options;
	const {use = openUseHistory(undefined), examined = openExaminedBook(undefined)} = options;
	const {environment, state} = options;
	const service = options.service.name;
	const {timers, polling} = openPolling(options, shell);
	const terminal = openTerminal(opening, polling);
	const {notify} = terminal;
	const leaving = new AbortController();
	const settling = {notify, signal: leaving.signal};
	const settle = async (at: Client) => settlePendingRents(at, {...settling, fleet, orders});
	const noting = {book: undo, now: timers.now, labelOf: (id: number) => labelIn(fleet, id)};
	const settings = notingSettings(options.settings, noting);
	const client = noted(settlingFirst(opening.client, settle), noting);
	const hosts = followPrices(live, options.hosts ?? createHostHistory(), now);
	const leases = createLeases({client, service, state, agreed, environment, now: timers.now});
	const limits = () => settings.get().limits;
	const known = {memory, agreed, keepers: leases.keepers, examined, limits};
	const fleet = createFleet({client, timers, polling, ...known});
	const orders = createInstanceComparisons({fleet, client: opening.client, notify, timers});
	followFleet(fleet, notify, hosts);
	const machines = machinePresence(client, fleet.state);
	const ends = endsOf(options);
	const following = {client, polling, fleet, leases, agreed, ...terminal, timers, ...ends, use};
	const book = options.runBook;
	const trainings = createRunWatch({...following, now: timers.now, book, settings});
	const follows = [
		followUse,
		followEnds,
		followChangedLeases,
		followIncreases,
		followKeepers,
		followDoubles,
	];
	const unfollows = [lists.follow(fleet), ...follows.map(follow => follow(following))];
	const agents = openAgentBook({state, polling, now: timers.now, ...terminal});
	const stops = [
		() => leaving.abort(),
		machines.stop,
		trainings.close,
		agents.close,
		...unfollows,
		fleet.close,
	];
	const findIdentities = identityFinder({environment, client});
	const ssh = createSsh({paths: options.ssh, service, findIdentities, fleet, timers});
	const runs = createRuns(ssh);
	const priceWatches = createPriceWatches({client, settings, notify, timers, polling});
	const warned = createQuitWarning({...shell, now, underWay: runs.underWay});
	return {
		client,
		live,
		hasMachines: machines.hasMachines,
		settings,
		theme: options.theme(settings.get()),
		fleet: {
			...fleet,
			close() {
				for (const stop of stops) stop();
			},
		},
		undo,
		agents,
		lists,
		switcher: {...switcher, open: (target, start) => warned(() => switcher.open(target, start))},
		time: {now, timers, polling},
		terminal,
		renting: {
			armed: createArmedActions(),
			orders,
			nextChange: createNextChange(fleet, notify),
			keepKey: options.keepKey ?? cannotKeep,
			ownKeys: options.ownKeys ?? noOwnKeys(),
			ssh,
			trainings,
			runs,
			use,
			examined,
			commands: options.commands ?? createLineHistory(),
			limits: ends.limits,
			monthBudget: () => monthBudget(ends.budgets(), ends.profile),
			leases,
		},
		offers: {hosts, queries: options.queries ?? createLineHistory(), priceWatches},
	};
}

/** A client whose changes are noted; the same one for as long as it stays open. */
function noted(open: () => Promise<Client>, noting: Parameters<typeof notingClient>[1]) {
	const known = new WeakMap<Client, Client>();
	return async () => {
		const client = await open();
		const wrapped = known.get(client) ?? notingClient(client, noting);
		known.set(client, wrapped);
		return wrapped;
	};
}

function labelIn({state}: Services['fleet'], id: number): string | undefined {
	const row = state.get().rows.find(({instance}) => instance.id === id);
	return row === undefined ? undefined : (row.instance.label ?? '');
}

function openTerminal({options, shell, painter}: Opening, polling: Polling): Services['terminal'] {
	const {elsewhere, service, terminal, settings, environment, run, now, fillTmux} = options;
	const say = shell.message.set;
	const linkMs = () => shell.pulse.get().linkMs;
	const clipboard = openClipboard({environment, send: terminal.send, fillTmux});
	const nowMs = () => now().getTime();
	const alerts = options.alerts ?? openKeptAlerts(undefined, nowMs);
	return {
		linkMs,
		shownRows: count =>
			Array.from({length: count}, (_, row) => painter.mouse.textAt(LINES_ABOVE + row)),
		typeToInk: shell.typeToInk,
		viewKeyProblem: view => viewKeyProblem(settings.get(), view),
		environment,
		copy: copier(clipboard, say),
		secrets: createShownSecrets({
			clipboard,
			home: homeIn(environment),
			service: options.service.name,
			moment: () => ({nowMs: nowMs(), linkMs: linkMs()}),
		}),
		aside: createOutsideProgram({terminal, run, redraw: painter.redraw, hide: polling.hide}),
		alerts,
		notify: createNotify({
			alerts,
			elsewhere: elsewhere?.send,
			profile: service.name,
			now: nowMs,
			choice: () => settings.get().notify,
			send: terminal.send,
			setTitle: terminal.setTitle,
			setProgress: progress => terminal.setProgress(progressSequence(progress, environment)),
			say: text => say({text, isError: false}),
		}),
	};
}

function endsOf({settings, budgets = () => ({budgets: []}), service}: ConsoleOptions) {
	const profile = service.name;
	return {
		profile,
		limits: (isAgreed = false) => ({
			spend: isAgreed ? undefined : settings.get().spend,
			file: budgets(),
			profile,
		}),
		budgets(): readonly Budget[] {
			const {fleetMaxPerHour: perHour} = settings.get().spend;
			const ofFile = budgets().budgets;
			return perHour === null ? ofFile : [...ofFile, {...fleetBudget, perHour}];
		},
	};
}

const fleetBudget: Budget = {
	profile: undefined,
	label: undefined,
	perHour: undefined,
	perDay: undefined,
	perMonth: undefined,
	action: 'refuse',
	order: 'cheapest-loss',
};

/** Time and polling, which asks at once when a silent service answers any call. */
function openPolling({now, after = realTimers.after}: ConsoleOptions, {pulse}: Shell) {
	const timers = {now: () => now().getTime(), after};
	const polling = createPolling(timers);
	let {answeredAt} = pulse.get();
	pulse.subscribe(() => {
		if (pulse.get().answeredAt === answeredAt) return;
		({answeredAt} = pulse.get());
		polling.online();
	});
	return {timers, polling};
}

function homeIn({HOME: home}: ConsoleOptions['environment']): string {
	return home?.startsWith('/') === true ? home : homeFolder();
}

async function cannotKeep(): Promise<string> {
	throw new Error('there is no place for it');
}

function looksOf({glyphs, colour, theme}: Settings): string {
	return [glyphs, colour, theme].join(' ');
}

export function onThemeChange(
	{settings, theme}: ConsoleOptions,
	onLooks: (theme: Services['theme']) => void,
): () => void {
	let looks = looksOf(settings.get());
	return settings.subscribe(() => {
		const next = settings.get();
		if (looksOf(next) === looks) return;
		looks = looksOf(next);
		onLooks(theme(next));
	});
}

/** Finds files of private keys; the code is loaded on first use. */
function identityFinder(
	given: Pick<Services, 'client'> & Pick<Services['terminal'], 'environment'>,
): FindIdentities {
	return async (id, signal) => {
		const {findIdentityFiles} = await import('../../renter/connect/keys.ts');
		return findIdentityFiles({...given, id, signal});
	};
}
