/** Permissions of API keys. Every endpoint names the one it needs. */
import {isRecord} from './json.ts';

export const permissions = [
	'instance_read',
	'instance_write',
	'user_read',
	'user_write',
	'billing_read',
	'billing_write',
	'machine_read',
	'machine_write',
	'misc',
	'team_read',
	'team_write',
] as const;

export type Permission = (typeof permissions)[number];

/** Names that each stand for several permissions. */
const bundles: ReadonlyMap<string, readonly Permission[]> = new Map([
	['manage_instances', ['instance_read', 'instance_write', 'misc', 'user_read']],
	['manage_billing', ['billing_read', 'billing_write']],
]);

/** Permissions as on the wire: flat flags, the nested form, or both. */
export type PermissionsRecord = Readonly<Record<string, unknown>>;

/** The ids that a grant covers, both ends included. */
type IdRange = {readonly least: number; readonly most: number};

type Grant = {
	readonly permission: Permission;
	/** The route granted, as `routeOf` writes it; undefined for all routes. */
	readonly route: string | undefined;
	/**
	 * The ids granted; undefined for all ids, and for calls that name none. Without a route they are
	 * those of the category's noun.
	 */
	readonly ids: IdRange | undefined;
};

/** Everything that a key may do; undefined for no restriction. */
export type Grants = readonly Grant[] | undefined;

export class PermissionsError extends Error {
	override readonly name = 'PermissionsError';
}

/**
 * Reads permissions. Flags that are false or missing grant nothing; no flags at all grant
 * everything.
 *
 * @throws PermissionsError naming the unknown part: an overlooked flag would grant too much.
 */
export function readPermissions(value: unknown): Grants {
	if (value === undefined || value === null || value === false) return undefined;
	if (!isRecord(value)) throw new PermissionsError('permissions must be a JSON object');
	if (Object.keys(value).length === 0) return undefined;
	return Object.entries(value).flatMap(([name, flag]) =>
		name === 'api' ? readNested(flag) : readFlag(name, flag),
	);
}

/** Permissions in the nested form, with all of them for undefined. */
export function nestedPermissions(record: PermissionsRecord | undefined): PermissionsRecord {
	const {api, ...flags} = record ?? {};
	const hasFlags = record === undefined || Object.keys(flags).length > 0;
	const granted = hasFlags
		? (readPermissions(flags)?.map(grant => grant.permission) ?? permissions)
		: [];
	const categories = Object.fromEntries(granted.map(name => [name, {}]));
	return {api: {...(isRecord(api) && api), ...categories}};
}

function readFlag(name: string, flag: unknown): readonly Grant[] {
	const granted = bundles.get(name) ?? [readCategory(name)];
	if (typeof flag !== 'boolean') throw new PermissionsError(`${name} must be true or false`);
	return flag ? granted.map(whole) : [];
}

function readNested(categories: unknown): readonly Grant[] {
	if (!isRecord(categories)) throw new PermissionsError('api must be a JSON object');
	return Object.entries(categories).flatMap(([name, routes]) => {
		const permission = readCategory(name);
		if (routes === null || routes === false) return [];
		if (routes === true) return [whole(permission)];
		if (!isRecord(routes)) throw new PermissionsError(`${name} must be a JSON object`);
		const entries = Object.entries(routes);
		if (entries.length === 0) return [whole(permission)];
		return entries.map(([route, limits]): Grant => {
			// `constraints` beside the routes limits the whole category.
			if (route === 'constraints') return {permission, route: undefined, ids: readLimits(limits)};
			return {permission, route: normalRoute(route), ids: readRoute(route, limits)};
		});
	});
}

function readRoute(route: string, value: unknown): IdRange | undefined {
	const {constraints, ...rest} = isRecord(value) ? value : {unknown: value};
	if (Object.keys(rest).length > 0) {
		throw new PermissionsError(`${route} takes {} or {"constraints": …}`);
	}
	return constraints === undefined ? undefined : readLimits(constraints);
}

function readLimits(constraints: unknown): IdRange | undefined {
	const {id, ...rest} = isRecord(constraints) ? constraints : {unknown: constraints};
	if (Object.keys(rest).length > 0) throw new PermissionsError('constraints are on id alone');
	if (id === undefined) return undefined;
	const {eq, lte, gte, ...others} = isRecord(id) ? id : {unknown: id};
	const isKnown = [eq, lte, gte].every(bound => bound === undefined || Number.isFinite(bound));
	if (Object.keys(others).length > 0 || !isKnown) {
		throw new PermissionsError('constraints on id are eq, lte and gte with a number');
	}
	const least = Math.max(...numbersIn(eq, gte), -Infinity);
	return {least, most: Math.min(...numbersIn(eq, lte), Infinity)};
}

function numbersIn(...values: readonly unknown[]): readonly number[] {
	return values.filter(value => typeof value === 'number');
}

function readCategory(name: string): Permission {
	const known = permissions.find(permission => permission === name);
	if (known === undefined) throw new PermissionsError(`${name} is not a permission`);
	return known;
}

function whole(permission: Permission): Grant {
	return {permission, route: undefined, ids: undefined};
}

/**
 * Calls that limits of a whole category apply to: an offer, a job or a report may have the same id
 * as an instance. Ids of other calls are limited by their routes.
 */
const ownRoutes: Readonly<Partial<Record<Permission, RegExp>>> = {
	instance_read: /^api\.instance(?:\.|$)/,
	instance_write: /^api\.instance(?:\.|$)/,
	machine_read: /^api(?:\.host)?\.machine(?:\.|$)/,
	machine_write: /^api(?:\.host)?\.machine(?:\.|$)/,
	team_write: /^api\.team\.member$/,
	user_read: /^api\.auth\.apikey$/,
	user_write: /^api\.auth\.apikey$/,
};

function isOfIds({permission, route, ids}: Grant, wanted: string | undefined): boolean {
	if (ids === undefined || route !== undefined || wanted === undefined) return true;
	return ownRoutes[permission]?.test(wanted) === true;
}

export type Need = {
	readonly permission: Permission;
	readonly route?: string | undefined;
	readonly id?: number | undefined;
};

/**
 * True if a key may make a call. A key limited to some ids may only make calls that name one of
 * them.
 */
export function isGranted(grants: Grants, {permission, route, id}: Need): boolean {
	return isCovered(grants, {
		permission,
		route,
		ids: id === undefined ? undefined : {least: id, most: id},
	});
}

/** True if `mine` allows everything that `theirs` allows. */
export function covers(mine: Grants, theirs: Grants): boolean {
	if (mine === undefined) return true;
	return theirs !== undefined && theirs.every(grant => isCovered(mine, grant));
}

export function common(one: Grants, other: Grants): Grants {
	if (one === undefined || other === undefined) return one ?? other;
	return one.flatMap(mine =>
		other.flatMap(theirs => {
			const {permission, route = theirs.route} = mine;
			const isSame =
				permission === theirs.permission &&
				route === (theirs.route ?? route) &&
				isOfIds(mine, route) &&
				isOfIds(theirs, route);
			const ids = commonIds(mine.ids, theirs.ids);
			return isSame && (ids === undefined || ids.least <= ids.most)
				? [{permission, route, ids}]
				: [];
		}),
	);
}

function commonIds(one: IdRange | undefined, other: IdRange | undefined): IdRange | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return {least: Math.max(one.least, other.least), most: Math.min(one.most, other.most)};
}

function isCovered(grants: Grants, wanted: Grant): boolean {
	if (grants === undefined) return true;
	return grants.some(mine => {
		const {permission, route, ids} = mine;
		return (
			permission === wanted.permission &&
			(route === undefined || route === wanted.route) &&
			isOfIds(mine, wanted.route) &&
			(ids === undefined || contains(ids, wanted.ids))
		);
	});
}

function contains(range: IdRange, ids: IdRange | undefined): boolean {
	return ids !== undefined && range.least <= ids.least && ids.most <= range.most;
}

/** The name of a path in permissions: `api.instance.request_log` for its logs. */
export function routeOf(path: string): string {
	const words = path.split('/').filter(word => word !== '' && !word.startsWith('{'));
	return normalRoute(['api', ...words.filter(word => !/^(api|v\d+)$/.test(word))].join('.'));
}

/** Route with its noun in the singular: paths and names differ in the plural. */
function normalRoute(route: string): string {
	return route
		.split('.')
		.map(word => word.replace(/(?<=[^s])s$/, ''))
		.join('.');
}
