/** Tasks for the host of an instance. The result is text at a URL, a few moments later. */
import * as z from 'zod/mini';
import {dependentBody} from '../grammar/tolerant.ts';
import {endpoint} from '../grammar/endpoint.ts';
import {refusalReply, recordRefusals} from '../grammar/errors.ts';
import {readBoolean, readNumber} from '../grammar/filter.ts';
import {countCharacters} from '../grammar/harmless-text.ts';
import {text, pathWithId} from '../grammar/values.ts';

export type LogsQuestion = {
	/** The last lines. */
	readonly tail: number;
	/** Text that all returned lines contain. */
	readonly filter: string | undefined;
	/** Logs of the machine's daemon instead of the container's. */
	readonly daemon: boolean;
};

export const anyLogs: LogsQuestion = {tail: 1000, filter: undefined, daemon: false};

export const MOST_LINES = 10_000;
const LONGEST_FILTER = 1024;
const LONGEST_COMMAND = 512;

class QuestionError extends Error {
	override readonly name = 'QuestionError';
}

type Body = Readonly<Record<string, unknown>>;

function readLogsQuestion({tail, filter, daemon_logs: daemon}: Body): LogsQuestion {
	return {
		tail: readTail(tail ?? anyLogs.tail),
		filter: readFilter(filter ?? ''),
		daemon: readDaemon(daemon ?? false),
	};
}

function readTail(value: unknown): number {
	const tail = readNumber(value);
	if (tail !== undefined && Number.isSafeInteger(tail) && tail >= 1 && tail <= MOST_LINES) {
		return tail;
	}
	throw new QuestionError(`tail must be a whole number from 1 to ${MOST_LINES}`);
}

function readFilter(value: unknown): string | undefined {
	const isFit =
		typeof value === 'string' && value.isWellFormed() && countCharacters(value) <= LONGEST_FILTER;
	if (!isFit)
		throw new QuestionError(`filter must be text of at most ${LONGEST_FILTER} characters`);
	return value === '' ? undefined : value;
}

function readDaemon(value: unknown): boolean {
	const daemon = readBoolean(value);
	if (daemon === undefined) throw new QuestionError('daemon_logs must be true or false');
	return daemon;
}

/** Characters that a shell would interpret, and characters that do not print. */
const special = /[\p{C}\p{Zl}\p{Zp};&|<>$`\\"'(){}[\]*?!#~^]/u;

/** Reads a command, which can only list, measure and remove files. */
function readCommand(value: unknown): string {
	const command = typeof value === 'string' ? value.trim() : '';
	const [program = ''] = command.split(' ');
	const isFit =
		countCharacters(command) <= LONGEST_COMMAND &&
		['ls', 'rm', 'du'].includes(program) &&
		!special.test(command);
	if (!isFit) throw new QuestionError('Invalid command given.');
	return command;
}

const logsQuestion = dependentBody<LogsQuestion>({
	read: readLogsQuestion,
	write: ({tail, filter, daemon}) => ({
		tail: String(tail),
		...(filter !== undefined && {filter}),
		...(daemon && {daemon_logs: 'true'}),
	}),
	takes: {
		tail: z.nullish(z.union([z.string(), z.int()])),
		filter: z.nullish(z.string()),
		daemon_logs: z.nullish(z.string()),
	},
	throws: [QuestionError],
});

const commandQuestion = dependentBody<{readonly command: string}>({
	read: ({command}) => ({command: readCommand(command)}),
	write: question => ({...question}),
	takes: {command: z.string()},
	throws: [QuestionError],
});

/** URL of the future result, readable without a key; or the reason why there will be none. */
const asked = {
	success: z.optional(z.boolean()),
	result_url: z.nullish(z.string()),
	msg: z.nullish(z.string()),
};

export const logs = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/request_logs/{id}/',
	summary: 'Read the logs of an instance',
	makes: ['question'],
	onlyReads: true,
	params: pathWithId,
	body: logsQuestion,
	replies: {200: z.looseObject(asked), ...recordRefusals},
	permission: 'instance_read',
	thresholdSeconds: undefined,
});

export const execute = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/command/{id}/',
	summary: 'Run ls, rm or du in an instance',
	makes: ['question'],
	params: pathWithId,
	body: commandQuestion,
	replies: {
		200: z.looseObject({...asked, writeable_path: z.nullish(z.string())}),
		...recordRefusals,
	},
	permission: 'instance_write',
	thresholdSeconds: 1.5,
});

/** A repository's path in its registry, in the form that registries accept. */
const repositoryPath = text(200).check(
	z.regex(
		/^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/,
		'must be the name of a repository, such as me/mine',
	),
);

export const takeSnapshot = endpoint({
	method: 'POST',
	path: '/api/v0/instances/take_snapshot/{id}/',
	summary: 'Push the disk of an instance as an image, where its machine can',
	makes: ['question'],
	params: pathWithId,
	body: z.looseObject({
		/** Registry; by default, the first that the machine pushes to. */
		container_registry: z.nullish(text(255)),
		personal_repo: repositoryPath,
		docker_login_user: z.nullish(text(255)),
		docker_login_pass: z.nullish(text(4096)),
		/** True to pause the processes while the disk is read. */
		pause: z.nullish(z.union([z.boolean(), z.enum(['true', 'false'])])),
	}),
	replies: {
		200: z.looseObject({
			success: z.optional(z.boolean()),
			msg: z.nullish(z.string()),
			image: z.nullish(z.string()),
		}),
		...recordRefusals,
		409: refusalReply,
	},
	permission: 'instance_write',
	thresholdSeconds: 1,
});
