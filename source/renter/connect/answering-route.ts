/** The SSH route to an instance: the direct one if it answers, otherwise the relay's. */
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {replaceFile, readIfThere} from '../../client/files/files.ts';
import {fieldsOf, parseJson} from '../../contract/grammar/json.ts';
import type {SshRoute} from '../../contract/nouns/ssh-command.ts';
import {probeSsh, type Probe} from './probe.ts';

type Choosing = {
	readonly folder: string;
	/** @default probeSsh */
	readonly probe?: Probe;
	/** @default Date.now */
	readonly now?: () => number;
};

/** Timeout of a direct route. */
const PATIENCE_MS = 1000;

/** Time for which a silent route is not retried. */
const SILENT_MS = 10 * 60_000;

const MOST_SILENT = 500;

/**
 * The first route, unless it is silent and there is another: silence is remembered, so that the
 * wait happens only once. Undefined without any route.
 */
export async function answeringRoute(
	routes: readonly SshRoute[],
	{folder, probe = probeSsh, now = Date.now}: Choosing,
): Promise<SshRoute | undefined> {
	const [first, other] = routes;
	if (first === undefined || other === undefined || isSame(first, other)) return first;
	const file = join(folder, 'silent-routes.json');
	const silent = readSilent(file, now());
	const endpoint = `${first.host} ${first.port}`;
	if (silent.has(endpoint)) return other;
	if (await answers(first, probe)) return first;
	const kept = [...silent, [endpoint, now()] as const].slice(-MOST_SILENT);
	await mkdir(folder, {recursive: true, mode: 0o700});
	// If the result cannot be stored, the next run tries again.
	await replaceFile(file, JSON.stringify(Object.fromEntries(kept))).catch(() => undefined);
	return other;
}

function isSame(one: SshRoute, other: SshRoute): boolean {
	return one.host === other.host && one.port === other.port;
}

async function answers(route: SshRoute, probe: Probe): Promise<boolean> {
	const late = Promise.withResolvers<undefined>();
	const timer = setTimeout(() => late.resolve(undefined), PATIENCE_MS);
	const ms = await Promise.race([probe(route), late.promise]);
	clearTimeout(timer);
	return ms !== undefined;
}

/** Addresses that were recently silent, with the times of their silence. */
function readSilent(file: string, now: number): ReadonlyMap<string, number> {
	const fields = fieldsOf(parseJson(readIfThere(file) ?? ''));
	const all = Object.entries(fields).flatMap(([place, at]) =>
		typeof at === 'number' && at <= now && now - at < SILENT_MS ? [[place, at] as const] : [],
	);
	return new Map(all);
}
