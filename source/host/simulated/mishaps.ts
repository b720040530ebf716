/** What container engines say when something goes wrong. */
import type {Random} from './random.ts';

/** Nobody has the image. */
export function sayMissing(image: string): string {
	return `Error response from daemon: pull access denied for ${image}, repository does not exist or may require 'docker login': denied: requested access to the resource is denied`;
}

/** A container does not start. */
export function sayFailed(random: Random): string {
	return pick(random, [
		'Error response from daemon: failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error running hook #0: exit status 1, stderr: nvidia-container-cli: initialization error: driver rpc error: timed out: unknown',
		'Error response from daemon: could not select device driver "nvidia" with capabilities: [[gpu]]',
		'Error response from daemon: failed to set up container networking: driver failed programming external connectivity on endpoint: Bind for 0.0.0.0 failed: port is already allocated',
	]);
}

/** A container that ran has ended by itself. */
export function sayCrashed(random: Random): string {
	return pick(random, [
		'Container exited with code 137: out of memory',
		'Container exited with code 139: segmentation fault',
		'Container exited with code 1: NVRM: Xid 79, GPU has fallen off the bus',
	]);
}

function pick(random: Random, texts: readonly string[]): string {
	return texts[random.whole(0, texts.length - 1)] ?? '';
}
