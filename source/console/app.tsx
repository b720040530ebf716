import {QueryClientProvider} from '@tanstack/react-query';
import {Box, Text, useWindowSize} from 'ink';
import {useMemo, useState} from 'react';
import {appBindings, type AppTarget} from './app-bindings.ts';
import {
	headerLine,
	LEAST_COLUMNS,
	LEAST_ROWS,
	tabsLine,
	type Pulse,
	type ServiceName,
} from './chrome.ts';
import type {Rebound} from './bindings.ts';
import {hintsLine} from './components/hints.ts';
import {Painted, PainterProvider, type Painter} from './components/painted.tsx';
import {TooSmall} from './components/too-small.tsx';
import {WholeText} from './components/whole-text.tsx';
import {useStore} from './components/use-store.ts';
import {CustomCommands} from './custom/custom-commands.tsx';
import {fleetWords, troubleCount} from '../renter/fleet/fleet-words.ts';
import {KeyScope, KeymapRoot} from './key-scope.tsx';
import type {Keymap} from './keymap.ts';
import {alertWords} from '../renter/alerts/kept-alerts.ts';
import {createLeaving} from './leaving.ts';
import {belowLine, messageLine, wholeText, type Message} from './message.ts';
import {Covered, type Overlay} from './overlays.tsx';
import {entrySource} from './palette/entries.ts';
import {createPalette, type Palette} from './palette/state.ts';
import type {Router} from './router.ts';
import {tabOf, tabs} from './screens/index.ts';
import {Screen} from './screens/screen.tsx';
import {useShownSecret} from './secret-over.tsx';
import {type Services, ServicesProvider, useServices} from './services.tsx';
import {derived, type Store} from '../renter/store.ts';
import type {Key} from './terminal/input/keys.ts';

/** Everything around the screens. */
export type Shell = {
	readonly keymap: Keymap;
	/** Bindings with the keys that the user chose. */
	readonly rebound: Rebound;
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

type Props = {readonly shell: Shell; readonly services: Services; readonly painter: Painter};

/** The console: what every screen has around it, and the screen of the present place. */
export function App({shell, services, painter}: Props) {
	return (
		<ServicesProvider value={services}>
			<QueryClientProvider client={services.live}>
				<PainterProvider value={painter}>
					<KeymapRoot keymap={shell.keymap} rebound={shell.rebound}>
						<Fitting shell={shell} />
					</KeymapRoot>
				</PainterProvider>
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

type FrameProps = {
	readonly shell: Shell;
	readonly size: {readonly columns: number; readonly rows: number};
};

function Frame({shell, size: {columns, rows}}: FrameProps) {
	const [overlay, setOverlay] = useState<Overlay>();
	const stack = useStore(shell.router.stack);
	const chrome = useChrome(shell, columns);
	const {message} = shell;
	const whole = useStore(message, said => wholeText(columns, said));
	const place = stack.at(-1);
	const secret = useShownSecret();
	const [palette] = useState(() => createPalette(refuseIn(shell)));
	const target = useAppTarget(shell, palette, setOverlay);
	const room = useMemo(() => ({columns, rows: rows - LINES_AROUND}), [columns, rows]);
	const active = stack.map(({destination}) => tabOf[destination.name]).findLast(isKnown) ?? 0;
	return (
		<KeyScope title="Everywhere" bindings={appBindings} target={target}>
			<Box flexDirection="column" width={columns} height={rows}>
				<Painted source={chrome.header} width={columns} height={1} />
				<Tabs width={columns} active={active} />
				<Box flexDirection="column" height={room.rows} flexShrink={0} overflow="hidden">
					{whole === undefined || secret !== undefined ? (
						<Covered
							{...{message, palette, overlay, secret}}
							size={room}
							onClose={() => setOverlay(undefined)}
						>
							{place !== undefined && (
								<CustomCommands {...{place}} size={room} say={shell.message.set}>
									<Screen place={place} router={shell.router} size={room} say={shell.message.set} />
								</CustomCommands>
							)}
						</Covered>
					) : (
						<WholeText
							text={whole}
							width={room.columns}
							height={room.rows}
							onClose={() => shell.message.set(undefined)}
						/>
					)}
				</Box>
				<Painted source={chrome.message} width={columns} height={1} />
				<Painted source={chrome.hints} width={columns} height={1} />
			</Box>
		</KeyScope>
	);
}

/** Says why something cannot be done. */
function refuseIn({message}: Shell) {
	return ({title}: {readonly title: string}, reason: string) =>
		message.set({text: `Not now (${title}): ${reason}.`, isError: false});
}

function isKnown(tab: number | undefined): tab is number {
	return tab !== undefined;
}

function useAppTarget(
	shell: Shell,
	palette: Palette,
	setOverlay: (overlay: Overlay) => void,
): AppTarget {
	const services = useServices();
	const {keymap, router, message, redraw, suspend} = shell;
	const {now} = services.time;
	const {underWay} = services.renting.runs;
	const [leaving] = useState(() => createLeaving({router, message, now, underWay}));
	const quit = () => leaving(shell.quit);
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
		palette: () => palette.open(entrySource(keymap.reachable(), {...services, router})),
		goToTab(digit) {
			const destination = tabs.find(({key}) => key === String(digit))?.destination;
			if (destination !== undefined) router.visit(destination);
		},
		account: () => goOnce(router, 'account'),
		alerts: () => goOnce(router, 'alerts'),
		undo: () => goOnce(router, 'undo'),
		lastTab: () => void router.last(),
		lastTabUnavailable: () => (router.hasLast() ? undefined : 'no other tab was shown yet'),
	};
}

/** Goes to a place of its own, unless that is shown. */
function goOnce(router: Router, name: 'account' | 'alerts' | 'undo'): void {
	if (router.stack.get().at(-1)?.destination.name !== name) router.go({name});
}

/** The tabs; that of instances says how many are in trouble. Drawn anew when that number changes. */
function Tabs({width, active}: {readonly width: number; readonly active: number}) {
	const {theme, fleet} = useServices();
	const trouble = useStore(fleet.state, ({troubles}) => troubleCount(troubles));
	const named = tabs.map(tab =>
		tab.destination.name === 'instances' && trouble > 0
			? {...tab, title: `${tab.title} ${trouble}!`, short: `${tab.short} ${trouble}!`}
			: tab,
	);
	return <Text wrap="truncate">{tabsLine(theme, width, named, active)}</Text>;
}

/** The lines around every screen. */
function useChrome({keymap, message, pulse, service}: Shell, columns: number) {
	const {theme, fleet, terminal} = useServices();
	const {alerts} = terminal;
	return useMemo(
		() => ({
			header: derived([pulse, fleet.state, alerts], () => [
				headerLine(theme, columns, service, pulse.get(), {
					...fleetWords(fleet.state.get()),
					alerts: alertWords(alerts.get()),
				}),
			]),
			message: derived([message], () => [messageLine(theme, columns, message.get())]),
			hints: derived([keymap.changes, message], () => [
				belowLine(columns, message.get()) ?? hintsLine(theme, columns, keymap.reachable()),
			]),
		}),
		[keymap, message, pulse, service, theme, fleet, alerts, columns],
	);
}
