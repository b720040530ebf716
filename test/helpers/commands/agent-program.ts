/** The built program as a server of agents on a practice world, and a client of the protocol that speaks with it. */
import {spawn} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {createInterface} from 'node:readline';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import * as z from 'zod/mini';
import {expect} from 'vitest';
import {openPracticeWorld} from './practice-world.ts';

export const rentty = join(import.meta.dirname, '..', '..', '..', 'bin', 'rentty');

const answer = z.looseObject({
	content: z.array(z.looseObject({text: z.string()})),
	structuredContent: z.optional(z.record(z.string(), z.unknown())),
});

export type Transport = 'stdio' | 'http';

type Served = {
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly state: string;
};

/** A server on a free port, its address and its token. */
export async function serveOverHttp({args, env, state}: Served) {
	const server = spawn(rentty, ['mcp', ...args, '--http', '0'], {
		env: {...env},
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	let url = '';
	for await (const line of createInterface(server.stderr)) {
		[, url = ''] = /(http:\S+\/mcp),/.exec(line) ?? [];
		if (url !== '') break;
	}
	const token = readFileSync(join(state, 'agents-token'), 'utf8').trim();
	return {
		url,
		token,
		async end(): Promise<void> {
			const ended = new Promise(resolve => server.once('close', resolve));
			server.kill('SIGTERM');
			await ended;
		},
	};
}

/** @param through another address of the service, such as a proxy's */
export async function openAgentProgram(
	transport: Transport = 'stdio',
	through: (url: string) => Promise<string> = async url => url,
) {
	const world = await openPracticeWorld();
	const {folder, makeKey, run} = world.user;
	mkdirSync(join(folder, '.ssh'));
	mkdirSync(join(folder, 'shared'));
	await world.client.sshKeys.create(makeKey('.ssh/fleet').publicKey);
	const env = {PATH: process.env['PATH'] ?? '', HOME: folder};
	const limits = ['$5/day, 2 instances, 12h leases', '--files', `${folder}/shared`];
	expect(await run(rentty, ['mcp', 'limits', ...limits], {env})).toMatchObject({code: 0});
	const keyFile = join(folder, 'key');
	writeFileSync(keyFile, world.key, {mode: 0o600});
	const args = ['--url', await through(world.url), '--key-file', keyFile];
	const agent = new Client({name: 'trial', version: '1'});
	const served = {args, env, state: join(folder, '.local', 'state', 'rentty')};
	const http = transport === 'http' ? await serveOverHttp(served) : undefined;
	if (http === undefined) {
		const command = {command: rentty, env, stderr: 'ignore'} as const;
		await agent.connect(new StdioClientTransport({...command, args: ['mcp', ...args]}));
	} else {
		const requestInit = {headers: {authorization: `Bearer ${http.token}`}};
		await agent.connect(new StreamableHTTPClientTransport(new URL(http.url), {requestInit}));
	}
	return {
		...world,
		...served,
		agent,
		http,
		shared: join(folder, 'shared'),
		async call(this: void, name: string, given: Record<string, unknown>) {
			const {content, structuredContent = {}} = answer.parse(
				await agent.callTool({name, arguments: given}),
			);
			return {text: content.map(({text}) => text).join('\n'), data: structuredContent};
		},
		async [Symbol.asyncDispose]() {
			await agent.close();
			await http?.end();
			await world[Symbol.asyncDispose]();
		},
	};
}
