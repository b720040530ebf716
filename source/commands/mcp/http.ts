/** The server of the Model Context Protocol on a port of this machine, for clients that have the token. */
import {createHash, randomBytes, timingSafeEqual} from 'node:crypto';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {getRequestListener} from '@hono/node-server';
import {
	createMcpHandler,
	localhostAllowedHostnames,
	validateHostHeader,
} from '@modelcontextprotocol/server';
import {codeOf, messageOf} from '../../contract/rules/thrown.ts';
import type {Context} from '../base/command.ts';
import {CommandError, exitCodes} from '../base/failure.ts';
import {findRandomText} from './quotes.ts';
import {createAgentServer, type CallsUnderWay} from './server.ts';

const PATH = '/mcp';

/** The longest request. */
export const MOST_BYTES = 256 * 1024;

/** Serves on a port of the loopback address until the user ends it; calls that have begun are ended first. */
export async function serveAgentsOverHttp(context: Context, port: number): Promise<void> {
	const {folders, output, signal} = context;
	const file = join(folders.state, 'agents-token');
	const token = await findRandomText(file);
	const underWay: CallsUnderWay = new Set();
	const handler = createMcpHandler(() => createAgentServer(context, underWay), {
		onerror: error => output.say(`rentty: ${error.message}`),
		maxRequestBodySize: MOST_BYTES,
	});
	const answer = async (request: Request) => refusal(request, token) ?? handler.fetch(request);
	const listener = getRequestListener(answer, {overrideGlobalObjects: false});
	const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
	server.listen(port, '127.0.0.1');
	await once(server, 'listening').catch((cause: unknown) => {
		const why = codeOf(cause) === 'EADDRINUSE' ? 'another program has it' : messageOf(cause);
		throw new CommandError(exitCodes.failed, `Port ${port} cannot be listened on: ${why}.`, {
			cause,
		});
	});
	const address = server.address();
	const at = typeof address === 'object' ? address?.port : port;
	output.say(
		`rentty: Agents find it at http://127.0.0.1:${at}${PATH}, with the bearer token in ${file}.`,
	);
	if (!signal.aborted) await once(signal, 'abort');
	server.close();
	await Promise.all(underWay);
	await handler.close();
	server.closeAllConnections();
}

export function no(status: number, message: string): Response {
	return Response.json({jsonrpc: '2.0', id: null, error: {code: -32_000, message}}, {status});
}

/** The answer to a request that is not served; undefined for one that is. */
function refusal(request: Request, token: string): Response | undefined {
	const {headers, url} = request;
	const host = validateHostHeader(headers.get('host'), localhostAllowedHostnames());
	// A page in a browser of this machine reaches its ports, too, under names of its own.
	if (!host.ok) return no(403, 'The host is not this machine.');
	const origin = headers.get('origin');
	if (origin !== null && !isLoopback(origin)) return no(403, 'The origin is not this machine.');
	if (!isSame(headers.get('authorization') ?? '', `Bearer ${token}`)) {
		return no(401, 'The bearer token is missing or wrong.');
	}
	return new URL(url).pathname === PATH ? undefined : no(404, `There is only ${PATH}.`);
}

function isLoopback(origin: string): boolean {
	return URL.canParse(origin) && localhostAllowedHostnames().includes(new URL(origin).hostname);
}

/** Compares in constant time. */
function isSame(given: string, right: string): boolean {
	const salt = randomBytes(16);
	const [one, other] = [given, right].map(text =>
		createHash('sha256').update(salt).update(text).digest(),
	);
	return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
