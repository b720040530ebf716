import {messageOf} from '../../../contract/thrown.ts';
import {sentence} from '../../../renter/format.ts';
import {printable} from '../../../renter/text/text-width.ts';

/** Why something failed, without what was attempted, for sentences that have said that already. */
export function reasonOf(error: unknown): string {
	const message = messageOf(error);
	return sentence(printable(message).replace(/^Could not [^:]*: /, ''));
}

/** The same without what it means for money, for sentences that say that themselves. */
export function whyOf(error: unknown): string {
	return error instanceof Error && 'why' in error && typeof error.why === 'string'
		? sentence(printable(error.why))
		: reasonOf(error);
}
