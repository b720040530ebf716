import {expect, test} from 'vitest';
import {
	appBindings,
	actionsBindings,
	helpBindings,
} from '../../../source/console/app/app-bindings.ts';
import {
	assertNoCollisions,
	reach,
	type Binding,
	type Bindings,
} from '../../../source/console/ui/bindings.ts';
import {createKeymap} from '../../../source/console/ui/keymap.ts';
import {screenBindings} from '../../../source/console/screens/index.ts';

type Log = string[];

/** What the bindings of these tests act on. */
type Speaker = {
	readonly say: (word: string) => void;
	readonly refuse: (reason: string) => string;
};

function speaker(log: Log): Speaker {
	return {say: word => log.push(word), refuse: reason => reason};
}

function binding(
	key: string,
	word: string,
	more: Partial<Binding<Speaker>> = {},
): Binding<Speaker> {
	return {keys: [key], id: word, title: word, run: target => target.say(word), ...more};
}

function world(
	...scopes: ReadonlyArray<{
		readonly depth: number;
		readonly isModal?: boolean;
		readonly bindings: Bindings<Speaker>;
	}>
) {
	const keymap = createKeymap();
	const log: Log = [];
	const leave = scopes.map(({depth, isModal = false, bindings}) =>
		keymap.enter({
			title: `depth ${depth}`,
			depth,
			isModal,
			bindings: () => reach(bindings, speaker(log)),
			onText: undefined,
		}),
	);
	return {keymap, log, leave};
}

test('the innermost scope is asked first, whichever came first', () => {
	const {keymap, log} = world(
		{depth: 1, bindings: [binding('x', 'inner')]},
		{depth: 0, bindings: [binding('x', 'outer'), binding('y', 'only outer')]},
	);
	keymap.press('x');
	keymap.press('y');
	expect(log).toEqual(['inner', 'only outer']);
});

test('of two scopes equally deep the later one wins, and the earlier one again when it left', () => {
	const {keymap, log, leave} = world(
		{depth: 1, bindings: [binding('x', 'first')]},
		{depth: 1, bindings: [binding('x', 'second')]},
	);
	keymap.press('x');
	leave[1]?.();
	keymap.press('x');
	expect(log).toEqual(['second', 'first']);
});

test('a modal scope hides every scope outside it', () => {
	const {keymap, log} = world(
		{depth: 0, bindings: [binding('q', 'quit')]},
		{depth: 1, isModal: true, bindings: [binding('y', 'yes')]},
	);
	expect(keymap.press('q')).toEqual({kind: 'unbound'});
	expect(keymap.reachable().map(({title}) => title)).toEqual(['depth 1']);
	expect(log).toEqual([]);
});

test('a binding that is unavailable does nothing and says why', () => {
	const {keymap, log} = world({
		depth: 0,
		bindings: [
			binding('r', 'rent', {unavailable: target => target.refuse('the profile is read-only')}),
		],
	});
	expect(keymap.press('r')).toMatchObject({
		kind: 'unavailable',
		reason: 'the profile is read-only',
	});
	expect(log).toEqual([]);
});

test('a reason is no action, and an action no reason, or the binding does not compile', () => {
	const facts = {keys: ['x'], id: 'x', title: 'x'};
	// @ts-expect-error a reason is no action
	const idle: Binding<Speaker> = {...facts, run: target => target.refuse('no')};
	// @ts-expect-error an action is no reason
	const unsaid: Binding<Speaker> = {...idle, unavailable: target => target.say('no')};
	expect([idle, unsaid]).toHaveLength(2);
});

test('in a burst, what moves runs and what opens or confirms a change is dropped', () => {
	const {keymap, log} = world({
		depth: 0,
		bindings: [binding('j', 'down'), binding('y', 'destroy', {isChange: true})],
	});
	expect(keymap.press('j', true).kind).toBe('ran');
	expect(keymap.press('y', true).kind).toBe('dropped');
	expect(keymap.press('y').kind).toBe('ran');
	expect(log).toEqual(['down', 'destroy']);
});

test('a text field gets what its scope does not bind, before the scopes outside it', () => {
	const keymap = createKeymap();
	const log: Log = [];
	const enter = (depth: number, bindings: Bindings<Speaker>, onText?: (key: string) => boolean) =>
		keymap.enter({
			title: '',
			depth,
			isModal: false,
			bindings: () => reach(bindings, speaker(log)),
			onText,
		});
	enter(0, [binding('q', 'quit'), binding('Ctrl-C', 'stop')]);
	enter(1, [binding('Esc', 'close')], key => key.length === 1 && log.push(`typed ${key}`) > 0);
	expect(keymap.press('q').kind).toBe('typed');
	expect(keymap.press('Esc').kind).toBe('ran');
	expect(keymap.press('Ctrl-C').kind).toBe('ran');
	expect(log).toEqual(['typed q', 'close', 'stop']);
});

test('two bindings of one scope that claim a key are refused with both names', () => {
	expect(() =>
		assertNoCollisions('Offers', [binding('d', 'open'), binding('d', 'delete')]),
	).toThrow('Offers: "d" is both "open" and "delete"');
});

test('a binding to a key that no terminal sends is refused', () => {
	expect(() => assertNoCollisions('Offers', [binding('Ctrl-H', 'help')])).toThrow('is not a key');
});

test('no scope of the console has a collision', () => {
	const sets = [
		appBindings,
		helpBindings,
		actionsBindings,
		...screenBindings.map(set => set.bindings),
	];
	for (const bindings of sets) expect(() => assertNoCollisions('', bindings)).not.toThrow();
});

test('the letters that a broken arrow key leaves do nothing worse than move, sort or open', () => {
	const harmless =
		/^(first|last|page|half|up|down|pick|sort|next|previous|open|refresh|read|re-check|examine again|test all|try again|look for|every action|one step|help)/;
	const letters = ['[', ']', '~', ...'ABCDFHIOPQRSZ'.split('')];
	const bound = [{bindings: appBindings}, ...screenBindings].flatMap(({bindings}) => [...bindings]);
	const leftovers = bound.filter(({keys}) => keys.some(key => letters.includes(key)));
	expect(leftovers.filter(({title}) => !harmless.test(title)).map(({title}) => title)).toEqual([]);
});

test('a paste is no key: it goes to the innermost field, and past nothing that is modal', () => {
	const keymap = createKeymap();
	const pasted: string[] = [];
	const scope = {title: 'Field', isModal: false, bindings: () => [], onText: undefined};
	expect(keymap.paste('q')).toBe(false);
	keymap.enter({...scope, depth: 0, onPaste: text => pasted.push(`outer ${text}`) > 0});
	expect(keymap.paste('q')).toBe(true);
	const leave = keymap.enter({...scope, depth: 1, isModal: true});
	expect(keymap.paste('q')).toBe(false);
	leave();
	keymap.enter({...scope, depth: 1, onPaste: text => pasted.push(`inner ${text}`) > 0});
	keymap.paste('q');
	expect(pasted).toEqual(['outer q', 'inner q']);
});
