/** Limits of an instance's environment as a whole: its ports and its length. */
import {lastOfEach, type Env, type EnvEntry} from './env.ts';
import {lengthOf} from '../grammar/text-length.ts';

/** A port of the container that shall be reached from outside. */
export type ContainerPort = {readonly port: number; readonly protocol: 'tcp' | 'udp'};

/** From this number on, a port gets the same number inside and outside, chosen by the host. */
const FIRST_IDENTITY_PORT = 70_000;

export const MOST_PORTS = 64;
const LONGEST_NAME = 256;
const LONGEST_ENV = 32_768;

/** The port that a key such as `-p 8080:80/udp` maps; undefined for other keys. */
export function containerPort(key: string): ContainerPort | undefined {
	const match = /^-p (?:\d+:)?(\d+)(?:\/(tcp|udp))?$/.exec(key);
	if (match === null) return undefined;
	return {port: Number(match[1]), protocol: match[2] === 'udp' ? 'udp' : 'tcp'};
}

export function isIdentityPort({port}: ContainerPort): boolean {
	return port >= FIRST_IDENTITY_PORT;
}

/** One environment over another: by key, and then by port of the container, the upper one counts. */
export function layEnv(lower: Env, upper: Env): Env {
	const ports = new Set<string>();
	const isFirst = ([key]: EnvEntry) => {
		const mapped = containerPort(key);
		if (mapped === undefined) return true;
		const name = `${mapped.port}/${mapped.protocol}`;
		return !ports.has(name) && ports.add(name).size > 0;
	};
	return lastOfEach([...lower, ...upper])
		.toReversed()
		.filter(isFirst)
		.toReversed();
}

/** Reason why an environment is refused. */
export function envProblem(env: Env): string | undefined {
	const long = env.find(([key]) => lengthOf(key) > LONGEST_NAME);
	if (long !== undefined) return `env: a name has at most ${LONGEST_NAME} characters`;
	const total = env.reduce((sum, [key, value]) => sum + lengthOf(key) + lengthOf(value), 0);
	if (total > LONGEST_ENV) {
		return `env: names and values have at most ${LONGEST_ENV} characters together`;
	}
	const ports = env.filter(([key]) => key.startsWith('-p '));
	return ports.length > MOST_PORTS ? `env: at most ${MOST_PORTS} ports can be mapped` : undefined;
}
