/** A registry of images on this machine, with one image that has one layer. */
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {buffer} from 'node:stream/consumers';
import {gzipSync} from 'node:zlib';

export type Registry = {
	readonly port: number;
	/** How it was asked to be shown who asks; undefined where it never was. */
	readonly asked: readonly string[];
	/** All that was pushed, by its digest; manifests by their repository and tag as well. */
	readonly pushed: ReadonlyMap<string, Buffer>;
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
	const blobs = new Map<string, Buffer>([layer, config].map(blob => [digestOf(blob), blob]));
	const asked: string[] = [];
	const server = createServer((request, answer) => {
		const {url = ''} = request;
		asked.push(url);
		const [, kind, reference = ''] = /\/(manifests|blobs)\/(.+)$/.exec(url) ?? [];
		if (isShutOut(request)) {
			answer.writeHead(401, {'www-authenticate': 'Basic realm="test"'});
			return void answer.end('{"errors":[{"code":"UNAUTHORIZED","message":"who are you?"}]}');
		}
		if (url === '/v2/') return void answer.end('{}');
		if (isPush(request)) return void takePushed(request, answer, blobs);
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
		pushed: blobs,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

/** Who is not asked at the door does not say who they are later. */
function isShutOut({url = '', headers}: IncomingMessage): boolean {
	const isLocked = url === '/v2/' || url.includes('/locked/');
	return isLocked && headers.authorization !== AUTHORIZED;
}

function isPush({method = ''}: IncomingMessage): boolean {
	return method !== 'GET' && method !== 'HEAD';
}

/** A blob comes in one or two parts, and its digest with the last. */
async function takePushed(
	request: IncomingMessage,
	answer: ServerResponse,
	pushed: Map<string, Buffer>,
): Promise<void> {
	const {method, url = ''} = request;
	const sent = await buffer(request);
	const {pathname, searchParams} = new URL(url, 'http://registry');
	if (method === 'POST') {
		answer.writeHead(202, {location: `${pathname}${pushed.size}-${Date.now()}`, range: '0-0'});
		return void answer.end();
	}
	const bytes = Buffer.concat([pushed.get(pathname) ?? Buffer.alloc(0), sent]);
	pushed.set(pathname, bytes);
	if (method === 'PATCH') {
		answer.writeHead(202, {location: pathname, range: `0-${bytes.length - 1}`});
		return void answer.end();
	}
	const digest = searchParams.get('digest') ?? digestOf(bytes);
	pushed.set(digest, bytes);
	answer.writeHead(201, {'docker-content-digest': digest, location: pathname});
	answer.end();
}

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const AUTHORIZED = `Basic ${Buffer.from('me:secret').toString('base64')}`;

function digestOf(bytes: Uint8Array): string {
	return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function describe(bytes: Uint8Array, mediaType: string) {
	return {mediaType, size: bytes.length, digest: digestOf(bytes)};
}
