import {expect, test} from 'vitest';
import {bindingAliases} from '../../../source/console/app/binding-aliases.ts';
import {appBindings} from '../../../source/console/app/app-bindings.ts';
import type {BindingFacts} from '../../../source/console/ui/bindings.ts';
import {namedSets, chooseKeys, bindingName} from '../../../source/console/app/chosen-keys.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {createSettingsStore} from '../../helpers/settings-store.ts';
import {openTestConsole} from '../../helpers/console/console.ts';

const open: BindingFacts = {keys: ['Enter'], id: 'open-it', title: 'open it: and look'};
const mark: BindingFacts = {keys: ['m'], id: 'mark', title: 'mark'};
const destroy: BindingFacts = {keys: ['x'], id: 'destroy', title: 'destroy', isChange: true};
const help: BindingFacts = {keys: ['?'], id: 'help', title: 'help'};
const quit: BindingFacts = {keys: ['Ctrl-C'], id: 'quit', title: 'quit', isAlways: true};
const send: BindingFacts = {keys: ['Enter'], id: 'send', title: 'send'};
const yes: BindingFacts = {keys: ['y'], id: 'yes', title: 'yes', isChange: true};

const sets = [
	{id: 'everywhere', title: 'Everywhere', bindings: [help, quit]},
	{id: 'list', title: 'List', bindings: [open, mark, destroy]},
	{id: 'detail', title: 'Detail', bindings: [destroy]},
	{id: 'field', title: 'Field', bindings: [send]},
	{id: 'question', title: 'Question', bindings: [yes]},
];

test('a binding is chosen by its screen and what it does, or by what it does alone', () => {
	const {keys, problems} = chooseKeys(sets, {'list.open-it': ['e', 'Ctrl-E'], destroy: 'D'});
	expect(problems).toEqual([
		'keys: "destroy" has its usual keys: a broken arrow key looks like D, and must not begin a change.',
	]);
	expect([...keys]).toEqual([[open, ['e', 'Ctrl-E']]]);
});

test('two that would have one key are refused with both names, and others are followed', () => {
	const {keys, problems} = chooseKeys(sets, {'list.open-it': 'm', 'detail.destroy': 'k'});
	expect(problems).toEqual([
		'keys: "m" for "list.open-it" is already "mark" (list.mark). It keeps Enter until that is changed.',
	]);
	expect([...keys]).toEqual([[destroy, ['k']]]);
});

test('what works everywhere and what works on one screen cannot share a key', () => {
	expect(chooseKeys(sets, {'list.mark': '?'}).problems[0]).toContain('already "help"');
	expect(chooseKeys(sets, {'everywhere.help': 'm'}).problems[0]).toContain('already "mark"');
});

test('two bindings can swap their keys', () => {
	const {keys, problems} = chooseKeys(sets, {'list.mark': 'x', 'list.destroy': 'm'});
	expect(problems).toEqual([]);
	expect([...keys.values()]).toEqual([['x'], ['m']]);
});

test.each([
	['list.nothing', 'e', 'there is no binding of this name'],
	['list.mark', 'Strg-M', '"Strg-M" is no key'],
	['list.mark', 'Backspace', 'left to the terminal'],
	['everywhere.quit', 'e', 'it has to work whatever happens'],
	['field.send', 's', 's is typed as text there'],
	['question.yes', 'z', 'questions keep their answers'],
])('%s cannot be %s: %s', (name, key, reason) => {
	const {keys, problems} = chooseKeys(sets, {[name]: key});
	expect(problems).toEqual([expect.stringContaining(reason)]);
	expect(keys.size).toBe(0);
});

test('every binding of the program has a name of its own on its screen', () => {
	const names = namedSets.flatMap(set => set.bindings.map(binding => bindingName(set, binding)));
	expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
	expect(appBindings.length).toBeGreaterThan(0);
});

test('a key that is chosen for one screen leaves the same key of other screens as it is', () => {
	const wishes = {'activity.refresh-now': 'e', 'instances.open-detail': 'e'};
	const {keys, problems} = chooseKeys(namedSets, wishes);
	const changed = namedSets.filter(({bindings}) => bindings.some(one => keys.has(one)));
	expect({problems, changed: changed.map(({id}) => id)}).toEqual({
		problems: [expect.stringContaining('"e" for "instances.open-detail" is already')],
		changed: ['activity'],
	});
});

test('a key that was chosen does what it was chosen for, and is the one that is shown', async () => {
	const settings = createSettingsStore({
		...defaultSettings,
		keys: {'everywhere.help': 'H'},
	});
	await using rentty = openTestConsole({settings});
	await rentty.sees('H help');
	rentty.type('?');
	rentty.type('H');
	await rentty.sees('HELP');
});

test('a name that a binding once had still gives it a key, with its screen or without', async () => {
	const wishes = {
		'instances.take-a-sweep-back-before-it-is-sent': 'B',
		'the-pane-beside-the-list': 'Ctrl-O',
	};
	const {keys, problems} = chooseKeys(namedSets, wishes);
	expect(problems).toEqual([]);
	expect([...keys].map(([{id}, chosen]) => [id, chosen])).toEqual([
		['sweep-undo', ['B']],
		['next-pane', ['Ctrl-O']],
	]);
	const settings = createSettingsStore({
		...defaultSettings,
		keys: {'everywhere.help-for-this-screen': 'H'},
	});
	await using rentty = openTestConsole({settings});
	await rentty.sees('H help');
	rentty.type('H');
	await rentty.sees('HELP');
});

test('an earlier name leads to one binding of today, which has it from no other, and is no name of today', () => {
	const ids = new Set(namedSets.flatMap(({bindings}) => bindings.map(({id}) => id)));
	const now = [...bindingAliases.values()];
	expect(now.filter(id => !ids.has(id))).toEqual([]);
	expect(now.filter((id, at) => now.indexOf(id) !== at)).toEqual([]);
	expect([...bindingAliases.keys()].filter(id => ids.has(id))).toEqual([]);
});

test('a key that cannot be had is said at the start', async () => {
	const settings = createSettingsStore({...defaultSettings, keys: {'offers.mark-all': 'o'}});
	await using rentty = openTestConsole({settings});
	await rentty.sees('keys: "o" for "offers.mark-all" is already "sort by it');
});
