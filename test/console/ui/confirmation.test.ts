import {expect, test} from 'vitest';
import {
	ask,
	isAgreed,
	isListening,
	levelOf,
	recheckTargets,
	moveFocus,
	moveThrough,
	phrasesOf,
	remaining,
	toggleTarget,
	typeAnswer,
	type Confirmation,
	type ActionTarget,
	type Level,
	type ConfirmationQuestion,
} from '../../../source/console/ui/confirmation.ts';

const start = {nowMs: 10_000, linkMs: 45};

function instance(id: number, level: Level, state = 'loading', name = `train-${id}`): ActionTarget {
	return {id, name, detail: '4x RTX 4090', state, level};
}

function destroy(...targets: readonly ActionTarget[]): ConfirmationQuestion {
	return {verb: 'destroy', noun: 'instance', targets};
}

function typed(asked: Confirmation, text: string): Confirmation {
	let now = asked;
	for (const key of text) now = typeAnswer(now, key === ' ' ? 'Space' : key) ?? now;
	return now;
}

test.each<[string, ConfirmationQuestion, Level]>([
	['a note', destroy(instance(1, 0)), 0],
	['one that never ran', destroy(instance(1, 1)), 1],
	['one that ran', destroy(instance(1, 2)), 2],
	['two that never ran', destroy(instance(1, 1), instance(2, 1)), 2],
	['notes of two', destroy(instance(1, 0), instance(2, 0)), 0],
	['all that are shown', {...destroy(instance(1, 1), instance(2, 2)), isEverything: true}, 3],
	['the only one that is shown', {...destroy(instance(1, 2)), isEverything: true}, 2],
	[
		'what passes a limit on spending',
		{...destroy(instance(1, 3)), sentence: 'rent over the limit'},
		3,
	],
])('the level of %s follows from what would be lost', (_, question, level) => {
	expect(levelOf(question)).toBe(level);
});

test('a question begins on Cancel and listens after half a second and the way to the terminal', () => {
	const asked = ask(destroy(instance(1, 1)), start);
	expect(asked.focus).toBe('cancel');
	expect(isListening(asked, {...start, nowMs: 10_544})).toBe(false);
	expect(isListening(asked, {...start, nowMs: 10_545})).toBe(true);
	expect(
		isListening(ask(destroy(instance(1, 1)), {nowMs: 0, linkMs: undefined}), {
			...start,
			nowMs: 500,
		}),
	).toBe(true);
});

test('one that ran takes the verb, or its label in full', () => {
	const asked = ask(destroy(instance(8_812_519, 2, 'running', 'train-c')), start);
	expect(phrasesOf(asked)).toEqual(['destroy', 'train-c']);
	expect(isAgreed(asked)).toBe(false);
	expect(isAgreed(typed(asked, 'train-'))).toBe(false);
	expect(isAgreed(typed(asked, 'train-c'))).toBe(true);
	expect(isAgreed(typed(asked, 'destroy'))).toBe(true);
	expect(isAgreed(typed(asked, 'destroy 1'))).toBe(false);
});

test('what has no label takes the verb alone: an empty answer is none', () => {
	const asked = ask(destroy(instance(8_812_519, 2, 'running', ' ')), start);
	expect(phrasesOf(asked)).toEqual(['destroy']);
	expect(isAgreed(asked)).toBe(false);
});

test('two are counted, and so are all there are', () => {
	const two = [instance(1, 1), instance(2, 2)];
	expect(phrasesOf(ask(destroy(...two), start))).toEqual(['destroy 2']);
	expect(phrasesOf(ask({...destroy(...two), isEverything: true}, start))).toEqual(['destroy 2']);
});

test('the focus goes to the button when all is typed, and back when it is not any more', () => {
	const asked = ask(destroy(instance(1, 1), instance(2, 1)), start);
	expect(typed(asked, 'destroy ').focus).toBe('cancel');
	const agreed = typed(asked, 'destroy 2');
	expect(agreed.focus).toBe('confirm');
	expect(typeAnswer(agreed, 'Backspace')?.focus).toBe('cancel');
	expect(typeAnswer(agreed, '2')?.focus).toBe('cancel');
});

test('where y is enough nothing can be typed', () => {
	expect(typeAnswer(ask(destroy(instance(1, 1)), start), 'x')).toBeUndefined();
});

test('a target that starts to run while it is asked about makes the question harder, and begins it anew', () => {
	const asked = moveFocus(ask(destroy(instance(1, 1)), start));
	const later = {nowMs: 20_000, linkMs: 45};
	const again = recheckTargets(asked, [instance(1, 2, 'running')], later);
	expect(again.level).toBe(2);
	expect(again.focus).toBe('cancel');
	expect(again.changes).toEqual(['train-1 was loading and is now running.']);
	expect(isListening(again, {...later, nowMs: 20_500})).toBe(false);
	expect(again.question.targets[0]?.state).toBe('running');
});

test('what was typed counts no more after a change, and an easier state makes nothing easier', () => {
	const asked = typed(ask(destroy(instance(1, 2, 'running')), start), 'train-1');
	const again = recheckTargets(asked, [instance(1, 1, 'stopped')], start);
	expect(again.level).toBe(2);
	expect(isAgreed(again)).toBe(false);
});

test('the list is frozen: what came later is not in it, and what looks the same asks nothing anew', () => {
	const asked = ask(destroy(instance(1, 1)), start);
	expect(
		recheckTargets(asked, [{...instance(1, 1), detail: 'booting 3m'}, instance(2, 1)], start),
	).toBe(asked);
});

test('what went away meanwhile is not acted on, and of nothing there is nothing to confirm', () => {
	const asked = ask(destroy(instance(1, 1), instance(2, 1)), start);
	const one = recheckTargets(asked, [instance(2, 1)], start);
	expect(one.changes).toEqual(['train-1 was loading and is now gone.']);
	expect(remaining(one.question).map(({id}) => id)).toEqual([2]);
	expect(one.level).toBe(2);
	expect(recheckTargets(one, [instance(2, 1)], start)).toBe(one);
	expect(isAgreed(recheckTargets(ask(destroy(instance(1, 1)), start), [], start))).toBe(false);
});

test('what is left out is not acted on, and does not make the question harder', () => {
	const idle = {...instance(3, 2, 'running'), isLeftOut: true};
	const asked = ask({...destroy(instance(1, 1), instance(2, 1), idle), isEverything: true}, start);
	expect(asked.level).toBe(2);
	expect(phrasesOf(asked)).toEqual(['destroy 2']);
	const one = toggleTarget(asked);
	expect(remaining(one.question).map(({id}) => id)).toEqual([2]);
	expect(one.level).toBe(1);
	const all = toggleTarget(moveThrough(moveThrough(asked, 1), 1));
	expect(phrasesOf(all)).toEqual(['destroy 3']);
	const none = toggleTarget(moveThrough(one, 1));
	expect(isAgreed(none)).toBe(false);
});

test('what was typed for other targets does not count when one is left out', () => {
	const asked = ask(destroy(instance(1, 2), instance(2, 2), instance(3, 2)), start);
	const ready = typed(asked, 'destroy 3');
	expect(isAgreed(ready)).toBe(true);
	const changed = toggleTarget(ready);
	expect(changed.typed.text).toBe('');
	expect(changed.focus).toBe('cancel');
	expect(isAgreed(changed)).toBe(false);
});

test('what is left out stays so when it changes, and what is gone cannot be taken in', () => {
	const left = {...instance(1, 1), isLeftOut: true};
	const asked = ask(destroy(left, instance(2, 1)), start);
	const running = recheckTargets(asked, [instance(1, 2, 'running'), instance(2, 1)], start);
	expect(remaining(running.question).map(({id}) => id)).toEqual([2]);
	const gone = recheckTargets(asked, [instance(2, 1)], start);
	expect(remaining(toggleTarget(gone).question).map(({id}) => id)).toEqual([2]);
});
