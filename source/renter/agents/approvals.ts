/** Rents of agents that wait for a person's answer; no answer means no. */
import {statSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {withLock} from '../../client/files/file-lock.ts';
import {replaceFile} from '../../client/files/files.ts';
import {readKeptJson} from '../files/kept-file.ts';

const approval = z.readonly(
	z.object({
		/** Id of the rent and its quote: an answer applies to exactly what was shown. */
		id: z.string(),
		/** Seconds since 1970 on this machine's clock. */
		at: z.number(),
		agent: z.string(),
		/** Lines that a person reads before the answer, each a title and a text: `price: $1/h`. */
		words: z.readonly(z.array(z.string())),
		answer: z.optional(z.enum(['yes', 'no'])),
	}),
);

export type Approval = z.output<typeof approval>;
export type ApprovalAnswer = NonNullable<Approval['answer']>;

/** Seconds for which a rent waits, the validity of its quote. */
export const WAITING_SECONDS = 300;

export const MOST_WAITING = 20;

/** The file that all servers, consoles and commands share. */
export function openApprovals(stateFolder: string) {
	const file = join(stateFolder, 'agents-approvals.json');

	/** Requests of the last minutes, the oldest first. */
	const read = (now: number): readonly Approval[] => {
		const {data = []} = z.array(approval).safeParse(readKeptJson(file));
		return data.filter(({at}) => Math.abs(now - at) < WAITING_SECONDS);
	};
	const change = async (now: number, by: (all: readonly Approval[]) => readonly Approval[]) => {
		await mkdir(stateFolder, {recursive: true, mode: 0o700});
		await withLock(file, async () => replaceFile(file, JSON.stringify(by(read(now)))));
	};

	return {
		read,
		waiting: (now: number) => read(now).filter(({answer}) => answer === undefined),
		/** True if there was ever a request: most users have no agents. */
		isUsed: () => statSync(file, {throwIfNoEntry: false}) !== undefined,
		/** Adds a request; beyond the limit the new one is dropped, not a waiting one. */
		ask: async (asked: Approval) =>
			change(asked.at, all =>
				all.length >= MOST_WAITING || all.some(({id}) => id === asked.id) ? all : [...all, asked],
			),
		/** Answers a waiting request; false if it was answered elsewhere, or no longer waits. */
		async answer(id: string, answer: ApprovalAnswer, now: number): Promise<boolean> {
			let isAnswered = false;
			await change(now, all =>
				all.map(one => {
					if (one.id !== id || one.answer !== undefined) return one;
					isAnswered = true;
					return {...one, answer};
				}),
			);
			return isAnswered;
		},
	};
}
