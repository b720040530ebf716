import {QueryClientProvider} from '@tanstack/react-query';
import {Box, useWindowSize} from 'ink';
import {useMemo, useState} from 'react';
import {notNow, wholeText} from '../ui/message.ts';
import {goOnce, showTab, tabs, createQuitWarning} from '../services/router.ts';
import {appBindings, type AppTarget} from './app-bindings.ts';
import {LEAST_COLUMNS, LEAST_ROWS} from '../ui/chrome.ts';
import {Bands, PainterProvider, type Painter, useStore} from '../ui/painted.tsx';
import {TooSmall, WholeText} from '../ui/notice.tsx';
import {CustomCommands} from './custom-commands.tsx';
import {bandsAround, FRAME_LINES} from './frame.ts';
import {KeyScope, KeymapRoot} from '../ui/key-scope.tsx';
import {Covered, type Overlay} from './overlays.tsx';
import {entrySource} from './palette/entries.ts';
import type {ReachableScope} from '../ui/keymap.ts';
import {createPalette, type Palette} from './palette/state.ts';
import {Screen} from '../screens/screen.tsx';
import {type Services, ServicesProvider, useServices} from '../services/services.tsx';
import type {Stage} from './stage.ts';
import type {Key} from '../terminal/input/keys.ts';

export type Shell = Stage & {
	/** Hands a key to an input component of Ink's, for as long as it has the keyboard. */
	readonly typeToInk: (key: Key) => boolean;
	readonly quit: () => void;
	readonly redraw: () => void;
	readonly suspend: () => void;
};

type Props = {readonly shell: Shell; readonly services: Services; readonly painter: Painter};

/** The console: the lines around every screen, and the present screen. */
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
	const room = {
		columns: Math.max(size.columns, least.columns),
		rows: Math.max(size.rows, least.rows),
	};
	// A screen stays mounted while it does not fit, with its dialog and all that was typed there.
	return (
		<>
			<Box display={fits ? 'flex' : 'none'}>
				<Frame shell={shell} size={room} />
			</Box>
			{!fits && <TooSmall size={size} least={least} />}
		</>
	);
}

type FrameProps = {
	readonly shell: Shell;
	readonly size: {readonly columns: number; readonly rows: number};
};

function Frame({shell, size: {columns, rows}}: FrameProps) {
	const [overlay, setOverlay] = useState<Overlay>();
	const stack = useStore(shell.router.stack);
	const {theme, fleet, hasMachines, terminal} = useServices();
	const {alerts} = terminal;
	const around = useMemo(
		() => bandsAround(shell, {theme, fleet: fleet.state, alerts, hasMachines}, columns),
		[shell, theme, fleet, alerts, hasMachines, columns],
	);
	const {message} = shell;
	const whole = useStore(message, said => wholeText(columns, said));
	const stackEntry = stack.at(-1);
	const secret = useStore(terminal.secrets.shown);
	const [palette] = useState(() => createPalette((_, reason) => message.set(notNow(reason))));
	const target = useAppTarget(shell, palette, setOverlay);
	const room = useMemo(() => ({columns, rows: rows - FRAME_LINES}), [columns, rows]);
	return (
		<KeyScope title="Everywhere" bindings={appBindings} target={target}>
			<Box flexDirection="column" width={columns} height={rows}>
				<Bands bands={around.above} />
				<Box flexDirection="column" height={room.rows} flexShrink={0} overflow="hidden">
					{whole === undefined || secret !== undefined ? (
						<Covered
							{...{message, palette, overlay, secret}}
							size={room}
							onClose={() => setOverlay(undefined)}
						>
							{stackEntry !== undefined && (
								<CustomCommands {...{stackEntry}} size={room} say={shell.message.set}>
									<Screen
										stackEntry={stackEntry}
										router={shell.router}
										size={room}
										say={shell.message.set}
									/>
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
				<Bands bands={around.below} />
			</Box>
		</KeyScope>
	);
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
	const [leaving] = useState(() => createQuitWarning({router, message, now, underWay}));
	const quit = () => leaving(shell.quit);
	const say = (text: string) => message.set({text, isError: false});
	const help = (scope: ReachableScope) => setOverlay({kind: 'help', scopes: [scope]});
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
		actions: () =>
			setOverlay({kind: 'actions', scopes: keymap.reachable(), release: keymap.hold()}),
		palette: () =>
			palette.open(
				entrySource(keymap.reachable(), {...services, router, say, help}),
				keymap.hold(),
			),
		goToTab(digit) {
			const destination = tabs.find(({key}) => key === String(digit))?.destination;
			if (destination !== undefined) showTab(router, destination);
		},
		account: () => goOnce(router, 'account'),
		alerts: () => goOnce(router, 'alerts'),
		undo: () => goOnce(router, 'undo'),
		lastTab: () => void router.last(),
		lastTabUnavailable: () => (router.hasLast() ? undefined : 'no other tab was shown yet'),
	};
}
