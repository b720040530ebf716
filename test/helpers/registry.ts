/** A registry of images on this machine, with one image that has one layer. */
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {gzipSync} from 'node:zlib';

export type Registry = {
	readonly port: number;
	/** How it was asked to be shown who asks; undefined where it never was. */
	readonly asked: readonly string[];
	readonly close: () => Promise<void>;
};

/** Opens one that has `name:1`, and `locked:1` for those who say that they are `me` with `secret`. */
export async function openRegistry(layerTar: Uint8Array): Promise<Registry> {
	const layer = gzipSync(layerTar);
	const config = Buffer.from(
		JSON.stringify({
			architecture: process.arch === 'x64' ? 'amd64' : process.arch,
			os: 'linux',
			config: {Env: ['PATH=/bin'], ExposedPorts: {'8000/tcp': {}}},
			rootfs: {type: 'layers', diff_ids: [digestOf(layerTar)]},
		}),
	);
	const manifest = Buffer.from(
		JSON.stringify({
			schemaVersion: 2,
			mediaType: MANIFEST,
			config: describe(config, 'application/vnd.docker.container.image.v1+json'),
			layers: [describe(layer, 'application/vnd.docker.image.rootfs.diff.tar.gzip')],
		}),
	);
	const blobs = new Map([layer, config].map(blob => [digestOf(blob), blob]));
	const asked: string[] = [];
	const server = createServer(({url = '', headers}, answer) => {
		asked.push(url);
		const [, kind, reference = ''] = /\/(manifests|blobs)\/(.+)$/.exec(url) ?? [];
		// Who is not asked at the door does not say who they are later.
		const isLocked = url === '/v2/' || url.includes('/locked/');
		if (isLocked && headers.authorization !== AUTHORIZED) {
			answer.writeHead(401, {'www-authenticate': 'Basic realm="test"'});
			return void answer.end('{"errors":[{"code":"UNAUTHORIZED","message":"who are you?"}]}');
		}
		if (url === '/v2/') return void answer.end('{}');
		const found = kind === 'blobs' ? blobs.get(reference) : undefined;
		if (found !== undefined) return void answer.end(found);
		if (kind === 'manifests' && ['1', digestOf(manifest)].includes(reference)) {
			answer.setHeader('content-type', MANIFEST);
			return void answer.end(manifest);
		}
		answer.writeHead(404, {'content-type': 'application/json'});
		answer.end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}');
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	return {
		port: typeof address === 'object' && address !== null ? address.port : 0,
		asked,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const AUTHORIZED = `Basic ${Buffer.from('me:secret').toString('base64')}`;

function digestOf(bytes: Uint8Array): string {
	return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function describe(bytes: Uint8Array, mediaType: string) {
	return {mediaType, size: bytes.length, digest: digestOf(bytes)};
}
