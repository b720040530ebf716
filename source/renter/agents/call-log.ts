import {join} from 'node:path';
import * as z from 'zod/mini';
import {parseJson} from '../../contract/grammar/json.ts';
import {appendLine, readFileLines} from '../../client/files/line-file.ts';
import {shortText} from './fence.ts';

const call = z.readonly(
	z.object({
		/** ISO 8601 in UTC. */
		at: z.string(),
		agent: z.string(),
		tool: z.string(),
		/** Input of the call, each value cut. */
		input: z.record(z.string(), z.string()),
		outcome: z.enum(['done', 'refused', 'failed']),
		/** First line of the answer, or the reason of the refusal. */
		says: z.string(),
	}),
);

export type AgentCall = z.output<typeof call>;

/** A call as it is logged, without inputs that may be secret. */
export type NotedCall = Omit<AgentCall, 'input' | 'at'> & {readonly input: unknown};

const LONGEST_BYTES = 1024 * 1024;

function fileOf(stateFolder: string): string {
	return join(stateFolder, 'agents-calls.jsonl');
}

export async function noteCall(
	stateFolder: string,
	{input, ...noted}: NotedCall & Pick<AgentCall, 'at'>,
): Promise<void> {
	const values = typeof input === 'object' && input !== null ? Object.entries(input) : [];
	const short = values.map(([name, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		// Environments may hold secrets.
		return [name, name === 'env' ? '…' : shortText(text, 100)] as const;
	});
	const line = {...noted, input: Object.fromEntries(short)};
	await appendLine(fileOf(stateFolder), JSON.stringify(line), LONGEST_BYTES);
}

/** Calls of agents, the latest first. */
export function readCalls(stateFolder: string): readonly AgentCall[] {
	return readFileLines(fileOf(stateFolder))
		.flatMap(text => call.safeParse(parseJson(text)).data ?? [])
		.toReversed();
}
