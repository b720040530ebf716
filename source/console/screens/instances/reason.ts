import {sentence} from '../../format.ts';
import {printable} from '../../terminal/output/text-width.ts';

/** Why something failed, without what was attempted, for sentences that have said that already. */
export function reasonOf(error: unknown): string {
	const message = error instanceof Error ? error.message : 'no reason was given';
	return sentence(printable(message).replace(/^Could not [^:]*: /, ''));
}
