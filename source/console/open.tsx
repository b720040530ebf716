import {render} from 'ink';
import type {Client} from '../client/client.ts';
import {App} from './app.tsx';
import type {Shell} from './app.tsx';
import {appBindings} from './app-bindings.ts';
import {assertNoCollisions} from './bindings.ts';
import {LEAST_COLUMNS, LEAST_ROWS, noPulse} from './chrome.ts';
import type {ServiceName} from './chrome.ts';
import {createFramePainter} from './frame-painter.ts';
import {FrameStream, KeyStream} from './ink-streams.ts';
import {createKeymap} from './keymap.ts';
import {createLive, keepOffers} from './live.ts';
import type {Memory} from './memory.ts';
import {messageOf} from './message.ts';
import type {Message} from './message.ts';
import {createRouter} from './router.ts';
import {screenBindings} from './screens/index.ts';
import {defaultSearch} from './screens/offers/search.ts';
import type {Settings} from './default-settings.ts';
import {createStore} from './store.ts';
import type {Input} from './terminal/input/input-filter.ts';
import type {Terminal} from './terminal/terminal.ts';
import type {Theme} from './theme.ts';

export {openMemory} from './memory.ts';

/** How long after the start the link to the terminal is measured. */
const LINK_DELAY_MS = 1000;

export type ConsoleOptions = {
	readonly terminal: Terminal;
	readonly service: ServiceName;
	/** Opens the client of the service; called while the first frame is shown. */
	readonly client: (onExchange: (ms: number) => void) => Promise<Client>;
	readonly settings: Settings;
	/** What was seen last time; undefined where nothing is kept. */
	readonly memory?: Memory;
	readonly theme: Theme;
	readonly now: () => Date;
	/** Something to say at once: a settings file that could not be read. */
	readonly message?: Message | undefined;
};

export type Console = {
	/** Settles when the console is left; fails with what broke it. */
	readonly left: Promise<void>;
	readonly leave: () => void;
};

/** Opens the console on a terminal. */
export function openConsole(options: ConsoleOptions): Console {
	const {terminal, service, settings, theme, now} = options;
	assertNoCollisions('Everywhere', appBindings);
	for (const {title, bindings} of screenBindings) assertNoCollisions(title, bindings);

	const keys = new KeyStream();
	const painter = createFramePainter(terminal.screen);
	const frames = new FrameStream(terminal.size(), painter.draw);
	const pulse = createStore(noPulse);
	const onExchange = (apiMs: number) => pulse.set({...pulse.get(), apiMs, answeredAt: now()});
	const live = createLive();
	if (options.memory !== undefined) {
		keepOffers(live, options.memory, service.name, defaultSearch(settings));
	}
	const shell: Shell = {
		keymap: createKeymap(),
		router: createRouter({name: 'offers'}),
		service,
		pulse,
		message: createStore<Message | undefined>(options.message),
		typeToInk: key => keys.type(key),
		quit: () => leave(),
		redraw: () => painter.redraw(),
		suspend: () => terminal.suspend(),
	};
	const client = openedOnce(() => options.client(onExchange));
	const app = render(
		<App shell={shell} services={{client, live, settings, theme, painter}} />,
		// In debug mode every frame is written whole, and nothing is written but frames.
		{
			stdout: frames,
			stdin: keys,
			debug: true,
			interactive: true,
			patchConsole: false,
			exitOnCtrlC: false,
		},
	);
	// While the program starts it is itself the slow one.
	const measuring = setTimeout(
		() => terminal.measureLink(linkMs => pulse.set({...pulse.get(), linkMs})),
		LINK_DELAY_MS,
	);
	const unlisten = [terminal.onResize(size => frames.resize(size))];
	// Last, because what was typed so far comes at once, and may be to leave.
	unlisten.push(terminal.onInput(input => receive(shell, terminal, input)));

	function leave(): void {
		clearTimeout(measuring);
		for (const stop of unlisten) stop();
		painter.close();
		app.unmount();
		live.clear();
	}
	return {
		left: app.waitUntilExit().then(() => undefined),
		leave,
	};
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

/** Acts on what was typed. */
function receive(shell: Shell, terminal: Terminal, input: Input): void {
	if (input.kind !== 'key') return;
	const {key, isBurst} = input;
	const {columns, rows} = terminal.size();
	if (columns < LEAST_COLUMNS || rows < LEAST_ROWS) {
		if (key === 'q' || key === 'Ctrl-C') shell.quit();
		return;
	}
	shell.message.set(undefined);
	const message = messageOf(shell.keymap.press(key, isBurst));
	if (message !== undefined) shell.message.set(message);
}
