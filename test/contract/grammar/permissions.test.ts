import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	common,
	covers,
	isGranted,
	nestedPermissions,
	permissions,
	PermissionsError,
	readPermissions,
	routeOf,
	type Grants,
	type Need,
} from '../../../source/contract/grammar/permissions.ts';
import type {Endpoint} from '../../../source/contract/grammar/endpoint.ts';
import {contract} from '../../../source/contract/index.ts';
import {runs} from '../../helpers/property.ts';

const logs = '/api/v0/instances/request_logs/{id}/';
const show = '/api/v0/instances/{id}/';

function nested(category: unknown): unknown {
	return {api: {instance_read: category}};
}

function logsOf(id: unknown): unknown {
	return nested({'api.instance.request_logs': {constraints: {id}}});
}

const readLogs = (id?: number): Need => ({permission: 'instance_read', route: routeOf(logs), id});
const readOne = (id?: number): Need => ({permission: 'instance_read', route: routeOf(show), id});

const cases: ReadonlyArray<readonly [given: unknown, need: Need, isAllowed: boolean]> = [
	[undefined, readOne(), true],
	[null, readOne(), true],
	[false, readOne(), true],
	[{}, readOne(), true],
	[{api: {}}, readOne(), false],
	[{misc: false}, readOne(), false],
	[{instance_read: true}, readOne(), true],
	[{instance_read: false}, readOne(), false],
	[{user_read: true}, readOne(), false],
	[{manage_instances: true}, readOne(), true],
	[{manage_instances: true}, {permission: 'instance_write'}, true],
	[{manage_instances: true}, {permission: 'misc'}, true],
	[{manage_instances: true}, {permission: 'user_read'}, true],
	[{manage_instances: true}, {permission: 'user_write'}, false],
	[{manage_instances: true}, {permission: 'billing_read'}, false],
	[{manage_billing: true}, {permission: 'billing_write'}, true],
	[{manage_billing: true}, {permission: 'instance_read'}, false],
	[{manage_billing: true, misc: true}, {permission: 'misc'}, true],
	[nested({}), readOne(), true],
	[nested(true), readOne(), true],
	[nested(false), readOne(), false],
	[nested(null), readOne(), false],
	[nested({}), {permission: 'instance_write'}, false],
	[nested({'api.instance.request_logs': {}}), readLogs(5), true],
	[nested({'api.instance.request_logs': {}}), readOne(5), false],
	[logsOf({eq: 5}), readLogs(5), true],
	[logsOf({eq: 5}), readLogs(6), false],
	[logsOf({eq: 5}), readLogs(), false],
	[logsOf({lte: 5}), readLogs(5), true],
	[logsOf({lte: 5}), readLogs(6), false],
	[logsOf({gte: 5}), readLogs(5), true],
	[logsOf({gte: 5}), readLogs(4), false],
	[logsOf({gte: 5, lte: 7}), readLogs(6), true],
	[logsOf({gte: 5, lte: 7}), readLogs(8), false],
	[logsOf({eq: 5, lte: 3}), readLogs(5), false],
	[nested({constraints: {id: {eq: 5}}}), readOne(5), true],
	[nested({constraints: {id: {eq: 5}}}), readOne(6), false],
	[nested({constraints: {id: {eq: 5}}}), readOne(), false],
];

test.each(cases)('%j, asked for %j, says %s', (given, need, isAllowed) => {
	expect(isGranted(readPermissions(given), need)).toBe(isAllowed);
});

test.each<readonly [given: unknown, says: string]>([
	['all', 'permissions must be a JSON object'],
	[[], 'permissions must be a JSON object'],
	[{read: true}, 'read is not a permission'],
	[{constructor: true}, 'constructor is not a permission'],
	[{misc: 'yes'}, 'misc must be true or false'],
	[{api: true}, 'api must be a JSON object'],
	[{api: {everything: {}}}, 'everything is not a permission'],
	[{api: {manage_billing: {}}}, 'manage_billing is not a permission'],
	[nested('all'), 'instance_read must be a JSON object'],
	[nested({logs: true}), 'logs takes {} or {"constraints": …}'],
	[nested({logs: {params: {}}}), 'logs takes {} or {"constraints": …}'],
	[nested({logs: {constraints: {label: {eq: 1}}}}), 'constraints are on id alone'],
	[logsOf({ne: 5}), 'constraints on id are eq, lte and gte with a number'],
	[logsOf({eq: 'wildcard'}), 'constraints on id are eq, lte and gte with a number'],
	[logsOf(5), 'constraints on id are eq, lte and gte with a number'],
])('%j is refused by name', (given, says) => {
	expect(() => readPermissions(given)).toThrow(new PermissionsError(says));
});

test.each<readonly [mine: unknown, theirs: unknown, isCovered: boolean]>([
	[null, null, true],
	[null, {misc: true}, true],
	[{misc: true}, null, false],
	[{misc: true}, {misc: true}, true],
	[{misc: true}, {api: {misc: {}}}, true],
	[{misc: true}, {misc: false}, true],
	[{misc: true}, {misc: true, user_read: true}, false],
	[{manage_instances: true}, {instance_read: true, misc: true}, true],
	[{instance_read: true}, logsOf({eq: 5}), true],
	[logsOf({eq: 5}), {instance_read: true}, false],
	[logsOf({gte: 1, lte: 9}), logsOf({eq: 5}), true],
	[logsOf({gte: 1, lte: 9}), logsOf({lte: 5}), false],
	[logsOf({eq: 5}), nested({'api.instance.request_logs': {}}), false],
	[logsOf({eq: 5}), nested({constraints: {id: {eq: 5}}}), false],
])('a key with %j that gives %j: %s', (mine, theirs, isCovered) => {
	expect(covers(readPermissions(mine), readPermissions(theirs))).toBe(isCovered);
});

test('paths have names by which permissions know them', () => {
	expect(routeOf('/api/v0/instances/request_logs/{id}/')).toBe('api.instance.request_log');
	expect(routeOf('/api/v1/instances/')).toBe('api.instance');
	expect(routeOf('/api/v0/auth/apikeys/{id}/')).toBe('api.auth.apikey');
});

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;

test('a category that is limited to ids is limited to those of its own noun', () => {
	const named = Object.values(byNoun)
		.flatMap(endpoints => Object.values(endpoints))
		.filter(({path}) => path.includes('{id}'))
		.filter(({path, permission: needed}) => {
			const found = permissions.find(one => one === needed);
			if (found === undefined) return false;
			const given = readPermissions({api: {[found]: {constraints: {id: {gte: 5}}}}});
			return isGranted(given, {permission: found, route: routeOf(path), id: 5});
		});
	const nouns = named.map(({path, permission: needed}) => {
		const noun = /^\/api\/v\d\/((?:(?:hosts|team|auth)\/)?\w+)/.exec(path)?.[1];
		return `${String(needed)} ${noun}`;
	});
	expect([...new Set(nouns)].toSorted()).toEqual([
		'instance_read instances',
		'instance_write instances',
		'machine_read machines',
		'machine_write hosts/machines',
		'machine_write machines',
		'team_write team/members',
		'user_read auth/apikeys',
		'user_write auth/apikeys',
	]);
});

const forSeven = (route: string) =>
	readPermissions({api: {instance_write: {[route]: {constraints: {id: {eq: 7}}}}}});

test('a key for some instances neither rents an offer of such an id, nor gives that on', () => {
	const mine = readPermissions({api: {instance_write: {constraints: {id: {gte: 5}}}}});
	const rent = routeOf('/api/v0/asks/{id}/');
	expect(isGranted(mine, {permission: 'instance_write', route: rent, id: 7})).toBe(false);
	expect(covers(mine, forSeven('api.ask'))).toBe(false);
	expect(covers(mine, forSeven('api.instance.reboot'))).toBe(true);
});

const permission = fc.constantFrom('misc' as const, 'instance_read' as const);
const route = fc.option(fc.constantFrom('api.instance.log', 'api.ask'), {nil: undefined});
const bound = fc.integer({min: 0, max: 5});
const ids = fc.option(fc.record({least: bound, most: bound}), {nil: undefined});
const anyGrants: fc.Arbitrary<Grants> = fc.option(
	fc.array(fc.record({permission, route, ids}), {maxLength: 4}),
	{nil: undefined},
);
const id = fc.option(bound, {nil: undefined});

test('what two have in common allows what both allow, and nothing else', () => {
	fc.assert(
		fc.property(anyGrants, anyGrants, fc.record({permission, route, id}), (one, other, need) => {
			const both = isGranted(one, need) && isGranted(other, need);
			expect(isGranted(common(one, other), need)).toBe(both);
		}),
		{numRuns: runs(3000)},
	);
});

test.each([
	{manage_billing: true, user_read: false},
	{api: {instance_write: {'api.ask': {}}, misc: {}}},
	{user_write: true, api: {user_write: {constraints: {id: {eq: 1}}}}},
	{user_read: false},
	undefined,
])('%j in the nested form grants the same', record => {
	const shown = nestedPermissions(record);
	expect(Object.keys(shown)).toEqual(['api']);
	const theirs = readPermissions(shown);
	const mine = readPermissions(record) ?? permissions.map(name => ({permission: name}));
	const whole = mine.map(grant => ({route: undefined, ids: undefined, ...grant}));
	expect([covers(whole, theirs), covers(theirs, whole)]).toEqual([true, true]);
});
