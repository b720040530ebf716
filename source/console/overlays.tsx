/** What is drawn in the place of a screen: help, and the list of actions. */
import type {Shell} from './app.tsx';
import {ActionsMenu} from './components/actions-menu.tsx';
import {Help} from './components/help.tsx';
import type {ReachableScope} from './keymap.ts';
import {useServices} from './services.tsx';
import type {Size} from './terminal/terminal.ts';

export type Overlay =
	| {readonly kind: 'help' | 'actions'; readonly scopes: readonly ReachableScope[]}
	| undefined;

type OverProps = {
	readonly overlay: Overlay;
	readonly shell: Pick<Shell, 'typeToInk' | 'message'>;
	readonly size: Size;
	readonly onClose: () => void;
};

export function Over({overlay, shell, size: {columns, rows}, onClose}: OverProps) {
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
