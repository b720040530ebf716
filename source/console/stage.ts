/** State of a console before anything is drawn: its keys, its place and its message. */
import {noPulse, type Pulse, type ServiceName} from './chrome.ts';
import {followKeys} from './chosen-keys.ts';
import type {ConsoleOptions} from './console-options.ts';
import type {Rebound} from './bindings.ts';
import {readOnlyReason} from './desk.ts';
import {createKeymap, type Keymap} from './keymap.ts';
import type {Message} from './message.ts';
import {createRouter, type Router} from './router.ts';
import {createStore, type Store} from '../renter/store.ts';

export type Stage = {
	readonly keymap: Keymap;
	/** Bindings with the keys that the user chose. */
	readonly rebound: Rebound;
	readonly router: Router;
	readonly service: ServiceName;
	readonly pulse: Store<Pulse>;
	readonly message: Store<Message | undefined>;
	/** Follows neither settings nor problems any more. */
	readonly close: () => void;
};

/** Settings, profiles and whatever else can be wrong with what a console is opened with. */
type Options = Pick<
	ConsoleOptions,
	'service' | 'settings' | 'desk' | 'start' | 'welcome' | 'problem' | 'elsewhere'
>;

export function createStage(options: Options): Stage {
	const {service, settings, desk, welcome, problem, elsewhere} = options;
	const {start = {name: 'offers'}} = options;
	const chosen = followKeys(settings);
	const said = welcome === undefined ? undefined : {text: welcome, isError: false};
	const message = createStore<Message | undefined>(said);
	const closes = [
		...[chosen.problem, problem, desk?.trouble, elsewhere?.trouble].map(sayProblems(message)),
		chosen.close,
	];
	return {
		rebound: chosen.rebound,
		keymap: createKeymap(desk && readOnlyReason(desk.target)),
		router: createRouter(start),
		service,
		pulse: createStore(noPulse),
		message,
		close() {
			for (const close of closes) close();
		},
	};
}

/** Says what is wrong, at once and whenever it changes. */
function sayProblems(message: Store<Message | undefined>) {
	return (problem: ConsoleOptions['problem']): (() => void) => {
		const say = () => {
			const text = problem?.get();
			if (text !== undefined) message.set({text, isError: true});
		};
		say();
		// Behind what a key says of itself: that something is set matters less than that it is not kept.
		return problem?.subscribe(() => queueMicrotask(say)) ?? (() => {});
	};
}
