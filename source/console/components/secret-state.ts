/** A secret that is shown once, until it is left: what was done about it, and what is typed. */
import {listeningFrom, type Moment} from './confirmation.ts';
import {emptyLine, lineOf, type LineEdit} from './line-edit.ts';

export type SecretView = {
	/** A file name is being typed. */
	readonly isNaming: boolean;
	readonly line: LineEdit;
	/** It was copied or kept. */
	readonly isSafe: boolean;
	/** The user tried to leave without that, and was warned. */
	readonly isWarned: boolean;
	/** The last thing to be said of it. */
	readonly said: {readonly text: string; readonly isError: boolean} | undefined;
	/** From this time on keys count: those before were typed before it was seen. */
	readonly listensFrom: number;
};

/** The secret as it comes up. */
export function openSecret(isSafe: boolean, moment: Moment): SecretView {
	return {
		isNaming: false,
		line: emptyLine,
		isSafe,
		isWarned: false,
		said: undefined,
		listensFrom: listeningFrom(moment),
	};
}

/** The view after leaving was asked for; undefined where it is left. It warns once where nobody has it. */
export function leaveSecret(view: SecretView, moment: Moment): SecretView | undefined {
	if (view.isSafe || view.isWarned) return undefined;
	return {...view, isWarned: true, said: undefined, listensFrom: listeningFrom(moment)};
}

/** Opens the field with a file in it. */
export function nameFile(view: SecretView, file: string): SecretView {
	return {...view, isNaming: true, line: lineOf(file), said: undefined};
}

export function stopNaming(view: SecretView): SecretView {
	return {...view, isNaming: false, said: undefined};
}

export function copied(view: SecretView, isCopied: boolean): SecretView {
	const text = isCopied
		? 'Copied through the terminal, which sends no receipt. If paste is empty, select it above.'
		: 'Not copied: it is longer than terminals take. w keeps it in a file.';
	return {...view, isSafe: view.isSafe || isCopied, said: {text, isError: !isCopied}};
}

export function keptIn(view: SecretView, file: string): SecretView {
	const text = `It is kept in ${file}, which you alone can read.`;
	return {...view, isNaming: false, isSafe: true, said: {text, isError: false}};
}

/** The field stays open, so that another file can be named. */
export function notKept(view: SecretView, why: string): SecretView {
	return {...view, said: {text: why, isError: true}};
}
