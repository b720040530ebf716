/** Overlays: help, the list of actions, the palette, a secret. */
import {Box, Text} from 'ink';
import type {ReactNode} from 'react';
import {SecretDialog} from '../ui/secret-dialog.tsx';
import {useStore} from '../ui/use-store.ts';
import {useServices, useTerminal} from '../services/services.tsx';
import type {SecretOnScreen} from '../services/shown-secrets.ts';
import type {Size} from '../terminal/terminal.ts';
import {Help} from './help.tsx';
import type {ReachableScope} from '../ui/keymap.ts';
import {notNow, type Message} from '../ui/message.ts';
import type {Store} from '../../renter/state/store.ts';
import {paletteHeight, PaletteOver} from './palette/palette.tsx';
import type {Palette} from './palette/state.ts';
import {actionsBindings} from './app-bindings.ts';
import {writeKeys, type Reachable} from '../ui/bindings.ts';
import {KeyScope} from '../ui/key-scope.tsx';
import {Select} from '../ui/dialog.tsx';
import type {Key} from '../terminal/input/keys.ts';
import {fit} from '../../renter/text/text-width.ts';
import type {Theme} from '../ui/theme.ts';

type Props = {
	readonly scopes: readonly ReachableScope[];
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
	/** Hands a key to the list. */
	readonly onType: (key: Key) => boolean;
	readonly onChoose: (binding: Reachable) => void;
	readonly onClose: () => void;
};

const LINES_ABOVE = 2;

/** Everything that can be done here, to choose from: the key that does it, and why if it cannot. */
function ActionsMenu({scopes, theme, width, height, onType, onChoose, onClose}: Props) {
	const bindings = scopes.flatMap(scope => scope.bindings);
	const items = bindings.map((binding, value) => {
		const reason = binding.unavailable();
		const title = reason === undefined ? binding.title : `${binding.title} [${reason}]`;
		return {value, label: fit(`${fit(writeKeys(binding.keys), 12)} ${title}`, width - 3)};
	});
	return (
		<KeyScope
			isModal
			isOver
			title="Actions"
			bindings={actionsBindings}
			target={{close: onClose}}
			onText={onType}
		>
			<Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
				<Text>{theme.style('heading', 'ACTIONS')} j k choose, Enter does it</Text>
				<Text> </Text>
				<Select
					items={items}
					limit={height - LINES_ABOVE}
					onSelect={({value}) => {
						const binding = bindings[value];
						if (binding !== undefined) onChoose(binding);
					}}
				/>
			</Box>
		</KeyScope>
	);
}

export type Overlay =
	| {readonly kind: 'help' | 'actions'; readonly scopes: readonly ReachableScope[]}
	| undefined;

type OverProps = {
	readonly overlay: Overlay;
	readonly message: Pick<Store<Message | undefined>, 'set'>;
	readonly size: Size;
	readonly onClose: () => void;
};

function Over({overlay, message, size: {columns, rows}, onClose}: OverProps) {
	const {theme} = useServices();
	const {typeToInk} = useTerminal();
	if (overlay === undefined) return null;
	const {kind, scopes} = overlay;
	const props = {scopes, theme, width: columns, height: rows, onType: typeToInk, onClose};
	if (kind === 'help') return <Help {...props} />;
	return (
		<ActionsMenu
			{...props}
			onChoose={binding => {
				onClose();
				const reason = binding.unavailable();
				if (reason === undefined) binding.run();
				else message.set(notNow(binding, reason));
			}}
		/>
	);
}

type CoveredProps = OverProps & {
	readonly secret: SecretOnScreen | undefined;
	readonly palette: Palette;
	readonly children: ReactNode;
};

/** The screen with what is drawn over it. It stays what it was, with all that was typed there. */
export function Covered({palette, secret, children, ...over}: CoveredProps) {
	const {theme} = useServices();
	const {columns, rows} = over.size;
	const isOpen = useStore(palette.view, state => state !== undefined);
	const isCovered = over.overlay !== undefined || secret !== undefined;
	const covered = isCovered ? rows : isOpen ? paletteHeight(rows) : 0;
	return (
		<>
			<Box height={rows - covered} flexShrink={0} flexDirection="column" overflow="hidden">
				<Box height={rows} flexShrink={0} flexDirection="column">
					{children}
				</Box>
			</Box>
			{secret === undefined ? (
				<>
					<Over {...over} />
					<PaletteOver {...{palette, theme}} width={columns} height={paletteHeight(rows)} />
				</>
			) : (
				<SecretDialog {...secret} theme={theme} size={over.size} />
			)}
		</>
	);
}
