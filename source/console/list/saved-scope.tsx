import {Text} from 'ink';
import type {Bindings} from '../ui/bindings.ts';
import {KeyScope} from '../ui/key-scope.tsx';
import {
	editEntry,
	pastedText,
	savedListLines,
	typedKey,
	type SavedFrame,
	type SavedList,
	type SavedStore,
	entryBindings,
	type EntryTarget,
} from './saved-list.ts';

type Props<Kind extends string, Target extends object> = SavedFrame & {
	readonly view: SavedStore<Kind>;
	/** The list as it is shown. */
	readonly shown: SavedList<Kind>;
	readonly scope: string;
	readonly bindings: Bindings<NoInfer<Target>>;
	readonly target: Target;
	/** Key methods while a line is typed. */
	readonly entry: EntryTarget;
};

/** Draws a list of what is saved, with the keyboard. */
export function SavedScope<Kind extends string, Target extends object>(props: Props<Kind, Target>) {
	const {view, shown, scope, bindings, target, entry, ...frame} = props;
	const text = <Text wrap="truncate">{savedListLines(shown, frame).join('\n')}</Text>;
	if (shown.entry === undefined) {
		return (
			<KeyScope isModal title={scope} bindings={bindings} target={target}>
				{text}
			</KeyScope>
		);
	}
	return (
		<KeyScope
			isModal
			title="Saved: typing"
			bindings={entryBindings}
			target={entry}
			onText={key => editEntry(view, typedKey(key))}
			onPaste={pasted => editEntry(view, pastedText(pasted))}
		>
			{text}
		</KeyScope>
	);
}
