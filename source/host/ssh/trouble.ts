/** Logs errors of an SSH server, each once. */
import {messageOf} from '../../contract/rules/thrown.ts';
import {channel} from 'node:diagnostics_channel';

/**
 * Event by which `rentty host` gets log lines of SSH servers, which runtimes open many layers below
 * it.
 */
export const TROUBLE = 'rentty:trouble';

const troubles = channel(TROUBLE);

/** The most different errors of a server in the log, so that strangers cannot fill it. */
const MOST_LOGGED = 20;

export function createTroubleLog(port: () => number): (error: unknown) => void {
	const logged = new Set<string>();
	return error => {
		const why = messageOf(error);
		if (logged.has(why) || logged.size >= MOST_LOGGED) return;
		logged.add(why);
		troubles.publish(
			`An SSH connection to port ${port()} was ended because serving it failed: ${why}`,
		);
	};
}
