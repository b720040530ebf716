/** Checks whether an SSH server answers at an address. */
import {connect} from 'node:net';

/** Measures the milliseconds until an address replies; undefined without a reply. */
export type Probe = (address: {
	readonly host: string;
	readonly port: number;
}) => Promise<number | undefined>;

const PATIENCE_MS = 5000;

/** Greeting of every SSH server. */
const GREETING = 'SSH-';

export const probeSsh: Probe = async ({host, port}) => {
	const started = performance.now();
	return new Promise(resolve => {
		const socket = connect({host, port});
		// Bytes so far: a greeting may come in pieces.
		let received = '';
		const end = (answer: number | undefined) => {
			clearTimeout(deadline);
			socket.destroy();
			resolve(answer);
		};
		const deadline = setTimeout(end, PATIENCE_MS, undefined);
		deadline.unref();
		socket.on('error', () => end(undefined));
		socket.on('close', () => end(undefined));
		socket.on('data', bytes => {
			received += bytes.toString('latin1');
			if (received.length < GREETING.length && GREETING.startsWith(received)) return;
			end(received.startsWith(GREETING) ? performance.now() - started : undefined);
		});
	});
};
