/**
 * Limit on memory for file names, over all copies into a machine: a source may list any number of
 * names.
 */

/** Bytes of names over all copies, and of each copy that is allowed when all others use them up. */
const LIMITS = {most: 256 * 1024 * 1024, own: 1024 * 1024};

/** A listing that is too long. */
export class Endless extends Error {
	override readonly name = 'Endless';
}

export type CopyNames = {
	/** @throws Endless if these bytes exceed the limit */
	readonly take: (bytes: number) => void;
	readonly giveBack: () => void;
};

export function createCopyNames({most, own} = LIMITS): () => CopyNames {
	let shared = 0;
	const beyond = (bytes: number) => Math.max(0, bytes - own);
	return () => {
		let held = 0;
		let isOver = false;
		return {
			take(bytes) {
				const more = beyond(held + bytes) - beyond(held);
				if (isOver || shared + more > most)
					throw new Endless('there are more names of files than fit');
				shared += more;
				held += bytes;
			},
			giveBack() {
				shared -= beyond(held);
				held = 0;
				// A list that timed out may still arrive: ignore it.
				isOver = true;
			},
		};
	};
}
