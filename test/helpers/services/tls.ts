/** Services behind TLS, and proxies that make tunnels to them. */
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import type {IncomingHttpHeaders} from 'node:http';
import {connect} from 'node:net';
import type {AddressInfo, Server, Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createServer as createTlsServer} from 'node:tls';
import {skipWithout} from '../missing.ts';

/** The name that certificates are made for. */
export const NAME = 'market.example';

export const noOpenSsl = skipWithout('openssl', 'version');

/** A certificate that no system trusts, in a folder that goes with the test. */
export function makeCertificate(name = NAME) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-tls-'));
	const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
	const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
	const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2'];
	spawnSync('openssl', [...kind, ...names, '-keyout', key, '-out', cert]);
	return {
		file: cert,
		key: readFileSync(key),
		cert: readFileSync(cert),
		[Symbol.dispose]: () => rmSync(folder, {recursive: true}),
	};
}

/** Something that listens on this machine until the test ends. */
export async function listen(server: Server) {
	const sockets = new Set<Socket>();
	server.on('connection', socket => sockets.add(socket));
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
	const {port} = server.address() as AddressInfo;
	return {
		port,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

/** The market behind TLS, as whatever stands before services does it. */
export async function openTls(
	target: string,
	{key, cert}: {readonly key: Buffer; readonly cert: Buffer},
) {
	return listen(
		createTlsServer({key, cert}, socket => {
			const onward = connect(Number(new URL(target).port), '127.0.0.1');
			socket.pipe(onward).pipe(socket);
			for (const end of [socket, onward]) end.on('error', () => undefined);
		}),
	);
}

/** A proxy whose tunnels all lead to one place. It remembers what it was asked. */
export async function openTunnels(port: number) {
	const asked: Array<{readonly url: string | undefined; readonly headers: IncomingHttpHeaders}> =
		[];
	const server = createServer().on('connect', ({url, headers}, socket) => {
		asked.push({url, headers});
		const onward = connect(port, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			socket.pipe(onward).pipe(socket);
		});
		for (const end of [socket, onward]) end.on('error', () => undefined);
	});
	return Object.assign(await listen(server), {asked});
}
