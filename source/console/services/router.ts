import type {TemplateContent} from '../../contract/nouns/template-content.ts';
import {createStore, type Store} from '../../renter/state/store.ts';
import type {Message} from '../ui/message.ts';
import type {Size} from '../terminal/terminal.ts';

/** Screens of the console, with their parameters. */
export type Destination =
	| {readonly name: 'overview' | 'offers' | 'instances' | 'templates' | 'activity'}
	| {readonly name: 'offer' | 'template'; readonly id: number}
	| {readonly name: 'instance'; readonly id: number; readonly page?: 'Logs' | 'Usage' | 'Run'}
	/** The logs of several instances as one. */
	| {readonly name: 'logs'; readonly ids: readonly number[]}
	/** Examination of these instances against their orders. */
	| {readonly name: 'health'; readonly ids: readonly number[]}
	/** A command in these instances; without ids, the last one run. */
	| {readonly name: 'command'; readonly ids: readonly number[]}
	/** Output of that command in one instance. */
	| {readonly name: 'output'; readonly id: number}
	/** Changes that can be taken back. */
	| {readonly name: 'undo'}
	| {
			readonly name:
				| 'prices'
				| 'keys'
				| 'account'
				| 'alerts'
				| 'volumes'
				| 'increases'
				| 'profiles'
				| 'machines';
	  }
	/** Form for a new or an existing profile. */
	| {readonly name: 'profile-edit'; readonly profile: string | undefined}
	/** Form for a new template, a copy, or an existing one. */
	| {
			readonly name: 'template-edit';
			readonly from: number | undefined;
			readonly isCopy: boolean;
			readonly content?: Partial<TemplateContent>;
	  }
	/** Rent form: for this offer or the cheapest that fits, from a template or like another instance. */
	| {
			readonly name: 'rent';
			readonly offerId?: number | undefined;
			readonly likeInstance?: number | undefined;
			readonly templateHash?: string | undefined;
			/** Offers to try next if this one is gone, before other equal ones. */
			readonly fallback?: readonly number[];
	  }
	| {readonly name: 'compare'; readonly ids: readonly number[]};

/** An entry of the stack. Going to the same destination twice makes two entries. */
export type StackEntry = {readonly destination: Destination};

export type Router = {
	/** The entries from the first to the one that is shown. */
	readonly stack: Store<readonly StackEntry[]>;
	/** Entries of all tabs, including those left behind. */
	readonly entries: () => readonly StackEntry[];
	readonly go: (destination: Destination) => void;
	/** Replaces the entry shown, so that going back skips it. */
	readonly replace: (destination: Destination) => void;
	/** Goes one entry back; false at the first. */
	readonly back: () => boolean;
	/** Takes off an entry that has done its work, whatever is shown by then; a tab keeps its first. */
	readonly finish: (entry: StackEntry) => void;
	/** Shows another tab as it was left; the tab that is shown, from its first entry. */
	readonly visit: (first: Destination) => void;
	/** Shows the tab that was shown before this one; false if there was none. */
	readonly last: () => boolean;
	readonly hasLast: () => boolean;
};

export function createRouter(first: Destination): Router {
	const stack = createStore<readonly StackEntry[]>([{destination: first}]);
	/** The tabs that were left, by the names of their first entries. */
	const left = new Map<string, readonly StackEntry[]>();
	let before: Destination | undefined;

	function visit(wanted: Destination): void {
		const entries = stack.get();
		const [shown] = entries;
		if (shown === undefined || shown.destination.name === wanted.name) {
			stack.set(entries.slice(0, 1));
			return;
		}
		left.set(shown.destination.name, entries);
		before = shown.destination;
		stack.set(left.get(wanted.name) ?? [{destination: wanted}]);
		left.delete(wanted.name);
	}

	return {
		stack,
		entries: () => [...stack.get(), ...[...left.values()].flat()],
		go: destination => stack.set([...stack.get(), {destination}]),
		replace: destination => stack.set([...stack.get().slice(0, -1), {destination}]),
		back() {
			const entries = stack.get();
			if (entries.length === 1) return false;
			stack.set(entries.slice(0, -1));
			return true;
		},
		finish(done) {
			const isOther = (entry: StackEntry, at: number) => at === 0 || entry !== done;
			for (const [name, entries] of left) left.set(name, entries.filter(isOther));
			if (stack.get().includes(done)) stack.set(stack.get().filter(isOther));
		},
		visit,
		last() {
			if (before === undefined) return false;
			visit(before);
			return true;
		},
		hasLast: () => before !== undefined,
	};
}

/** Goes to a destination, unless its entry is shown already. */
export function goOnce(
	router: Router,
	name: 'account' | 'alerts' | 'increases' | 'undo' | 'volumes',
): void {
	if (router.stack.get().at(-1)?.destination.name !== name) router.go({name});
}

/** True for an entry that was neither left nor is shown: what is asked there is not seen yet. */
export function isBehind({stack, entries}: Router, entry: StackEntry): boolean {
	return stack.get().at(-1) !== entry && entries().includes(entry);
}

/**
 * State that lives as long as its entry is on the stack, so that coming back finds cursor, order and
 * scroll as they were.
 */
export function keptByStackEntry<State>(create: () => State): (entry: StackEntry) => State {
	const states = new WeakMap<StackEntry, State>();
	return entry => {
		const existing = states.get(entry);
		if (existing !== undefined) return existing;
		const state = create();
		states.set(entry, state);
		return state;
	};
}

/** Draft of an entry that is lost when the program ends: "a draft of torch"; undefined for none. */
export const holdingAt = keptByStackEntry((): {lost: () => string | undefined} => ({
	lost: () => undefined,
}));

/**
 * Shows a tab; the one that is shown, from its first entry. That lies over a draft, to which Esc then
 * leads back.
 */
export function showTab(router: Router, destination: Destination): void {
	const {name} = destination;
	const [first, ...others] = router.stack.get();
	const isHeld = others.some(entry => holdingAt(entry).lost() !== undefined);
	if (!isHeld || first?.destination.name !== name) router.visit(destination);
	else if (others.at(-1)?.destination.name !== name) router.go(destination);
}

export type ScreenProps = {
	readonly stackEntry: StackEntry;
	readonly router: Router;
	readonly size: Size;
	/** Shows a message at the foot of the screen, until the next key. */
	readonly say: (message: Message) => void;
};

/** The screens that have a key of their own, in the order of their tabs. */
export const tabs: ReadonlyArray<{
	readonly key: string;
	readonly title: string;
	/** The title if there is little space. */
	readonly short: string;
	readonly destination: Destination;
}> = [
	{key: '0', title: 'Overview', short: 'Ovr', destination: {name: 'overview'}},
	{key: '1', title: 'Offers', short: 'Off', destination: {name: 'offers'}},
	{key: '2', title: 'Instances', short: 'Inst', destination: {name: 'instances'}},
	{key: '3', title: 'Templates', short: 'Tpl', destination: {name: 'templates'}},
	{key: '4', title: 'Keys', short: 'Keys', destination: {name: 'keys'}},
	{key: '5', title: 'Activity', short: 'Act', destination: {name: 'activity'}},
	{key: '6', title: 'Profiles', short: 'Prof', destination: {name: 'profiles'}},
	{key: '7', title: 'Machines', short: 'Mach', destination: {name: 'machines'}},
];

export const renterTabs = tabs.filter(({destination}) => destination.name !== 'machines');

const tabWith = (wanted: string) => tabs.findIndex(({key}) => key === wanted);

/** The tab that an entry belongs to; undefined for entries of every tab. */
export const tabOf: Readonly<Record<Destination['name'], number | undefined>> = {
	overview: tabWith('0'),
	offers: tabWith('1'),
	offer: tabWith('1'),
	compare: tabWith('1'),
	prices: tabWith('1'),
	/** Rent belongs to the list that it was opened from. */
	rent: undefined,
	instances: tabWith('2'),
	instance: tabWith('2'),
	logs: tabWith('2'),
	health: tabWith('2'),
	command: tabWith('2'),
	output: tabWith('2'),
	templates: tabWith('3'),
	template: tabWith('3'),
	'template-edit': tabWith('3'),
	keys: tabWith('4'),
	account: undefined,
	undo: undefined,
	alerts: undefined,
	volumes: undefined,
	increases: undefined,
	activity: tabWith('5'),
	profiles: tabWith('6'),
	'profile-edit': tabWith('6'),
	machines: tabWith('7'),
};

type Options = {
	readonly router: Pick<Router, 'entries'>;
	readonly message: Pick<Store<Message | undefined>, 'set'>;
	readonly now: () => Date;
	/** Work behind all screens that leaving would end; undefined for none. */
	readonly underWay?: () => string | undefined;
};

/** Time in which a second press of the key means yes. */
const AGAIN_MS = 10_000;

/** Quits, or goes to another service; before a loss it warns first. */
type QuitWarning = (leave: () => void) => void;

export function createQuitWarning({router, message, now, underWay}: Options): QuitWarning {
	let warnedAt = Number.NEGATIVE_INFINITY;
	return leave => {
		const held = router.entries().map(entry => holdingAt(entry).lost());
		const lost = [...held, underWay?.()].filter(what => what !== undefined);
		const at = now().getTime();
		if (lost.length === 0 || at - warnedAt < AGAIN_MS) return leave();
		warnedAt = at;
		message.set({text: `Not left: ${lost.join('; ')}. Again leaves all the same.`, isError: true});
	};
}
