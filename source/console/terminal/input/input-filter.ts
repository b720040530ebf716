import {characterAt, keyOfCharacter, withAlt, type Key} from './keys.ts';
import {
	escape,
	keyOfSequence,
	measureSequence,
	createPasteReader,
	pasteStart,
	type PasteReader,
} from './sequences.ts';

/**
Input from the terminal.

`isBurst` is true when the same push gave a key or a paste before this key: the reader typed it
without having seen what the earlier one did, so it may move but not open or confirm. Reports do not
count, and what `flush` gives is counted apart, because silence came before it.

The text of a paste is as it came, escape sequences and all. A report is anything else that the
terminal sends, whole and with its ESC, unknown and broken sequences included.
*/
export type Input =
	| {readonly kind: 'key'; readonly key: Key; readonly isBurst: boolean}
	| {readonly kind: 'paste'; readonly text: string}
	| {readonly kind: 'report'; readonly sequence: string};

/**
Every sequence, wherever it is cut and whether or not `flush` is called at the cut, gives its key, or
only Esc and reports: never letters. Two cuts remain that no filter can mend. ESC, flush, `x` is Esc
and x, because that is what a hand types. And ESC, flush, `[`, flush, `A` gives all three as keys,
because a `[` typed after Esc must arrive at some time.
*/
export type InputFilter = {
	/** Takes decoded text; the reader of bytes keeps halves of UTF-8 characters back. */
	readonly push: (text: string) => readonly Input[];

	/** The filter holds text that may be a key by itself: call `flush` when no more comes soon. */
	readonly isWaiting: boolean;

	/** Ends the wait: a lone ESC is Esc, but the rest of a sequence may still come. */
	readonly flush: () => readonly Input[];

	/** `flush` has been called, and what follows may still be the rest of a sequence. */
	readonly isOverdue: boolean;

	/** Gives the rest up: later input is not taken for it. */
	readonly forget: () => readonly Input[];
};

type State = {
	/** The first half of a surrogate pair that the last push ended with. */
	half: string;
	/** Unfinished input, from an ESC on. */
	held: string;
	isOverdue: boolean;
	/** Count of its bytes that were given out as keys: the ESC as Esc, then perhaps its `[`. */
	given: 0 | 1 | 2;
	paste: PasteReader | undefined;
	inputs: Input[];
	isBurst: boolean;
};

export function createInputFilter(): InputFilter {
	const flags = {isOverdue: false, isBurst: false};
	const state: State = {half: '', held: '', given: 0, paste: undefined, inputs: [], ...flags};
	const collect = (run: () => void) => {
		state.inputs = [];
		state.isBurst = false;
		run();
		return state.inputs;
	};

	return {
		push: text => collect(() => push(state, text)),
		flush: () => collect(() => flush(state)),
		forget: () => collect(() => forget(state)),
		get isWaiting() {
			return state.held !== '' && !state.isOverdue;
		},
		get isOverdue() {
			return state.isOverdue;
		},
	};
}

function push(state: State, chunk: string) {
	const pushed = state.half + chunk;
	state.half = /[\uD800-\uDBFF]/.test(pushed.slice(-1)) ? pushed.slice(-1) : '';
	const text = state.held + pushed.slice(0, pushed.length - state.half.length);
	if (text === state.held) {
		return;
	}

	// With all held text given out as keys, the next sequence gets a timer of its own.
	const wasOverdue = state.isOverdue && state.held.length > state.given;
	state.held = '';
	state.isOverdue = false;
	let at = state.given > 0 ? takeTail(state, text, wasOverdue) : 0;
	while (at < text.length) {
		const next = state.paste ? takePaste(state, state.paste, text, at) : take(state, text, at);
		state.isOverdue ||= wasOverdue && at === 0 && state.held !== '';
		at = next;
	}
}

function flush(state: State) {
	const {held} = state;
	if (held === '' || state.isOverdue) {
		return;
	}

	state.isOverdue = true;
	if (state.given === 1 && held.length === 2) {
		// A '[' typed after Esc, or another that could have begun the rest of a sequence.
		give(state, held, held.charAt(1));
		state.given = 2;
	} else if (held === escape || held === escape + escape) {
		for (const sequence of held) {
			give(state, sequence, 'Esc');
		}

		state.held = escape;
		state.given = 1;
	}
}

function forget(state: State) {
	const {held, given} = state;
	state.held = '';
	state.isOverdue = false;
	state.given = 0;
	if (held.length > given) {
		give(state, held, undefined);
	}
}

function give(state: State, sequence: string, key: Key | undefined) {
	if (sequence === pasteStart) {
		state.paste = createPasteReader();
	} else if (key === undefined) {
		state.inputs.push({kind: 'report', sequence});
	} else {
		state.inputs.push({kind: 'key', key, isBurst: state.isBurst});
		state.isBurst = true;
	}
}

/** Holds the rest for the next push. */
function hold(state: State, text: string, from: number) {
	const rest = text.slice(from);
	// No answer is longer. The end can be found without the middle, but may have begun with the last ESC.
	const isTooLong = rest.length > 4096;
	state.held = isTooLong ? rest.slice(0, 64) + (rest.endsWith(escape) ? escape : '') : rest;
	return text.length;
}

/** Takes what begins there and says where the next begins. */
function take(state: State, text: string, at: number): number {
	if (text[at] === escape) {
		return takeEscape(state, text, at);
	}

	const character = characterAt(text, at);
	give(state, character, keyOfCharacter(character));
	return at + character.length;
}

function takeEscape(state: State, text: string, at: number): number {
	if (at + 1 === text.length) {
		return hold(state, text, at);
	}

	if (text[at + 1] === escape) {
		return takeDoubleEscape(state, text, at);
	}

	const measured = measureSequence(text, at + 1);
	if (measured === undefined) {
		const character = characterAt(text, at + 1);
		const key = keyOfCharacter(character);
		if (key?.startsWith('Ctrl-')) {
			// Alt with a Ctrl key has no binding, and Ctrl-C must not be lost in a hurry.
			give(state, escape, 'Esc');
			return at + 1;
		}

		give(state, escape + character, key && withAlt(key));
		return at + 1 + character.length;
	}

	const {end, isWhole} = measured;
	if (!isWhole && end === text.length) {
		return hold(state, text, at);
	}

	give(state, text.slice(at, end), isWhole ? keyOfSequence(text.slice(at + 1, end)) : undefined);
	return end;
}

/** Alt and an arrow, as PuTTY and rxvt send it. Before anything else the first ESC is Esc. */
function takeDoubleEscape(state: State, text: string, at: number): number {
	const next = text.charAt(at + 2);
	const measured = next === '[' || next === 'O' ? measureSequence(text, at + 2) : undefined;
	const {end, isWhole} = measured ?? {end: at + 2, isWhole: false};
	if (!isWhole && end === text.length) {
		return hold(state, text, at);
	}

	const key = isWhole ? keyOfSequence(text.slice(at + 2, end)) : undefined;
	const keyWithAlt = key && withAlt(key);
	give(state, text.slice(at, end), keyWithAlt ?? 'Esc');
	return keyWithAlt === undefined ? at + 1 : end;
}

/** The start of a push after an ESC was given out as Esc: the rest of its sequence is no key. */
function takeTail(state: State, text: string, wasOverdue: boolean): number {
	const {end, isWhole} = measureSequence(text, 1) ?? {end: 1, isWhole: false};
	const {given} = state;
	if (given === 1 && !isWhole && end === text.length) {
		state.isOverdue = wasOverdue;
		return hold(state, text, 0);
	}

	state.given = 0;
	// After a '[' that was given out too, a letter is more likely typed than the end of a sequence.
	const isTail = isWhole ? given === 1 || !/[A-Za-z[]/.test(text.charAt(2)) : wasOverdue;
	if (!isTail) {
		return given;
	}

	give(state, text.slice(0, end), undefined);
	return end;
}

function takePaste(state: State, paste: PasteReader, text: string, at: number): number {
	const end = paste.read(text, at);
	if (end === undefined) {
		return text.length;
	}

	state.paste = undefined;
	state.inputs.push({kind: 'paste', text: paste.text});
	state.isBurst = true;
	return end;
}
