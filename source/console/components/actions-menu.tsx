import {Box, Text} from 'ink';
import {actionsBindings} from '../app-bindings.ts';
import {writeKeys, type Reachable} from '../bindings.ts';
import {KeyScope} from '../key-scope.tsx';
import {Select} from './choice.tsx';
import type {ReachableScope} from '../keymap.ts';
import type {Key} from '../terminal/input/keys.ts';
import {fit} from '../../renter/text/text-width.ts';
import type {Theme} from '../theme.ts';

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
export function ActionsMenu({scopes, theme, width, height, onType, onChoose, onClose}: Props) {
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
