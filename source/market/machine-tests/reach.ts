/** The market's own checks of a machine's ports, SSH server and connection. */
import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';
import {lookup} from 'node:dns/promises';
import {once} from 'node:events';
import {connect, isIP, type Socket} from 'node:net';
import {proofConnectionOf, type ProofConnection} from './proof-line.ts';
import {TEST_MEGABYTES} from './rules.ts';
import {isPublicAddress} from '../../contract/rules/public-address.ts';
import type {PostingOptions} from '../notifications/posting.ts';

export type ReachFinding = {
	readonly outcome: 'passed' | 'failed' | 'skipped';
	readonly detail: string;
	readonly value: number | null;
};

export type HostAndPort = {readonly host: string; readonly port: number};

/** Allowed addresses, public by default like those of webhooks. */
export type ReachOptions = Pick<PostingOptions, 'targets' | 'resolve' | 'patienceMs'>;

const PATIENCE_MS = 15_000;
const MEGABYTE = 1 << 20;

/** Timeouts of a connection: of silence, and in all. */
type Times = {readonly silentMs: number; readonly wholeMs: number};

/** Timeouts of a proof, which waits for other machines, and for the filling of a memory. */
const proofTimes: Times = {silentMs: 150_000, wholeMs: 300_000};

function createTalk(
	{targets = 'public', patienceMs = PATIENCE_MS, ...options}: ReachOptions,
	signal: AbortSignal,
) {
	const resolve = options.resolve ?? (async name => lookup(name, {all: true}));

	/**
	 * Connects to an address and runs a check; a failed finding if that is not allowed or fails.
	 */
	async function talk<Found>(
		{host, port}: HostAndPort,
		speak: (socket: Socket) => Promise<Found>,
		{silentMs, wholeMs}: Times = {silentMs: patienceMs, wholeMs: 3 * patienceMs},
	): Promise<Found | ReachFinding> {
		const family = isIP(host);
		const addresses =
			family === 0 ? await resolve(host).catch(() => []) : [{address: host, family}];
		const [first] = addresses;
		if (first === undefined) return failed(`${host} is no name of an address`);
		if (targets === 'public' && !addresses.every(({address}) => isPublicAddress(address))) {
			const detail = 'its address is not public: the market does not connect there';
			return {outcome: 'skipped', detail, value: null};
		}
		if (signal.aborted) return failed('the market ends');
		const socket = connect({host: first.address, port, family: first.family, signal});
		socket.setTimeout(silentMs, () => socket.destroy(new Error('it did not answer in time')));
		const late = setTimeout(() => socket.destroy(new Error('it took too long')), wholeMs);
		socket.on('error', () => undefined);
		socket.once('end', () => socket.destroy(new Error('it ended')));
		try {
			return await speak(socket);
		} catch {
			// The error is hidden: it may reveal the market's network.
			return failed(`port ${port} cannot be reached, or does not answer`);
		} finally {
			clearTimeout(late);
			socket.destroy();
		}
	}

	return talk;
}

/** @param signal Ends all connections. */
export function createReach(options: ReachOptions = {}, signal = new AbortController().signal) {
	const talk = createTalk(options, signal);
	return {
		/** Checks that an SSH server answers with its version. */
		async ssh(place: HostAndPort): Promise<ReachFinding> {
			return talk(place, async socket => {
				const line = await readLine(socket);
				if (!line.startsWith('SSH-2.0-')) return failed(`port ${place.port} does not speak SSH`);
				return passed(`SSH answers at port ${place.port}`);
			});
		},
		/** Checks that the test's instance is behind a port, by the test's secret. */
		async port(place: HostAndPort, secret: string): Promise<ReachFinding> {
			return talk(place, async socket =>
				(await isSigned(socket, {word: 'hello', count: 0, secret}))
					? passed(`the instance answers at port ${place.port}`)
					: failed(`somebody else answers at port ${place.port}`),
			);
		},
		/** Measures megabits per second out of the machine or into it, up to the market's own speed. */
		async line(place: HostAndPort, secret: string, way: 'out' | 'in'): Promise<ReachFinding> {
			const count = TEST_MEGABYTES;
			return talk(place, async socket => {
				const begunAt = performance.now();
				const word = way === 'out' ? 'send' : 'take';
				const isRight = await isSigned(socket, {word, count, secret});
				if (!isRight) return failed(`somebody else answers at port ${place.port}`);
				if (way === 'out') await readBytes(socket, count * MEGABYTE);
				const seconds = (performance.now() - begunAt) / 1000;
				const speed = Math.round((count * MEGABYTE * 8) / 1e4 / seconds) / 100;
				return {...passed(`${speed} Mbit/s or more`), value: speed};
			});
		},
		async card<Found>(
			place: HostAndPort,
			{secret, card}: {readonly secret: string; readonly card: number},
			speak: (line: ProofConnection) => Promise<Found>,
		): Promise<Found | ReachFinding> {
			return talk<Found | ReachFinding>(
				place,
				async socket =>
					(await isSigned(socket, {word: 'prove', count: card, secret}))
						? speak(proofConnectionOf(socket))
						: failed(`somebody else answers at port ${place.port}`),
				proofTimes,
			);
		},
	};
}

export type ReachTest = ReturnType<typeof createReach>;

function passed(detail: string): ReachFinding {
	return {outcome: 'passed', detail, value: null};
}

function failed(detail: string): ReachFinding {
	return {outcome: 'failed', detail, value: null};
}

type Request = {readonly word: string; readonly count: number; readonly secret: string};

/** Sends a request to the instance; true if the reply proves the secret. */
async function isSigned(socket: Socket, {word, count, secret}: Request): Promise<boolean> {
	const nonce = randomBytes(16).toString('hex');
	const asked = `${word} ${count} ${nonce}`;
	socket.write(`${asked} ${signatureOf(secret, asked)}\n`);
	const named = word === 'take' ? sendMegabytes(socket, count) : nonce;
	const answer = Buffer.from(await readLine(socket));
	const wanted = Buffer.from(signatureOf(secret, `ok ${named}`));
	return answer.length === wanted.length && timingSafeEqual(answer, wanted);
}

/** Sends so many megabytes, and then the word to be signed, which none knows who has not taken all. */
function sendMegabytes(socket: Socket, count: number): string {
	for (let sent = 0; sent < count; sent += 1) socket.write(Buffer.alloc(MEGABYTE));
	const last = randomBytes(16).toString('hex');
	socket.write(`${last}\n`);
	return last;
}

function signatureOf(secret: string, text: string): string {
	return createHmac('sha256', secret).update(text).digest('hex');
}

const LONGEST_LINE = 256;

async function readLine(socket: Socket): Promise<string> {
	let line = '';
	for (;;) {
		const byte = await readBytes(socket, 1);
		const letter = byte.toString('latin1');
		if (letter === '\n') return line.trimEnd();
		line += letter;
		if (line.length > LONGEST_LINE) throw new Error('its line is too long');
	}
}

/** Reads so many bytes, without keeping a large number of them. */
async function readBytes(socket: Socket, count: number): Promise<Buffer> {
	for (let left = count; ;) {
		const piece: unknown = socket.read(Math.min(left, MEGABYTE)) ?? socket.read();
		if (piece instanceof Buffer) {
			left -= piece.length;
			if (left <= 0) return piece;
			continue;
		}
		if (socket.destroyed) throw new Error('it ended');
		await once(socket, 'readable');
	}
}
