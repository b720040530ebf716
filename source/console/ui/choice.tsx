import {Box, Text} from 'ink';
import SelectInput from 'ink-select-input';
import {KeyScope} from './key-scope.tsx';
import type {Key} from '../terminal/input/keys.ts';
import type {Theme} from './theme.ts';
import {choiceBindings} from './dialog-bindings.ts';

type Props = {
	readonly title: string;
	readonly choices: readonly string[];
	/** The one that holds now. */
	readonly chosen: string;
	readonly theme: Theme;
	readonly size: {readonly columns: number; readonly rows: number};
	/** Hands a key to the list. */
	readonly onType: (key: Key) => boolean;
	readonly onChoose: (choice: string) => void;
	readonly onClose: () => void;
};

/** One of a few, chosen from a list in the place of the screen. */
export function Choice(props: Props) {
	const {title, choices, chosen, theme, size, onType, onChoose, onClose} = props;
	return (
		<KeyScope
			isModal
			title="Choice"
			bindings={choiceBindings}
			target={{close: onClose}}
			onText={onType}
		>
			<Box flexDirection="column" width={size.columns} height={size.rows} overflow="hidden">
				<Text>{`${theme.style('heading', title.toUpperCase())}  j k choose, Enter takes it`}</Text>
				<Text> </Text>
				<Select
					items={choices.map(choice => ({label: choice, value: choice}))}
					initialIndex={Math.max(0, choices.indexOf(chosen))}
					onSelect={({value}) => onChoose(value)}
				/>
			</Box>
		</KeyScope>
	);
}

type SelectProps<Value> = Parameters<typeof SelectInput<Value>>[0];

/** The list of `ink-select-input`, with the cursor that all our lists have. */
export function Select<Value>(props: SelectProps<Value>) {
	return <SelectInput {...props} indicatorComponent={Cursor} />;
}

function Cursor({isSelected = false}: {readonly isSelected?: boolean}) {
	return <Text>{isSelected ? '> ' : '  '}</Text>;
}
