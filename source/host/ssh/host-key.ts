/** The key by which the door of an instance is known. It takes long to load: import it when needed. */
import ssh2 from 'ssh2';

/** Makes one: its private half, which has the public one in it. */
export function makeHostKey(): string {
	return ssh2.utils.generateKeyPairSync('ed25519').private;
}
