/** Looks for a container engine on this machine. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {openEngine, type Engine} from './engine.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The first engine that answers; undefined where there is none. */
export async function findEngine(
	environment: Environment = process.env,
): Promise<Engine | undefined> {
	for (const path of socketPaths(environment, process.getuid?.() ?? 0)) {
		if (!existsSync(path)) continue;
		try {
			return await openEngine(path);
		} catch {
			// A socket may be left of an engine that has ended, or belong to somebody else.
		}
	}
	return undefined;
}

/** Sockets of engines. A named one counts alone, and only one on this machine is accepted. */
export function socketPaths(environment: Environment, userId: number): readonly string[] {
	const named = environment['DOCKER_HOST'] ?? environment['CONTAINER_HOST'] ?? '';
	if (named !== '') return named.startsWith('unix://') ? [named.slice('unix://'.length)] : [];
	const own = environment['XDG_RUNTIME_DIR'] ?? `/run/user/${userId}`;
	return [
		'/var/run/docker.sock',
		join(own, 'docker.sock'),
		...(userId === 0 ? ['/run/podman/podman.sock'] : []),
		join(own, 'podman', 'podman.sock'),
	];
}
