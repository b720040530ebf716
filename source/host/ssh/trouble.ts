/** Tells the agent's log what went wrong at an SSH server, each thing once. */
import {messageOf} from '../../contract/rules/thrown.ts';
import {channel} from 'node:diagnostics_channel';

/**
 * Event by which `rentty host` gets log lines of entrances: they are opened far below it, by every
 * kind of runtime.
 */
export const TROUBLE = 'rentty:trouble';

const troubles = channel(TROUBLE);

/** Different things that are told of one server: a stranger must not fill the log. */
const MOST_TOLD = 20;

export function createTroubleLog(port: () => number): (error: unknown) => void {
	const told = new Set<string>();
	return error => {
		const why = messageOf(error);
		if (told.has(why) || told.size >= MOST_TOLD) return;
		told.add(why);
		troubles.publish(
			`An SSH connection to port ${port()} was ended because serving it failed: ${why}`,
		);
	};
}
