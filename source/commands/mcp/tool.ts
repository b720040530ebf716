/** A tool of the protocol: what it takes and answers, and what it does. */
import * as z from 'zod/mini';
import {fenced, shortText} from '../../renter/agents/fence.ts';
import type {Agent} from './agent.ts';

/** Answer of a tool: a text that an agent reads, and the same as data. */
export type ToolAnswer = {readonly text: string; readonly data: Readonly<Record<string, unknown>>};

export type Tool = {
	readonly name: string;
	readonly about: string;
	readonly input: z.ZodMiniObject;
	readonly output: z.ZodMiniObject;
	readonly kind: 'reads' | 'rents' | 'changes' | 'destroys';
	/** @param given the input as it was read by the tool's schema */
	readonly run: (agent: Agent, given: never) => Promise<ToolAnswer>;
};

type ToolOf<Input extends z.ZodMiniObject> = Omit<Tool, 'input' | 'run'> & {
	readonly input: Input;
	readonly run: (agent: Agent, given: z.output<Input>) => Promise<ToolAnswer>;
};

/** Keeps the type of a tool's input between its schema and its function. */
export function tool<Input extends z.ZodMiniObject>(value: ToolOf<Input>): ToolOf<Input> {
	return value;
}

/**
 * Fields of a record, the texts of others under `untrusted`: what is beside it was counted or made here.
 *
 * @param own fields whose texts are made here
 */
export function withUntrusted<Name extends string>(
	record: Readonly<Record<Name, unknown>>,
	fields: readonly Name[],
	own: readonly Name[] = [],
): Readonly<Record<string, unknown>> {
	const plain: Record<string, unknown> = {};
	const untrusted: Record<string, string> = {};
	for (const name of fields) {
		const value: unknown = record[name];
		if (typeof value === 'string' && !own.includes(name)) untrusted[name] = shortText(value);
		else plain[name] = value;
	}
	return {...plain, untrusted};
}

/** A list as an answer shows it: how many there are, then their lines, whose names others gave. */
export function linesText(noun: string, lines: readonly string[]): string {
	const {length} = lines;
	if (length === 0) return `No ${noun}.`;
	const count = `${length} ${noun}${length === 1 ? '' : 's'}:`;
	return `${count}\n${fenced(`the list of ${noun}s`, lines.join('\n'), {keeps: 'start'})}`;
}

export const listed = (name: string) => z.looseObject({[name]: z.array(z.looseObject({}))});

export const wholeId = z.int();

/** The longest answer, in characters of its text and of its data. */
export const MOST_ANSWER = 8000;
