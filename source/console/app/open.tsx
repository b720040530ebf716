import type {Router} from '../services/router.ts';
import {render} from 'ink';
import {App, type Shell} from './app.tsx';
import {appBindings} from './app-bindings.ts';
import {assertNoCollisions} from '../ui/bindings.ts';
import {createFramePainter, FrameStream, KeyStream} from './frame-painter.ts';
import {exitText} from '../../renter/fleet/fleet-texts.ts';
import {keepOffers} from '../queries/offers.ts';
import {followMouse} from './mouse.ts';
import type {Pulse} from '../ui/chrome.ts';
import {openClipboard} from '../services/shown-secrets.ts';
import {noProfileSwitcher} from '../services/profile-switcher.ts';
import {createKeyReceiver, createKeyTurns} from './key-receiver.ts';
import {screenBindings} from '../screens/index.ts';
import {defaultSearch} from '../screens/offers/search.ts';
import {onThemeChange, openServices} from './open-services.ts';
import {type Services, createLive} from '../services/services.tsx';
import {createStage, type ConsoleOptions} from './stage.ts';
import type {Store} from '../../renter/state/store.ts';
import type {Terminal} from '../terminal/terminal.ts';
import {withGlyphs} from '../ui/glyphs.ts';

export {tidyAtRest} from './rest.ts';
export {openFleetMemory} from '../../renter/fleet/fleet-memory.ts';
export {openUseHistory} from '../../renter/history/use-history.ts';
export {openKeptLists} from '../../renter/fleet/kept-list.ts';
export {openRunBook} from '../../renter/training/kept-runs.ts';
export {openExaminedBook} from '../../renter/instance/examined.ts';
export {openUndoHistory} from '../../renter/actions/undo-history.ts';
export {openLineHistory} from '../../renter/offers/line-history.ts';
export {keepKeysIn, noOwnKeys} from '../../renter/nouns/instance-keys.ts';
export {sshPathsOf as sshPlaces} from '../../renter/connect/ssh.ts';

/** The code is loaded on first use. */
export const outsidePrograms: Pick<ConsoleOptions, 'run' | 'fillTmux' | 'tmuxMouse'> = {
	async run(command) {
		const {runProgram} = await import('./run-program.ts');
		return runProgram(command);
	},
	async fillTmux(text) {
		const {fillTmux} = await import('./run-program.ts');
		await fillTmux(text);
	},
	async tmuxMouse() {
		const {tmuxMouse} = await import('./run-program.ts');
		return tmuxMouse();
	},
};

const LINK_DELAY_MS = 1000;

type Console = {
	/** Settles when the console is left, with what goes on costing; rejects with the error that broke it. */
	readonly left: Promise<string>;
	readonly leave: () => void;
};

export function openConsole(options: ConsoleOptions, stage = createStage(options)): Console {
	const {terminal, now, memory, service, environment, welcome, fillTmux} = options;
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
	const live = createLive();
	if (memory !== undefined) {
		keepOffers(live, memory, service.name, defaultSearch(options.settings.get()));
	}
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
		terminal.onResize(size => frames.resize(size)),
		onThemeChange(options, next => {
			theme = next;
			app.rerender(<App {...{shell, painter}} services={{...services, theme}} />);
		}),
	];
	// Last, because keys typed so far come at once, and may leave.
	const mouse = followMouse({tmuxMouse: async () => false, ...options});
	unlisten.push(mouse.stop);
	const receive = createKeyReceiver({
		shell,
		services,
		terminal,
		mouse,
		ground: painter.mouse,
		copy: openClipboard({environment, send: terminal.send, fillTmux}),
		environment,
		nowMs: () => now().getTime(),
		isFirstSession: welcome !== undefined,
	});
	const turns = createKeyTurns(receive, () => screenName(shell.router));
	unlisten.push(terminal.onInput(turns.take), turns.drop, ...closesOf(services));

	function leave(): void {
		for (const stop of unlisten) stop();
		painter.close();
		app.unmount();
		live.clear();
	}
	return {left: app.waitUntilExit().then(() => exitText(services.fleet.state.get())), leave};
}

/** Screen that is shown: a destination that differs only in its view is the same screen. */
function screenName({stack}: Router): string {
	const destination = stack.get().at(-1)?.destination;
	if (destination === undefined) return '';
	return 'id' in destination ? `${destination.name} ${destination.id}` : destination.name;
}

function closesOf({renting: {ssh, runs}, fleet, offers: {priceWatches}}: Services) {
	return [ssh, runs, fleet, priceWatches].map(({close}) => close);
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
