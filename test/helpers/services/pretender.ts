import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import type {RequestListener} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Something behind a socket that answers as it likes, once it has said what it is. */
export async function openPretender(answer: RequestListener) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-pretender-'));
	const path = join(folder, 'engine.sock');
	const server = createServer((request, response) => {
		if (request.url === '/version') response.end('{"Version":"28.2.2"}');
		else answer(request, response);
	}).listen(path);
	await once(server, 'listening');
	return {
		path,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
			rmSync(folder, {recursive: true});
		},
	};
}
