import {mkdtempSync, rmSync} from 'node:fs';
import {createServer as createListener} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {readAddress} from '../../../../source/market/database/postgres/address.ts';
import {connect} from '../../../../source/market/database/postgres/connections.ts';
import {createServer, noPostgres} from '../../../helpers/market/postgres-server.ts';
import {listen, makeCertificate, noOpenSsl} from '../../../helpers/services/tls.ts';

async function freePort(): Promise<number> {
	await using listening = await listen(createListener());
	return listening.port;
}

/** Whether a connection is encrypted, or why there is none. */
async function tryAddress(host: string, mode: string): Promise<unknown> {
	try {
		const client = await connect(
			readAddress(`postgres://postgres@${host}/postgres?sslmode=${mode}`),
		);
		const {rows} = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
		await client.end();
		return rows[0];
	} catch (error) {
		return String(error);
	}
}

test.skipIf(noPostgres !== undefined || noOpenSsl !== undefined)(
	'a PostgreSQL is believed by its certificate: of whom one trusts, and for the name that is meant',
	async () => {
		const folder = mkdtempSync(join(tmpdir(), 'rentty-tls-server-'));
		using trusted = makeCertificate('localhost');
		using other = makeCertificate('localhost');
		const port = await freePort();
		const listening = ['listen_addresses=127.0.0.1', `port=${port}`, 'fsync=off'];
		const files = createServer(folder);
		const server = createServer(folder, [
			...listening,
			'ssl=on',
			`ssl_cert_file=${files.keep('cert.pem', trusted.cert)}`,
			`ssl_key_file=${files.keep('key.pem', trusted.key)}`,
		]);
		await server.start();
		const isEncrypted = {ssl: true};
		expect(await tryAddress(`localhost:${port}`, 'disable')).toEqual({ssl: false});
		expect(await tryAddress(`localhost:${port}`, 'require')).toEqual(isEncrypted);
		expect(await tryAddress(`localhost:${port}`, 'verify-full')).toContain('self-signed');
		vi.stubEnv('PGSSLROOTCERT', other.file);
		expect(await tryAddress(`localhost:${port}`, 'verify-full')).toContain('self-signed');
		vi.stubEnv('PGSSLROOTCERT', trusted.file);
		expect(await tryAddress(`localhost:${port}`, 'verify-full')).toEqual(isEncrypted);
		// A certificate for a name is none for an address.
		expect(await tryAddress(`127.0.0.1:${port}`, 'verify-full')).toContain('127.0.0.1');
		await server.stop('fast');
		const plain = createServer(folder, listening);
		await plain.start();
		expect(await tryAddress(`localhost:${port}`, 'require')).toContain('does not support SSL');
		await plain.stop('fast');
		vi.unstubAllEnvs();
		rmSync(folder, {recursive: true});
	},
	60_000,
);
