import {contract} from '../../contract/index.ts';
import {anyLogs, type LogsQuestion} from '../../contract/instance-tasks.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';
import {MarketError} from '../errors.ts';
import type {Read} from '../layers/reading.ts';
import {readResult} from './result.ts';

const {logs, execute} = contract.instances;

/** Options for waiting for a host's reply. */
export type AnswerOptions = CallOptions & {
	/**
	 * For how long at most.
	 *
	 * @default 15_000
	 */
	readonly answerMs?: number;
};

type Asked = {readonly result_url?: string | null | undefined; readonly msg?: unknown};

export function instanceTaskCalls(call: CallEndpoint, read: Read) {
	async function answerTo(
		attempt: string,
		{result_url: address, msg}: Asked,
		options: AnswerOptions,
	): Promise<string> {
		if (typeof address === 'string') return readResult(read, {attempt, address}, options);
		const why = typeof msg === 'string' ? msg : 'the service names no address for the answer';
		throw new MarketError(attempt, why);
	}

	return {
		/** The logs of an instance, as its host answers. */
		async logs(
			id: number,
			wanted: Partial<LogsQuestion> = {},
			options: AnswerOptions = {},
		): Promise<string> {
			const body = {...anyLogs, ...wanted};
			const asked = await call(logs, {params: {id}, body}, options);
			return answerTo('read the logs of an instance', asked, options);
		},
		/** Output of `ls`, `rm` or `du` inside an instance. */
		async execute(id: number, command: string, options: AnswerOptions = {}): Promise<string> {
			const asked = await call(execute, {params: {id}, body: {command}}, options);
			return answerTo('run a command in an instance', asked, options);
		},
	};
}
