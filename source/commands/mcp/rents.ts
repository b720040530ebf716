/** Rents of agents in a file that all servers share: what is an agent's own, and what the limits have left. */
import {mkdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import type {CapUse} from '../../contract/grammar/caps.ts';
import {parseJson} from '../../contract/grammar/json.ts';
import {fileTrouble} from '../../contract/rules/thrown.ts';
import {withLock} from '../../client/files/file-lock.ts';
import {readIfThere, replaceFile} from '../../client/files/files.ts';
import {appendLine} from '../../client/files/line-file.ts';
import {DAY, HOUR} from '../../contract/rules/durations.ts';

const instant = z.number();

const line = z.readonly(
	z.object({
		token: z.string(),
		/** Terms of the rent, written before it is sent. Times are seconds since 1970. */
		asked: z.optional(
			z.object({
				service: z.string(),
				agent: z.string(),
				quote: z.string(),
				perHour: z.number(),
				gpus: z.number(),
				at: instant,
			}),
		),
		id: z.optional(z.int()),
		endsAt: z.optional(instant),
		/** It was not made, or is gone. */
		goneAt: z.optional(instant),
	}),
);

export type Line = z.output<typeof line>;

export type AgentRent = NonNullable<Line['asked']> & {
	readonly token: string;
	/** Undefined while it is not known whether it was made. */
	readonly id: number | undefined;
	readonly endsAt: number;
	readonly goneAt: number | undefined;
};

/** Size of the file, in bytes, from which rents that no longer count are removed. */
const LONG_BYTES = 64 * 1024;
/** Bytes beyond which nothing is rented, until rents that count no more are taken out. */
const LONGEST_BYTES = 4 * 1024 * 1024;

/**
 * The file is never set aside: a rent that is forgotten is one that no limit counts. It grows by lines, and
 * is written anew with the rents that still count.
 */
export function openRents(stateFolder: string) {
	const file = join(stateFolder, 'agents-rents.jsonl');
	const all = () => foldLines((readIfThere(file) ?? '').split('\n'));
	const read = (service: string): readonly AgentRent[] =>
		all().filter(one => one.service === service);

	/** Alone among all servers. */
	const alone = async <Result>(act: () => Promise<Result>): Promise<Result> => {
		await mkdir(stateFolder, {recursive: true, mode: 0o700});
		return withLock(file, act);
	};
	const append = async (value: Line) => appendLine(file, JSON.stringify(value), Infinity);

	async function compact(now: number): Promise<boolean> {
		if ((await bytesOf(file)) < LONG_BYTES) return true;
		const rents = all();
		const over = rents.filter(rent => !counts(rent, now));
		const lines = [...sumsOf(over), ...rents.filter(rent => counts(rent, now))].map(lineOf);
		await replaceFile(file, lines.map(one => `${JSON.stringify(one)}\n`).join(''));
		return (await bytesOf(file)) < LONGEST_BYTES;
	}

	return {
		read,
		/** Notes what became of a rent. Returns a sentence where that fails: what was done stands. */
		async note(value: Line): Promise<string | undefined> {
			try {
				await alone(async () => append(value));
				return undefined;
			} catch (error) {
				return `That could not be noted (${fileTrouble(error)}).`;
			}
		},
		/** Decides on what is in the file and writes a line, while no other server does. */
		decide: async <Result>(
			{service, now}: {readonly service: string; readonly now: number},
			by: (rents: readonly AgentRent[]) => {readonly result: Result; readonly line?: Line},
		): Promise<Result> =>
			alone(async () => {
				if (!(await compact(now))) throw new Error(`${file} has no room for another rent`);
				const {result, line: wanted} = by(read(service));
				if (wanted !== undefined) await append(wanted);
				return result;
			}),
	};
}

async function bytesOf(file: string): Promise<number> {
	return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** A rent that is gone counts among those of its day, and one that is not may outlast its lease. */
function counts({goneAt, endsAt}: AgentRent, now: number): boolean {
	return goneAt === undefined ? endsAt > now - 30 * DAY : goneAt > now - 2 * DAY;
}

type Rents = ReturnType<typeof openRents>;

/** Rents of agents: from the file that servers share, or from what a market lists. */
export type KnownRents = Omit<Rents, 'read'> & {
	readonly read: (service: string) => readonly AgentRent[] | Promise<readonly AgentRent[]>;
};

function foldLines(texts: readonly string[]): readonly AgentRent[] {
	const rents = new Map<string, AgentRent>();
	for (const text of texts) {
		const {data} = line.safeParse(parseJson(text));
		if (data !== undefined) fold(rents, data);
	}
	return [...rents.values()];
}

function lineOf({token, id, endsAt, goneAt, ...asked}: AgentRent): Line {
	return {token, asked, id, endsAt: Number.isFinite(endsAt) ? endsAt : undefined, goneAt};
}

/** Rents that are over, as one of each service that cost the same within the first hour of all time. */
function sumsOf(over: readonly AgentRent[]): readonly AgentRent[] {
	const sums = new Map<string, number>();
	for (const {service, perHour, at, goneAt, endsAt} of over) {
		const cost = ((goneAt ?? endsAt) - at) * (perHour / HOUR);
		sums.set(service, (sums.get(service) ?? 0) + Math.max(0, cost));
	}
	return [...sums].map(([service, perHour]) => {
		const none = {id: undefined, agent: '', quote: '', gpus: 0};
		return {
			...none,
			token: `earlier ${service}`,
			service,
			perHour,
			at: 0,
			endsAt: HOUR,
			goneAt: HOUR,
		};
	});
}

function fold(rents: Map<string, AgentRent>, {token, asked, ...next}: Line): void {
	const known = rents.get(token);
	if (asked !== undefined) {
		const {endsAt = Infinity} = next;
		rents.set(token, {...asked, token, id: next.id ?? known?.id, endsAt, goneAt: next.goneAt});
	} else if (known !== undefined) {
		rents.set(token, {
			...known,
			id: next.id ?? known.id,
			endsAt: next.endsAt ?? known.endsAt,
			goneAt: next.goneAt ?? known.goneAt,
		});
	}
}

/** Seconds after its end for which an instance may still exist. */
const LATE_SECONDS = 900;

/**
 * Instances and dollars that the rents of agents use: all that may exist, until their leases end.
 *
 * @param listed ids of the instances that the service lists
 */
export function agentCapUse(
	rents: readonly AgentRent[],
	{now, listed}: {readonly now: number; readonly listed: ReadonlySet<number>},
): CapUse {
	const midnight = (Math.floor(now / DAY) + 1) * DAY;
	const cost = ({perHour, ...rent}: AgentRent, from: number, until: number) => {
		const isThere = rent.id !== undefined && listed.has(rent.id);
		const lease = isThere ? Math.max(rent.endsAt, now) : rent.endsAt;
		const end = Math.min(rent.goneAt ?? lease, until);
		return (Math.max(0, end - Math.max(rent.at, from)) * perHour) / HOUR;
	};
	const sum = (some: readonly AgentRent[], of: (rent: AgentRent) => number) =>
		some.reduce((total, rent) => total + of(rent), 0);
	const present = rents.filter(({goneAt, endsAt, id}) => {
		if (goneAt !== undefined) return false;
		return (id !== undefined && listed.has(id)) || endsAt + LATE_SECONDS > now;
	});
	const today = sum(rents, rent => cost(rent, midnight - DAY, midnight));
	const tomorrow = sum(present, rent => cost(rent, midnight, midnight + DAY));
	return {
		instances: present.length,
		gpus: sum(present, ({gpus}) => gpus),
		dollars_an_hour: sum(present, ({perHour}) => perHour),
		dollars_a_day: Math.max(today, tomorrow),
		dollars: sum(rents, rent => cost(rent, 0, Infinity)),
	};
}
