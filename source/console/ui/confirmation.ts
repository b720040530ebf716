/** Questions before a stop, destroy, delete or payment, the harder the more would be lost. */
import type {Key} from '../terminal/input/keys.ts';
import {confirmingPhrase} from '../../renter/text/format.ts';
import {changeOfTerms, type Term} from '../../renter/text/terms.ts';
import {editLine, emptyLine, type LineEdit} from './line-edit.ts';

/** 0 asks nothing, 1 asks for y, 2 for a name or a count, 3 for a sentence. */
export type Level = 0 | 1 | 2 | 3;

/** A target of the question, as it was when the question was asked. */
export type ActionTarget = {
	readonly id: number | string;
	/** Name of the target; empty for none. */
	readonly name: string;
	/** Description with the state: "4x RTX 4090  loading 14m". */
	readonly detail: string;
	/** State that decides what would be lost: a new one asks the question again. */
	readonly state: string;
	/** Further terms of the agreement: a change asks the question again, too. */
	readonly terms?: readonly Term[];
	/** Level of the question for this target alone. */
	readonly level: Level;
	/** The target is shown, but left alone unless it is chosen. */
	readonly isLeftOut?: boolean | undefined;
};

export type ConfirmationQuestion = {
	/** Verb of the action: "destroy". */
	readonly verb: string;
	/** Noun of the targets, for counts: "instance". */
	readonly noun: string;
	/** Targets, frozen when the question is asked. */
	readonly targets: readonly ActionTarget[];
	/** The targets are all that is shown, or a limit on spending would be passed. */
	readonly isEverything?: boolean;
	/** The sentence to be typed instead of "destroy 9". */
	readonly sentence?: string;
	/** Action that the question is part of, said before the verb: "sweep". */
	readonly occasion?: string;
	readonly canChoose?: boolean;
	/** The same key takes it back: y answers for any number of targets. */
	readonly isReversible?: boolean;
	/**
	 * Optional further action, off until r turns it on: "rent an equal one in the place of each".
	 */
	readonly extra?: string;
};

export type Button = 'cancel' | 'confirm';

export type Confirmation = {
	readonly question: ConfirmationQuestion;
	readonly level: Level;
	readonly focus: Button;
	readonly typed: LineEdit;
	/** Time from which keys count: earlier ones were typed before the question was seen. */
	readonly listensFrom: number;
	/** Count of ignored keys. */
	readonly dropped: number;
	/** Changes since the question was first asked: a sentence each. */
	readonly changes: readonly string[];
	/** Index of the target under the cursor, where targets can be chosen. */
	readonly cursor: number;
	readonly withExtra: boolean;
	/** Lines scrolled past: none after a change, which is said in the first ones. */
	readonly top: number;
	/** Its end was in view. */
	readonly isRead: boolean;
};

/** Least time for reading the question, beside the time that the connection takes to show it. */
const REACTION_MS = 500;

export type ConfirmationTiming = {
	readonly nowMs: number;
	/** Round trip to the terminal; unknown counts as none. */
	readonly linkMs: number | undefined;
};

export function levelOf({
	targets,
	isEverything = false,
	isReversible = false,
}: ConfirmationQuestion): Level {
	const chosen = targets.filter(({isLeftOut}) => isLeftOut !== true);
	const hardest = chosen.map(({level}) => level).reduce(harder, 0);
	if (hardest === 0) return 0;
	const isAll = isEverything && chosen.length === targets.length;
	// A single target that is all there is: its name says more than a sentence.
	if (isAll && (chosen.length > 1 || hardest === 3)) return 3;
	return chosen.length > 1 && hardest < 2 && !isReversible ? 2 : hardest;
}

function harder(a: Level, b: Level): Level {
	return a > b ? a : b;
}

/** Asks a question, with the cursor on Cancel and an empty field. */
export function ask(question: ConfirmationQuestion, moment: ConfirmationTiming): Confirmation {
	return {
		question,
		level: levelOf(question),
		focus: 'cancel',
		typed: emptyLine,
		listensFrom: listeningFrom(moment),
		dropped: 0,
		changes: [],
		cursor: 0,
		withExtra: false,
		top: 0,
		isRead: false,
	};
}

/** The moment from which keys count after a dialog opens. */
export function listeningFrom({nowMs, linkMs}: ConfirmationTiming): number {
	return nowMs + REACTION_MS + (linkMs ?? 0);
}

/**
 * Compares the targets with their present states. After a change the question names it and is asked anew,
 * as hard as the change makes it and never less.
 */
export function recheckTargets(
	asked: Confirmation,
	present: readonly ActionTarget[],
	moment: ConfirmationTiming,
): Confirmation {
	const now = new Map(present.map(target => [target.id, target]));
	const changed = asked.question.targets.flatMap(target => {
		const found = now.get(target.id);
		const isSame = found !== undefined && describeChange(target, found) === undefined;
		if (isSame || (found === undefined && target.state === GONE)) return [];
		return [{target, found: {...(found ?? {...target, state: GONE}), isLeftOut: target.isLeftOut}}];
	});
	if (changed.length === 0) return asked;
	const replaced = new Map(changed.map(({target, found}) => [target.id, found]));
	const targets = asked.question.targets.map(target => replaced.get(target.id) ?? target);
	const question = {...asked.question, targets};
	const level = harder(asked.level, levelOf(question));
	const sentences = changed.flatMap(({target, found}) => describeChange(target, found) ?? []);
	return {
		...ask(question, moment),
		level,
		dropped: asked.dropped,
		changes: [...asked.changes, ...sentences],
		cursor: asked.cursor,
		withExtra: asked.withExtra,
	};
}

function describeChange(target: ActionTarget, found: ActionTarget): string | undefined {
	const name = targetLabel(target);
	if (found.state !== target.state) return `${name} was ${target.state} and is now ${found.state}.`;
	const change = changeOfTerms(target.terms, found.terms);
	return change === undefined ? undefined : `${name}: ${change}.`;
}

/** State of a target that is gone. */
export const GONE = 'gone';

/** Targets that still exist and are chosen. */
export function remaining({targets}: ConfirmationQuestion): readonly ActionTarget[] {
	return targets.filter(({state, isLeftOut}) => state !== GONE && isLeftOut !== true);
}

export function moveThrough(asked: Confirmation, step: 1 | -1): Confirmation {
	const last = asked.question.targets.length - 1;
	return {...asked, cursor: Math.max(0, Math.min(asked.cursor + step, last))};
}

/** Leaves out the target under the cursor, or chooses it again. Typed text was for the other targets. */
export function toggleTarget(asked: Confirmation): Confirmation {
	const {cursor, question} = asked;
	const target = question.targets[cursor];
	if (target === undefined || target.state === GONE) return asked;
	const toggled = {...target, isLeftOut: target.isLeftOut !== true};
	const next = {...question, targets: question.targets.with(cursor, toggled)};
	return {...asked, question: next, level: levelOf(next), typed: emptyLine, focus: 'cancel'};
}

/**
 * True if r is part of the phrase to type, so that Ctrl-R stands for it: for a label such as
 * "rig".
 */
export function isTypedR(asked: Confirmation): boolean {
	return asked.typed.text !== '' || phrasesOf(asked).some(phrase => phrase.startsWith('r'));
}

/** Adds the further action, or leaves it. Typed text agreed to something else. */
export function toggleExtra(asked: Confirmation): Confirmation {
	if (asked.question.extra === undefined) return asked;
	return {...asked, withExtra: !asked.withExtra, isRead: false, typed: emptyLine, focus: 'cancel'};
}

export function targetLabel({id, name}: ActionTarget): string {
	return name === '' ? String(id) : name;
}

/** Phrases that confirm when typed, none if y is enough; of one thing its name as well. */
export function phrasesOf({
	question,
	level,
}: Pick<Confirmation, 'question' | 'level'>): readonly string[] {
	const {verb, sentence} = question;
	const targets = remaining(question);
	if (level < 2) return [];
	if (level === 3 && sentence !== undefined) return [sentence];
	const name = targets.length === 1 ? targets[0]?.name.trim() : undefined;
	return [confirmingPhrase(verb, targets.length), ...(name ? [name] : [])];
}

/** True if the typed text confirms. */
export function isAgreed(asked: Confirmation): boolean {
	if (remaining(asked.question).length === 0) return false;
	return asked.level < 2 || phrasesOf(asked).includes(asked.typed.text.trim());
}

/** True if something was typed that does not confirm. */
export function isMistyped(asked: Confirmation): boolean {
	return asked.typed.text.trim() !== '' && !isAgreed(asked);
}

/** True once keys count. */
export function isListening(
	{listensFrom}: Pick<Confirmation, 'listensFrom'>,
	{nowMs}: Pick<ConfirmationTiming, 'nowMs'>,
): boolean {
	return nowMs >= listensFrom;
}

export function drop(asked: Confirmation): Confirmation {
	return {...asked, dropped: asked.dropped + 1};
}

export function moveFocus(asked: Confirmation): Confirmation {
	return {...asked, focus: asked.focus === 'cancel' ? 'confirm' : 'cancel'};
}

/**
 * Types into the field of a hard question. The complete phrase moves the focus to the confirming button,
 * so that Enter is the key after the last letter; until then it stays on Cancel.
 */
export function typeAnswer(asked: Confirmation, key: Key): Confirmation | undefined {
	if (asked.level < 2) return undefined;
	const typed = editLine(asked.typed, key);
	if (typed === undefined) return undefined;
	const next = {...asked, typed};
	return {...next, focus: isAgreed(next) ? 'confirm' : 'cancel'};
}
