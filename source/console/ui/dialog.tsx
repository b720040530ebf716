import {Text, Box} from 'ink';
import {useLayoutEffect, useState} from 'react';
import SelectInput from 'ink-select-input';
import {timeOfDay} from '../../renter/text/format.ts';
import {KeyScope} from './key-scope.tsx';
import {createStore, type Store} from '../../renter/state/store.ts';
import type {Key} from '../terminal/input/keys.ts';
import type {Theme} from './theme.ts';
import {
	ask,
	drop,
	isListening,
	recheckTargets,
	remaining,
	toggleTarget,
	typeAnswer,
	type Confirmation,
	type ActionTarget,
	type ConfirmationTiming,
	type ConfirmationQuestion,
} from './confirmation.ts';
import {
	choosingDialogBindings,
	dialogBindings,
	typedChoosingDialogBindings,
	typedDialogBindings,
	choiceBindings,
} from './dialog-bindings.ts';
import {dialogTarget, guarded, movesIn, type Answering} from './dialog-target.ts';
import {boxOver, boxContentSize} from './box.ts';
import {
	boxedDialog,
	dialogLines,
	targetAt,
	dialogView,
	type DialogFact,
	type DialogStyles,
} from './dialog-lines.ts';
import {Clicked, useStore} from './painted.tsx';

type Props = Answering & {
	/** Question at the opening of the dialog; later changes are ignored. */
	readonly question: ConfirmationQuestion;
	/** Targets in their present state, so that a change is noticed. */
	readonly present?: readonly ActionTarget[];
	/** Facts about the action, or about the chosen targets. */
	readonly facts:
		| readonly DialogFact[]
		| ((chosen: readonly ActionTarget[], withExtra: boolean) => readonly DialogFact[]);
	readonly theme: Theme;
	readonly size: {readonly columns: number; readonly rows: number};
	readonly now: () => Date;
	/** Round trip to the user's terminal, where it is known. */
	readonly linkMs: number | undefined;
	/** The rows that were shown before, over which it is a box if there is space; undefined for none. */
	readonly shownRows?: (count: number) => readonly string[];
};

/** Asks before data is lost or money paid, instead of the screen that asks. */
export function Dialog(props: Props) {
	const {question, present, facts, theme, size, now, linkMs} = props;
	const moment = (): ConfirmationTiming => ({nowMs: now().getTime(), linkMs});
	const [frozenAt] = useState(() => timeOfDay(now()));
	const [behind] = useState(() => props.shownRows?.(size.rows));
	const inBox = behind === undefined ? undefined : boxContentSize(size);
	const [asking] = useState(() => createStore(ask(question, moment())));
	const asked = useStore(asking);
	// Before another key: it must not agree to what was not drawn.
	useLayoutEffect(() => {
		if (present === undefined) return;
		asking.set(recheckTargets(asking.get(), present, {nowMs: now().getTime(), linkMs}));
	}, [asking, present, now, linkMs]);
	const styles: DialogStyles = {
		facts: typeof facts === 'function' ? facts(remaining(asked.question), asked.withExtra) : facts,
		frozenAt,
		theme,
		width: inBox?.columns ?? size.columns,
		height: inBox?.rows ?? size.rows,
	};
	useRead(asking, asked, dialogView(asked, styles).isAtEnd);
	const listening = (act: () => void) => {
		if (isListening(asking.get(), moment())) act();
		else asking.set(drop(asking.get()));
	};
	const placed =
		inBox === undefined
			? {lines: dialogLines(asked, styles), top: 0, left: 0}
			: boxOver(behind ?? [], size, theme, boxedDialog(asked, styles));
	const click = (row: number, column: number) => {
		const at = {line: row - placed.top, column: column - placed.left};
		return isListening(asking.get(), moment()) ? clickDialog(asking, styles, at) : undefined;
	};
	const target = guarded(dialogTarget(asking, props, movesIn(asking, styles)), listening);
	return (
		<KeyScope
			isModal
			title="Question"
			bindings={bindingsFor(asked)}
			target={target}
			onText={key => {
				listening(() => asking.set(typeAnswer(asking.get(), key) ?? asking.get()));
				return true;
			}}
		>
			<Clicked lines={placed.lines} width={size.columns} onClick={click} />
		</KeyScope>
	);
}

/** Moves the focus to a clicked button, which Enter presses, or leaves a clicked target out or in. */
function clickDialog(
	asking: Store<Confirmation>,
	styles: DialogStyles,
	at: {readonly line: number; readonly column: number},
): Key | undefined {
	const place = targetAt(asking.get(), styles, at);
	if (place === undefined) return undefined;
	if ('target' in place) {
		asking.set(toggleTarget({...asking.get(), cursor: place.target}));
		return undefined;
	}
	asking.set({...asking.get(), focus: place.button});
	return 'Enter';
}

/** Notes that the end was drawn, of the question as it is now: what changed since is to be read first. */
function useRead(asking: Store<Confirmation>, asked: Confirmation, isAtEnd: boolean): void {
	useLayoutEffect(() => {
		const isNews = isAtEnd && !asked.isRead && asking.get() === asked;
		if (isNews) asking.set({...asked, isRead: true});
	}, [asking, asked, isAtEnd]);
}

function bindingsFor({level, question: {canChoose = false}}: Confirmation) {
	if (level < 2) return canChoose ? choosingDialogBindings : dialogBindings;
	return canChoose ? typedChoosingDialogBindings : typedDialogBindings;
}

type ChoiceProps = {
	readonly title: string;
	readonly choices: readonly string[];
	readonly chosen: string;
	readonly theme: Theme;
	readonly size: {readonly columns: number; readonly rows: number};
	/** Hands a key to the list. */
	readonly onType: (key: Key) => boolean;
	readonly onChoose: (choice: string) => void;
	readonly onClose: () => void;
};

/** A list instead of the screen, to choose one of a few. */
export function Choice(props: ChoiceProps) {
	const {title, choices, chosen, theme, size, onType, onChoose, onClose} = props;
	// A list that changed would move the cursor between two keys of whoever chooses from it.
	const [items] = useState(() => choices.map(choice => ({label: choice, value: choice})));
	const [initialIndex] = useState(() => Math.max(0, choices.indexOf(chosen)));
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
				<Select items={items} initialIndex={initialIndex} onSelect={({value}) => onChoose(value)} />
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
