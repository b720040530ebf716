import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {connect} from 'node:tls';
import {once} from 'node:events';
import {request} from 'node:https';
import {expect, test} from 'vitest';
import {openFolder} from '../../helpers/folder.ts';
import {openMarket} from '../../helpers/market/postgres.ts';
import {makeCertificate, NAME, noOpenSsl} from '../../helpers/services/tls.ts';

/** Serial number of the certificate that a server has at present. */
async function serialAt(port: number): Promise<string> {
	const socket = connect({host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false});
	await once(socket, 'secureConnect');
	const {serialNumber} = socket.getPeerCertificate();
	socket.destroy();
	return serialNumber;
}

/** Status of a call, by whoever trusts an authority. */
async function statusOf(url: string, ca: Buffer): Promise<number | undefined> {
	const asked = request(`${url}/healthz`, {ca, servername: NAME, agent: false}).end();
	return new Promise((resolve, reject) => {
		asked.on('error', reject);
		asked.on('response', response => {
			response.resume();
			resolve(response.statusCode);
		});
	});
}

async function open(tls: {readonly cert: string; readonly key: string}) {
	return openMarket({file: ':memory:', tls});
}

test.skipIf(noOpenSsl !== undefined)(
	'a market answers with TLS, and with a renewed certificate as soon as there is one',
	async () => {
		using folder = openFolder();
		using first = makeCertificate();
		using second = makeCertificate();
		const files = {cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem')};
		const put = ({cert, key}: {readonly cert: Buffer; readonly key: Buffer}) => {
			writeFileSync(files.cert, cert);
			writeFileSync(files.key, key);
		};
		put(first);
		const lines: string[] = [];
		const market = await openMarket({
			file: ':memory:',
			tls: {...files, everyMs: 10},
			log: line => lines.push(line),
		});
		const port = Number(new URL(market.url).port);
		expect(market.url).toMatch(/^https:/);
		expect(await statusOf(market.url, first.cert)).toBe(200);
		await expect(statusOf(market.url, second.cert)).rejects.toThrow(/self-signed|unable to verify/);
		const before = await serialAt(port);
		// A certificate without its key, as while both are being renewed.
		writeFileSync(files.cert, second.cert);
		await expect.poll(() => lines.join()).toMatch(/cannot be used: .* The earlier ones stay/);
		expect(await serialAt(port)).toBe(before);
		put(second);
		await expect.poll(async () => serialAt(port)).not.toBe(before);
		expect(await statusOf(market.url, second.cert)).toBe(200);
		await market.close();
	},
);

test.skipIf(noOpenSsl !== undefined)(
	'a market does not start with a certificate that cannot be used, and says why',
	async () => {
		using folder = openFolder();
		using made = makeCertificate();
		using other = makeCertificate();
		const key = join(folder.path, 'key.pem');
		writeFileSync(key, other.key);
		await expect(open({cert: made.file, key})).rejects.toThrow(/cannot be used: .*mismatch/);
		await expect(open({cert: join(folder.path, 'missing'), key})).rejects.toThrow(
			/cannot be used: ENOENT/,
		);
	},
);
