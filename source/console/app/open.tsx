import {render} from 'ink';
import {App, type Shell} from './app.tsx';
import {appBindings} from './app-bindings.ts';
import {assertNoCollisions} from '../ui/bindings.ts';
import {createFramePainter, type FramePainter, FrameStream, KeyStream} from './frame-painter.ts';
import {keepOffers} from '../queries/offers.ts';
import type {Pulse} from '../ui/chrome.ts';
import {noProfileSwitcher} from '../services/profile-switcher.ts';
import {createKeyReceiver, createKeyTurns} from './key-receiver.ts';
import {screenBindings} from '../screens/index.ts';
import {defaultSearch} from '../screens/offers/search.ts';
import type {SettingsStore} from '../../renter/settings/default-settings.ts';
import {followLooks, openServices} from './open-services.ts';
import {type Services, createLive} from '../services/services.tsx';
import {createStage, type ConsoleOptions} from './stage.ts';
import type {Store} from '../../renter/state/store.ts';
import type {Terminal} from '../terminal/terminal.ts';
import {withGlyphs} from '../ui/theme.ts';

export {tidyAtRest} from './rest.ts';
export {openFleetMemory} from '../../renter/fleet/fleet-memory.ts';
export {openUndoHistory} from '../../renter/actions/undo-history.ts';
export {openLineHistory} from '../../renter/offers/line-history.ts';
export {keepKeysIn} from '../../renter/nouns/instance-keys.ts';
export {sshPlaces} from '../../renter/connect/ssh.ts';

/** Runs other programs. What does that is loaded when it is first needed. */
export const programs: Pick<ConsoleOptions, 'run' | 'fillTmux'> = {
	async run(command) {
		const {runProgram} = await import('./run-program.ts');
		return runProgram(command);
	},
	async fillTmux(text) {
		const {fillTmux} = await import('./run-program.ts');
		fillTmux(text);
	},
};

/** Delay from the start to measuring the link to the terminal. */
const LINK_DELAY_MS = 1000;

type Console = {
	/** Settles when the console is left; fails with what broke it. */
	readonly left: Promise<void>;
	readonly leave: () => void;
};

/** Opens the console on a terminal. */
export function openConsole(options: ConsoleOptions, stage = createStage(options)): Console {
	const {terminal, now} = options;
	assertSoundKeys();
	const keys = new KeyStream();
	let theme = options.theme(options.settings.get());
	const painter = createFramePainter(
		terminal.screen,
		text => withGlyphs(theme, text),
		() => turns.isWaiting(),
		terminal.whenFree,
	);
	const frames = new FrameStream(terminal.size(), painter.draw);
	const {pulse} = stage;
	const {switcher = noProfileSwitcher(() => now().getTime())} = options;
	const onExchange = (apiMs: number) => {
		pulse.set({...pulse.get(), apiMs, answeredAt: now()});
		switcher.exchanges.answered(apiMs);
	};
	const live = openLive(options);
	const shell: Shell = {
		...stage,
		typeToInk: key => keys.type(key),
		quit: () => leave(),
		redraw: () => painter.redraw(),
		suspend() {
			turns.drop();
			terminal.suspend();
		},
	};
	const client = openedOnce(() => options.client(onExchange));
	const services = openServices({client, live, options, switcher, shell, painter});
	const app = render(<App {...{shell, painter, services}} />, {
		...inkOptions,
		stdout: frames,
		stdin: keys,
	});
	const unlisten = [
		stage.close,
		followLine(options.terminal, pulse),
		followMouse(options.settings, terminal),
		terminal.onResize(size => frames.resize(size)),
		followLooks(options, next => {
			theme = next;
			app.rerender(<App {...{shell, painter}} services={{...services, theme}} />);
		}),
	];
	// Last, because what was typed so far comes at once, and may be to leave.
	const turns = createKeyTurns(
		createKeyReceiver({...receiving(options, painter), shell, services}),
	);
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

/** Query client of the service, with the results of the last run. */
function openLive({memory, service, settings}: ConsoleOptions) {
	const live = createLive();
	if (memory !== undefined) {
		keepOffers(live, memory, service.name, defaultSearch(settings.get()));
	}
	return live;
}

/** Throws for screens whose own keys collide. */
function assertSoundKeys(): void {
	assertNoCollisions('Everywhere', appBindings);
	for (const {title, bindings} of screenBindings) assertNoCollisions(title, bindings);
}

/** In debug mode every frame is written whole, and nothing is written but frames. */
const inkOptions = {debug: true, interactive: true, patchConsole: false, exitOnCtrlC: false};

/** Measures the link to the terminal later, as the start of the program would be measured too. */
function followLine(terminal: Terminal, pulse: Store<Pulse>): () => void {
	terminal.onSlow(isLineSlow => pulse.set({...pulse.get(), isLineSlow}));
	const measuring = setTimeout(
		() => terminal.measureLink(linkMs => pulse.set({...pulse.get(), linkMs})),
		LINK_DELAY_MS,
	);
	return () => clearTimeout(measuring);
}

/** Has the mouse reported for as long as the settings want it. */
function followMouse(settings: SettingsStore, {setMouse}: Terminal): () => void {
	const follow = () => setMouse(settings.get().mouse);
	follow();
	return settings.subscribe(follow);
}

/**
 * Opens a value on first use, and again after a failure. The code for the service is loaded after the
 * first frame.
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
