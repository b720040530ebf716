/** Conversation about a proof: a line of JSON each way. */
import {once} from 'node:events';
import type {Socket} from 'node:net';
import {parseJson, fieldsOf} from '../../contract/grammar/json.ts';

export type ProofConnection = {
	readonly say: (words: Readonly<Record<string, unknown>>) => void;
	/**
	 * The next line's fields. Only one reader may wait at a time.
	 *
	 * @throws Error for a line that is too long, and when the peer ends
	 */
	readonly hear: () => Promise<Readonly<Record<string, unknown>>>;
};

/** The longest line: a unit and a leaf in hexadecimal, with a path. */
const LONGEST = 1 << 18;

export function proofConnectionOf(socket: Socket): ProofConnection {
	let kept = Buffer.alloc(0);
	return {
		say: words => void socket.write(`${JSON.stringify(words)}\n`),
		async hear() {
			for (;;) {
				const end = kept.indexOf(10);
				if (end >= 0) {
					const line = kept.subarray(0, end).toString();
					kept = kept.subarray(end + 1);
					return fieldsOf(parseJson(line));
				}
				if (kept.length > LONGEST) throw new Error('its line is too long');
				const piece: unknown = socket.read();
				if (piece instanceof Buffer) kept = Buffer.concat([kept, piece]);
				else if (socket.destroyed) throw new Error('it ended');
				else await once(socket, 'readable');
			}
		},
	};
}
