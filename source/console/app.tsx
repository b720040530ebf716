import {QueryClientProvider} from '@tanstack/react-query';
import {Box, Text, useWindowSize} from 'ink';
import {useMemo, useState, useSyncExternalStore} from 'react';
import {appBindings} from './app-bindings.ts';
import type {AppTarget} from './app-bindings.ts';
import {headerLine, LEAST_COLUMNS, LEAST_ROWS, tabsLine} from './chrome.ts';
import type {Pulse, ServiceName} from './chrome.ts';
import {ActionsMenu} from './components/actions-menu.tsx';
import {Help} from './components/help.tsx';
import {hintsLine} from './components/hints.ts';
import {linesFrom} from './components/line-source.ts';
import {Painted} from './components/painted.tsx';
import type {LineSource} from './components/painted.tsx';
import {TooSmall} from './components/too-small.tsx';
import {KeyScope, KeymapRoot} from './key-scope.tsx';
import type {Keymap, ReachableScope} from './keymap.ts';
import {messageLine} from './message.ts';
import type {Message} from './message.ts';
import type {Router} from './router.ts';
import {tabOf, tabs} from './screens/index.ts';
import {Screen} from './screens/screen.tsx';
import {ServicesProvider, useServices} from './services.tsx';
import type {Services} from './services.tsx';
import type {Store} from './store.ts';
import type {Key} from './terminal/input/keys.ts';

/** Everything around the screens. */
export type Shell = {
	readonly keymap: Keymap;
	readonly router: Router;
	readonly service: ServiceName;
	readonly pulse: Store<Pulse>;
	readonly message: Store<Message | undefined>;
	/** Hands a key to an input component of Ink's, for as long as it has the keyboard. */
	readonly typeToInk: (key: Key) => boolean;
	readonly quit: () => void;
	readonly redraw: () => void;
	readonly suspend: () => void;
};

type Props = {readonly shell: Shell; readonly services: Services};

/** The console: what every screen has around it, and the screen of the present place. */
export function App({shell, services}: Props) {
	return (
		<ServicesProvider value={services}>
			<QueryClientProvider client={services.live}>
				<KeymapRoot keymap={shell.keymap}>
					<Fitting shell={shell} />
				</KeymapRoot>
			</QueryClientProvider>
		</ServicesProvider>
	);
}

function Fitting({shell}: {readonly shell: Shell}) {
	const size = useWindowSize();
	const least = {columns: LEAST_COLUMNS, rows: LEAST_ROWS};
	const fits = size.columns >= least.columns && size.rows >= least.rows;
	return fits ? <Frame shell={shell} size={size} /> : <TooSmall size={size} least={least} />;
}

/** Header, tabs, message and hints. */
const LINES_AROUND = 4;

type Overlay =
	| {readonly kind: 'help' | 'actions'; readonly scopes: readonly ReachableScope[]}
	| undefined;

type FrameProps = {
	readonly shell: Shell;
	readonly size: {readonly columns: number; readonly rows: number};
};

function Frame({shell, size: {columns, rows}}: FrameProps) {
	const {theme} = useServices();
	const [overlay, setOverlay] = useState<Overlay>();
	const stack = useSyncExternalStore(shell.router.stack.subscribe, shell.router.stack.get);
	const chrome = useChrome(shell, columns);
	const place = stack.at(-1);
	const target = useAppTarget(shell, setOverlay);
	const room = useMemo(() => ({columns, rows: rows - LINES_AROUND}), [columns, rows]);
	const active = place === undefined ? 0 : tabOf[place.destination.name];
	return (
		<KeyScope title="Everywhere" bindings={appBindings} target={target}>
			<Box flexDirection="column" width={columns} height={rows}>
				<Line hole={2} source={chrome.header} width={columns} />
				<Text wrap="truncate">{tabsLine(theme, columns, tabs, active)}</Text>
				<Box flexDirection="column" height={room.rows} flexShrink={0} overflow="hidden">
					{overlay === undefined && place !== undefined ? (
						<Screen place={place} router={shell.router} size={room} say={shell.message.set} />
					) : (
						<Over
							overlay={overlay}
							shell={shell}
							size={room}
							onClose={() => setOverlay(undefined)}
						/>
					)}
				</Box>
				<Line hole={3} source={chrome.message} width={columns} />
				<Line hole={4} source={chrome.hints} width={columns} />
			</Box>
		</KeyScope>
	);
}

function useAppTarget(shell: Shell, setOverlay: (overlay: Overlay) => void): AppTarget {
	const {keymap, router, quit, redraw, suspend} = shell;
	return {
		back: () => void router.back(),
		backUnavailable: () =>
			router.stack.get().length === 1 ? 'this is the first screen; q quits' : undefined,
		backOrQuit() {
			if (!router.back()) quit();
		},
		quit,
		redraw,
		suspend,
		help: () => setOverlay({kind: 'help', scopes: keymap.reachable()}),
		actions: () => setOverlay({kind: 'actions', scopes: keymap.reachable()}),
		goToTab(index) {
			const destination = tabs[index]?.destination;
			if (destination?.name === router.stack.get()[0]?.destination.name) while (router.back());
		},
	};
}

type OverProps = FrameProps & {readonly overlay: Overlay; readonly onClose: () => void};

function Over({overlay, shell, size: {columns, rows}, onClose}: OverProps) {
	const {theme} = useServices();
	if (overlay === undefined) return null;
	const {kind, scopes} = overlay;
	const props = {scopes, theme, width: columns, height: rows, onType: shell.typeToInk, onClose};
	if (kind === 'help') return <Help {...props} />;
	return (
		<ActionsMenu
			{...props}
			onChoose={binding => {
				onClose();
				const reason = binding.unavailable();
				if (reason === undefined) binding.run();
				else shell.message.set({text: `Not now (${binding.title}): ${reason}.`, isError: false});
			}}
		/>
	);
}

type LineProps = {
	readonly hole: number;
	readonly width: number;
	readonly source: LineSource;
};

/** A line that changes by itself, without anything around it being drawn again. */
function Line(props: LineProps) {
	return <Painted {...props} height={1} painter={useServices().painter} />;
}

/** The lines around every screen. */
function useChrome({keymap, message, pulse, service}: Shell, columns: number) {
	const {theme} = useServices();
	return useMemo(
		() => ({
			header: linesFrom([pulse], () => [headerLine(theme, columns, service, pulse.get())]),
			message: linesFrom([message], () => [messageLine(theme, columns, message.get())]),
			hints: linesFrom([keymap.changes], () => [hintsLine(theme, columns, keymap.reachable())]),
		}),
		[keymap, message, pulse, service, theme, columns],
	);
}
