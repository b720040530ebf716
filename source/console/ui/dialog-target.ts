import type {Store} from '../../renter/state/store.ts';
import type {Key} from '../terminal/input/keys.ts';
import {
	isAgreed,
	isMistyped,
	isTypedR,
	moveFocus,
	moveThrough,
	remaining,
	toggleExtra,
	toggleTarget,
	typeAnswer,
	type ActionTarget,
	type Confirmation,
} from './confirmation.ts';
import {dialogView, notYet, type DialogStyles} from './dialog-lines.ts';
import type {Message} from './message.ts';

export type Answering = {
	readonly say: (message: Message) => void;
	/** Called with the frozen targets that still exist, and whether to do the further action. */
	readonly onConfirm: (targets: readonly ActionTarget[], withExtra: boolean) => void;
	readonly onCancel: () => void;
};

export type DialogTarget = ReturnType<typeof dialogTarget>;

export function dialogTarget(
	asking: Store<Confirmation>,
	{say, onConfirm, onCancel}: Answering,
	listKeys: ReturnType<typeof movesIn>,
) {
	function yes() {
		const asked = asking.get();
		if (!isAgreed(asked)) say({text: notYet(asked), isError: false});
		else if (asked.isRead) onConfirm(remaining(asked.question), asked.withExtra);
		else say({text: 'Not yet: read it to its end first, with Down or PgDn.', isError: false});
	}
	return {
		yes,
		no: onCancel,
		moveFocus: () => asking.set(moveFocus(asking.get())),
		// A mistyped answer is reported, and is not taken for a no.
		press: () =>
			asking.get().focus === 'cancel' && !isMistyped(asking.get()) ? onCancel() : yes(),
		...listKeys,
		/** Leaves out the target under the cursor, or chooses it again; a blank in a typed phrase. */
		toggle: () => typeOr(asking.get().typed.text !== '', 'Space', toggleTarget),
		toggleExtra: () => asking.set(toggleExtra(asking.get())),
		/** Turns the optional action on or off, where the key is no letter of the phrase. */
		typeOrToggleExtra: () => typeOr(isTypedR(asking.get()), 'r', toggleExtra),
		noExtra: () =>
			asking.get().question.extra === undefined && !isTypedR(asking.get())
				? 'there is nothing to rent in their place'
				: undefined,
	};

	function typeOr(isTyped: boolean, key: Key, change: (asked: Confirmation) => Confirmation): void {
		const asked = asking.get();
		asking.set(isTyped ? (typeAnswer(asked, key) ?? asked) : change(asked));
	}
}

/** Scrolls what does not fit, and moves through targets that are chosen from. */
export function movesIn(asking: Store<Confirmation>, styles: DialogStyles) {
	function scroll(step: 1 | -1, by: 'line' | 'page'): void {
		const {body, rows} = dialogView(asking.get(), styles);
		const lines = by === 'line' ? 1 : Math.max(1, rows - 1);
		const {top} = asking.get();
		const next = Math.max(0, Math.min(top + step * lines, body.length - rows));
		asking.set({...asking.get(), top: next});
	}

	return {
		scroll,
		choose(step: 1 | -1) {
			const before = asking.get();
			asking.set(moveThrough(before, step));
			const {cursor, top} = asking.get();
			if (cursor === before.cursor) return scroll(step, 'line');
			const {rows, targetsAt} = dialogView(asking.get(), styles);
			const line = targetsAt + cursor;
			asking.set({...asking.get(), top: Math.max(line - rows + 1, Math.min(top, line))});
		},
	};
}

/** The keys, while they count. */
export function guarded(target: DialogTarget, listening: (act: () => void) => void): DialogTarget {
	return {
		yes: () => listening(target.yes),
		no: () => listening(target.no),
		moveFocus: () => listening(target.moveFocus),
		press: () => listening(target.press),
		scroll: (step, by) => listening(() => target.scroll(step, by)),
		choose: step => listening(() => target.choose(step)),
		toggle: () => listening(target.toggle),
		toggleExtra: () => listening(target.toggleExtra),
		typeOrToggleExtra: () => listening(target.typeOrToggleExtra),
		noExtra: target.noExtra,
	};
}
