/** Answers the market's questions about instances, each once. */
import {messageOf} from '../contract/thrown.ts';
import type {Client} from '../client/client.ts';
import type {Task} from '../contract/host-work.ts';
import {plainText} from './outbox.ts';
import {isRefused, persist, type Patience} from './retry.ts';
import type {Runtime} from './runtime.ts';

/** The most characters of an answer, as the contract has it: the last ones say the most. */
const LONGEST_ANSWER = 512 * 1024;

type Answering = {
	readonly calls: Pick<Client['hosts'], 'answer'>;
	readonly runtime: Pick<Runtime, 'logs' | 'execute'>;
};

export function createTaskAnswers({calls, runtime}: Answering, patience: Patience) {
	const asked = new Set<number>();

	async function answer(task: Task): Promise<void> {
		const text = plainText(await answerOf(runtime, task))
			.slice(-LONGEST_ANSWER)
			.toWellFormed();
		const attempt = async () => calls.answer(task.id, text, {signal: patience.signal});
		try {
			await persist(attempt, isRefused, patience);
		} catch (error) {
			// Whoever asked may have stopped waiting.
			if (!patience.signal.aborted) patience.log(`${messageOf(error)}.`);
		}
	}

	/** Answers a task, unless it is being answered. */
	return async function answerOnce(task: Task): Promise<void> {
		if (asked.has(task.id)) return;
		asked.add(task.id);
		await answer(task);
		asked.delete(task.id);
	};
}

async function answerOf(runtime: Answering['runtime'], task: Task): Promise<string> {
	try {
		return await (task.kind === 'logs' ? runtime.logs(task) : runtime.execute(task));
	} catch (error) {
		return `The host could not do it: ${messageOf(error)}\n`;
	}
}
