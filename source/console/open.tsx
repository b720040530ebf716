import {render} from 'ink';
import {App, type Shell} from './app.tsx';
import {appBindings} from './app-bindings.ts';
import {assertNoCollisions} from './bindings.ts';
import {noPulse, type Pulse} from './chrome.ts';
import {followKeys, type ChosenKeys} from './chosen-keys.ts';
import {createFramePainter, type FramePainter} from './frame-painter.ts';
import {FrameStream, KeyStream} from './ink-streams.ts';
import {createKeyTurns} from './key-turns.ts';
import {createKeymap} from './keymap.ts';
import {keepOffers} from './queries/offers.ts';
import {createLive} from './live.ts';
import type {Message} from './message.ts';
import {noDesk, readOnlyReason} from './desk.ts';
import {createReceiver} from './receiving.ts';
import {createRouter} from './router.ts';
import {screenBindings} from './screens/index.ts';
import {defaultSearch} from './screens/offers/search.ts';
import type {SettingsStore} from '../renter/settings/default-settings.ts';
import type {ConsoleOptions} from './console-options.ts';
import {followLooks, openServices} from './open-services.ts';
import type {Services} from './services.tsx';
import {createStore, type Store} from '../renter/store.ts';
import type {Terminal} from './terminal/terminal.ts';
import {withGlyphs} from './theme.ts';

export {consoleAlerts} from '../renter/alerts/elsewhere.ts';
export {openFleetMemory} from '../renter/fleet/fleet-memory.ts';
export {serviceFile} from '../renter/kept-file.ts';
export {openHostHistory} from '../renter/offers/host-history.ts';
export {openUndoBook} from '../renter/undo-book.ts';
export {openLineHistory} from '../renter/offers/line-history.ts';
export {keepKeysIn} from '../renter/instance-keys.ts';
export {openMemory} from '../renter/offers/memory.ts';
export {sshPlaces} from '../renter/connect/ssh.ts';
export {createDesk} from './desk.ts';
export {overlaySettings} from '../renter/profiles/profile-settings.ts';
export {openSettingsFile} from '../renter/settings/settings-file.ts';

/** Delay from the start to measuring the link to the terminal. */
const LINK_DELAY_MS = 1000;

export type Console = {
	/** Settles when the console is left; fails with what broke it. */
	readonly left: Promise<void>;
	readonly leave: () => void;
};

/** Opens the console on a terminal. */
export function openConsole(options: ConsoleOptions): Console {
	const {terminal, service, settings, now} = options;
	assertSoundKeys();
	const keys = new KeyStream();
	let theme = options.theme(settings.get());
	const painter = createFramePainter(
		terminal.screen,
		text => withGlyphs(theme, text),
		() => turns.isWaiting(),
		terminal.whenFree,
	);
	const frames = new FrameStream(terminal.size(), painter.draw);
	const pulse = createStore(noPulse);
	const {desk = noDesk(() => now().getTime()), start = {name: 'offers'}} = options;
	const onExchange = (apiMs: number) => {
		pulse.set({...pulse.get(), apiMs, answeredAt: now()});
		desk.exchanges.answered(apiMs);
	};
	const live = openLive(options);
	const chosen = followKeys(settings);
	const shell: Shell = {
		rebound: chosen.rebound,
		keymap: createKeymap(readOnlyReason(desk.target)),
		router: createRouter(start),
		service,
		pulse,
		message: createStore(welcomeOf(options)),
		typeToInk: key => keys.type(key),
		quit: () => leave(),
		redraw: () => painter.redraw(),
		suspend() {
			turns.drop();
			terminal.suspend();
		},
	};
	const client = openedOnce(() => options.client(onExchange));
	const services = openServices({client, live, options, desk, shell, painter});
	const app = render(<App {...{shell, painter, services}} />, {
		...inkOptions,
		stdout: frames,
		stdin: keys,
	});
	const unlisten = [
		...followOptions(options, shell, chosen),
		terminal.onResize(size => frames.resize(size)),
		followLooks(options, next => {
			theme = next;
			app.rerender(<App {...{shell, painter}} services={{...services, theme}} />);
		}),
	];
	// Last, because what was typed so far comes at once, and may be to leave.
	const turns = createKeyTurns(createReceiver({...receiving(options, painter), shell, services}));
	unlisten.push(terminal.onInput(turns.take), turns.drop, ...closesOf(services));

	function leave(): void {
		for (const stop of unlisten) stop();
		painter.close();
		app.unmount();
		live.clear();
	}
	return {left: app.waitUntilExit().then(() => undefined), leave};
}

/** Ends what asks and listens by itself. */
function closesOf({renting: {ssh, runs}, fleet, offers: {priceWatches}}: Services) {
	return [ssh, runs, fleet, priceWatches].map(({close}) => close);
}

function receiving({terminal, welcome}: ConsoleOptions, {click}: FramePainter) {
	return {terminal, click, isFirstSession: welcome !== undefined};
}

function welcomeOf({welcome}: ConsoleOptions): Message | undefined {
	return welcome === undefined ? undefined : {text: welcome, isError: false};
}

/** Query client of the service, with the results of the last run. */
function openLive({memory, service, settings}: ConsoleOptions) {
	const live = createLive();
	if (memory !== undefined) {
		keepOffers(live, memory, service.name, defaultSearch(settings.get()));
	}
	return live;
}

/** Refuses screens whose own keys collide. */
function assertSoundKeys(): void {
	assertNoCollisions('Everywhere', appBindings);
	for (const {title, bindings} of screenBindings) assertNoCollisions(title, bindings);
}

/** In debug mode every frame is written whole, and nothing is written but frames. */
const inkOptions = {debug: true, interactive: true, patchConsole: false, exitOnCtrlC: false};

/** Follows what is measured, what is set, and what is wrong with it. */
function followOptions(
	{terminal, settings, problem, desk, elsewhere}: ConsoleOptions,
	shell: Shell,
	chosen: ChosenKeys,
): ReadonlyArray<() => void> {
	return [
		followLine(terminal, shell.pulse),
		sayProblems(chosen.problem, shell),
		sayProblems(problem, shell),
		sayProblems(desk?.trouble, shell),
		sayProblems(elsewhere?.trouble, shell),
		chosen.close,
		followMouse(settings, terminal),
	];
}

/** Measures the link to the terminal, but not at once: while the program starts it is itself the slow one. */
function followLine(terminal: Terminal, pulse: Store<Pulse>): () => void {
	terminal.onSlow(isLineSlow => pulse.set({...pulse.get(), isLineSlow}));
	const measuring = setTimeout(
		() => terminal.measureLink(linkMs => pulse.set({...pulse.get(), linkMs})),
		LINK_DELAY_MS,
	);
	return () => clearTimeout(measuring);
}

/** Says what is wrong, at once and whenever it changes. */
function sayProblems(problem: ConsoleOptions['problem'], {message}: Shell): () => void {
	const say = () => {
		const text = problem?.get();
		if (text !== undefined) message.set({text, isError: true});
	};
	say();
	// Behind what a key says of itself: that something is set matters less than that it is not kept.
	return problem?.subscribe(() => queueMicrotask(say)) ?? (() => {});
}

/** Has the mouse reported for as long as the settings want it. */
function followMouse(settings: SettingsStore, {setMouse}: Terminal): () => void {
	const follow = () => setMouse(settings.get().mouse);
	follow();
	return settings.subscribe(follow);
}

/**
 * Opens something when it is first asked for, and again after it failed. What the service needs is
 * loaded when the first frame has been shown, and not before.
 */
function openedOnce<Value>(open: () => Promise<Value>): () => Promise<Value> {
	let opened: Promise<Value> | undefined;
	return async () => {
		opened ??= new Promise(resolve => setImmediate(resolve)).then(open);
		try {
			return await opened;
		} catch (error) {
			opened = undefined;
			throw error;
		}
	};
}
