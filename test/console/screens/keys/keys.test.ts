import {expect, test} from 'vitest';
import {parsePublicKey} from '../../../../source/contract/rules/public-key.ts';
import {keyRows, mayDo} from '../../../../source/console/screens/keys/rows.ts';
import {sshKeyText} from '../../../helpers/host/ssh-keys.ts';

test.each([
	[false, 'everything'],
	[{instance_read: true, instance_write: false}, 'instance_read'],
	[
		{api: {instance_write: {'api.instances': {constraints: {id: {eq: 7}}}}}},
		'instance_write (api.instance, some ids)',
	],
	[{fly: true}, 'in a form unknown to this version'],
	[undefined, 'not said'],
] as const)('the rights %j read as %s', (permissions, words) => {
	expect(mayDo({id: 1, permissions})).toBe(words);
});

test('the key in use is told by its number, and where there is none by its end', () => {
	const apiKeys = [
		{id: 1, last_four: 'aaaa'},
		{id: 2, last_four: 'aaaa'},
	];
	const used = (known: {readonly inUse: number | undefined; readonly end: string | undefined}) =>
		keyRows({apiKeys, sshKeys: [], local: [], ...known})
			.filter(row => row.kind === 'api' && row.isInUse)
			.map(({keyId}) => keyId);
	expect(used({inUse: 2, end: 'aaaa'})).toEqual([2]);
	expect(used({inUse: undefined, end: 'aaaa'})).toEqual([1, 2]);
	expect(used({inUse: undefined, end: undefined})).toEqual([]);
});

test('a key stays the row that it was when it is registered, and twins are two rows', () => {
	const local = {...parsePublicKey(sshKeyText(1, 'mine')), file: '/h/.ssh/a.pub', isInAgent: false};
	const idsWith = (...sshKeys: ReadonlyArray<{readonly id: number; readonly public_key: string}>) =>
		keyRows({apiKeys: [], sshKeys, local: [local], inUse: undefined, end: undefined}).map(
			({id}) => id,
		);
	const [before] = idsWith();
	expect(idsWith({id: 5, public_key: sshKeyText(1, 'mine')})).toEqual([before]);
	const twins = [5, 6].map(id => ({id, public_key: sshKeyText(1, 'mine')}));
	expect(idsWith(...twins)).toEqual([before, 6]);
});

test('a key that is in the account and here is one row', () => {
	const local = {...parsePublicKey(sshKeyText(1, 'mine')), file: '/h/.ssh/a.pub', isInAgent: true};
	const rows = keyRows({
		apiKeys: [],
		sshKeys: [{id: 5, public_key: sshKeyText(1, 'laptop')}],
		local: [local],
		inUse: undefined,
		end: undefined,
	});
	expect(rows.map(({name, where}) => [name, where])).toEqual([['laptop', 'account, agent']]);
});

test('a key that was deleted is shown as deleted, and what is here of it can be registered again', () => {
	const local = {...parsePublicKey(sshKeyText(1, 'mine')), file: '/h/.ssh/a.pub', isInAgent: false};
	const deleted = {id: 5, public_key: sshKeyText(1, 'mine'), deleted_at: '2026-11-20T10:00:00Z'};
	const rows = keyRows({
		apiKeys: [],
		sshKeys: [deleted],
		local: [local],
		inUse: undefined,
		end: undefined,
	});
	expect(rows).toMatchObject([
		{where: 'here only', keyId: undefined, isDeleted: false},
		{where: 'deleted', keyId: 5, isDeleted: true, local: undefined},
	]);
	expect(new Set(rows.map(({id}) => id)).size).toBe(2);
});
