import {emptyLine, lineOf, type LineEdit} from '../ui/line-edit.ts';
import type {TypedLine} from '../ui/typing.tsx';
import {createStore} from '../../renter/state/store.ts';

export type ChosenView = {readonly name: string; readonly words: string};

/** State of a list's filter. */
export type FilterState = {
	readonly line: LineEdit;
	/** The line before it was opened for typing; undefined while it is closed. */
	readonly before: LineEdit | undefined;
	/** The view that was chosen, and its words: the line may have others by now. */
	readonly view: ChosenView | undefined;
};

const unfiltered: FilterState = {line: emptyLine, before: undefined, view: undefined};

/**
 * A filter without words.
 *
 * @param completed the line with its last word completed
 */
export function createFilter(completed = (line: LineEdit) => line) {
	const state = createStore<FilterState>(unfiltered);
	const close = (line: LineEdit) => state.set({...state.get(), line, before: undefined});
	/** The line while it is typed. */
	const typed: TypedLine = {
		get: () => (state.get().before === undefined ? undefined : state.get().line),
		set: line => state.set({...state.get(), line}),
		subscribe: state.subscribe,
	};
	return {
		state,
		typed,
		/** The words so far, also while they are typed. */
		words: () => state.get().line.text.trim(),
		open: () => {
			const {line} = state.get();
			state.set({...state.get(), line: lineOf(line.text), before: line});
		},
		apply: () => close(state.get().line),
		restore: () => close(state.get().before ?? state.get().line),
		clear: () => state.set(unfiltered),
		/** Asks for the words of a view. */
		show: (view: ChosenView) => state.set({view, line: lineOf(view.words), before: undefined}),
		/** True if there is a filter to remove. */
		isOn: () => state.get().view !== undefined || state.get().line.text.trim() !== '',
		complete: () => typed.set(completed(state.get().line)),
	};
}

/** The words of a filter that were agreed to: those before it was opened, while it is open. */
export function agreedWords({line, before}: FilterState): string {
	return (before ?? line).text.trim();
}
