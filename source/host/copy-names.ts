/** Memory that names of files take, over all copies into a machine: who answers at a source names any. */

/** Bytes of names over all copies, and of each copy where others have all. */
const LIMITS = {most: 256 * 1024 * 1024, own: 1024 * 1024};

/** A listing that is too long. */
export class Endless extends Error {
	override readonly name = 'Endless';
}

/** Names that one copy holds. */
export type CopyNames = {
	/** @throws Endless if there is no room for so many bytes more */
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
				// A list may still come that nobody waits for.
				isOver = true;
			},
		};
	};
}
