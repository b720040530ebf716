/** Amounts, dates and times of a provider's terms, as command lines write them. */
import {readTerm} from '../contract/nouns/machine-terms.ts';
import {UsageError} from '../renter/text/usage-error.ts';

export function dollars(flag: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (/^\d{1,4}(\.\d{1,6})?$/.test(text)) return Number(text);
	throw new UsageError(`${flag} takes a number, such as 0.25.`);
}

export function whole(flag: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (/^\d{1,4}$/.test(text)) return Number(text);
	throw new UsageError(`${flag} takes a whole number.`);
}

export function moment(flag: string, text: string): number {
	const at = Date.parse(text) / 1000;
	if (Number.isFinite(at)) return at;
	throw new UsageError(`${flag} takes a date, such as 2027-06-30 or 2027-06-30T14:00Z.`);
}

export function term(text: string): number {
	const seconds = readTerm(text);
	if (seconds !== undefined) return seconds;
	throw new UsageError('--for takes a time, such as 3 months or 10 days.');
}
