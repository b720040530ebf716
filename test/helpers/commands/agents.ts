import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Client, InMemoryTransport, type ClientOptions} from '@modelcontextprotocol/client';
import * as z from 'zod/mini';
import {serveAgents} from '../../../source/commands/mcp/server.ts';
import type {AgentLimits} from '../../../source/commands/mcp/limits.ts';
import type {Time} from '../../../source/client/exchange/time.ts';
import {agentContext, silentOutput, type AgentSetup} from './agent-context.ts';
import {worldOf} from './commands.ts';
import {openFolder} from '../folder.ts';
import {openRentable} from '../market/rentable.ts';
import {openFaultProxy} from '../services/fault-proxy.ts';

/** Revisions of the protocol, and how a client asks for each. */
export const revisions: Readonly<Record<string, ClientOptions>> = {
	'2025-06-18': {supportedProtocolVersions: ['2025-06-18']},
	'2025-11-25': {},
	'2026-07-28': {versionNegotiation: {mode: 'auto'}},
};

export type Called = {
	readonly text: string;
	readonly isError: boolean;
	readonly data: Readonly<Record<string, unknown>>;
};

const answer = z.looseObject({
	isError: z.optional(z.boolean()),
	content: z.array(z.looseObject({text: z.string()})),
	structuredContent: z.optional(z.looseObject({})),
});

type AgentOptions = ClientOptions & {
	/** Options of the command line that chose the service. @default one */
	readonly serviceWords?: readonly string[];
	/** The clock of the server's machine, in milliseconds. @default that of the service */
	readonly now?: () => number;
};

/** A server of its own, as each client of the protocol starts one. */
async function openServer(
	setup: AgentSetup,
	name: string,
	{serviceWords, now = setup.now, ...options}: AgentOptions,
) {
	const ending = new AbortController();
	const {client: api, close} = await setup.chooseService([]).open();
	const [ours, theirs] = InMemoryTransport.createLinkedPair();
	const context = agentContext(setup, async () => api, ending.signal, serviceWords);
	const served = serveAgents({...context, now}, theirs);
	const agent = new Client({name, version: '1'}, options);
	await agent.connect(ours);

	async function call(tool: string, given: Record<string, unknown> = {}): Promise<Called> {
		const read = answer.parse(await agent.callTool({name: tool, arguments: given}));
		return {
			text: read.content.map(({text}) => text).join('\n'),
			isError: read.isError === true,
			data: read.structuredContent ?? {},
		};
	}

	async function end(): Promise<void> {
		await agent.close().catch(() => undefined);
		ending.abort();
		await served.catch(() => undefined);
		await close();
	}

	return {agent, call, end};
}

/** A market, the file of limits, and servers that agents speak with. */
export async function openAgents(limits?: AgentLimits, time?: Time) {
	const market = await openRentable();
	const proxy = await openFaultProxy(market.url);
	const folder = openFolder();
	const service = {url: proxy.url, key: market.key, clock: market.clock};
	const setup = worldOf(service, {folder: folder.path, time});
	const closing: Array<() => Promise<void>> = [];

	/** Writes the file of limits, as the user does or wrongly. */
	function setLimits(next: unknown): void {
		mkdirSync(join(folder.path, 'rentty'), {recursive: true});
		writeFileSync(join(folder.path, 'rentty', 'agents.json'), JSON.stringify(next ?? {}));
	}

	async function connect(name = 'trial', options: AgentOptions = {}) {
		const server = await openServer(setup, name, options);
		closing.push(server.end);
		/** A quote of the market's first offer. */
		const quote = async (more: Record<string, unknown> = {}): Promise<string> => {
			const given = {offer: market.offer.id, hours: 2, image: 'a/b', disk_gb: 10, ...more};
			const {data, text} = await server.call('quote', given);
			if (typeof data['quote'] !== 'string') throw new Error(text);
			return data['quote'];
		};
		return {...server, quote};
	}

	const present = async () =>
		market.database.selectFrom('instances').selectAll().where('destroyed_at', 'is', null).execute();

	if (limits !== undefined) setLimits(limits);
	return {
		...market,
		proxy,
		folders: setup.folders,
		setLimits,
		connect,
		present,
		/** A context for a server of another transport, which tells what it says to people. */
		async context(signal: AbortSignal, say: (line: string) => void) {
			const {client: api, close} = await setup.chooseService([]).open();
			const context = agentContext(setup, async () => api, signal);
			return {context: {...context, output: {...silentOutput, say}}, close};
		},
		async [Symbol.asyncDispose]() {
			for (const end of closing) await end();
			await proxy.close();
			await market[Symbol.asyncDispose]();
			folder[Symbol.dispose]();
		},
	};
}
