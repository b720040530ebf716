/** Overlays: help, the list of actions, the palette, a secret. */
import {Box} from 'ink';
import {type ReactNode} from 'react';
import {ActionsMenu} from './components/actions-menu.tsx';
import {Help} from './components/help.tsx';
import {useStore} from './components/use-store.ts';
import type {ReachableScope} from './keymap.ts';
import type {Message} from './message.ts';
import type {Store} from '../renter/store.ts';
import {paletteHeight, PaletteOver} from './palette/palette.tsx';
import type {Palette} from './palette/state.ts';
import {SecretOver} from './secret-over.tsx';
import {useServices, useTerminal} from './services.tsx';
import type {SecretOnScreen} from './shown-secrets.ts';
import type {Size} from './terminal/terminal.ts';

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
				else message.set({text: `Not now (${binding.title}): ${reason}.`, isError: false});
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
				<SecretOver secret={secret} size={over.size} />
			)}
		</>
	);
}
