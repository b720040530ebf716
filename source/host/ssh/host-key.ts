/** The key by which the door of an instance is known. It takes long to load: import it when needed. */
import ssh2 from 'ssh2';

/** Makes one: its private half, which has the public one in it. */
export function makeHostKey(): string {
	for (;;) {
		const key = ssh2.utils.generateKeyPairSync('ed25519').private;
		// Of some hundreds one is written without the noughts at its end, and nobody can read it again.
		if (!(ssh2.utils.parseKey(key) instanceof Error)) return key;
	}
}
