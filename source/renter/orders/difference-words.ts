/** Differences from an order in words. Texts of a service stand in them as they were sent. */
import {digitsOf, type Difference} from './differences.ts';

/** A few words: "disk 20 GB instead of 40 GB". */
export function differenceWords(difference: Difference): string {
	switch (difference.field) {
		case 'gpu':
			return instead('GPU', difference, short);
		case 'gpus':
			return `${plainNumber(difference.got)} GPUs instead of ${plainNumber(difference.ordered)}`;
		case 'disk':
			return instead('disk', difference, size => `${plainNumber(size)} GB`);
		case 'price': {
			const more = `${hourly(difference.costs)} more`;
			return `${instead('price', difference, hourly)} (${more})`;
		}
		case 'pricing':
			return difference.got === 'bid'
				? 'a bid, which can be outbid, instead of on demand'
				: 'on demand instead of a bid';
		case 'image':
			return instead('image', difference, short);
		case 'label':
			return difference.got === ''
				? `no label instead of ${short(difference.ordered)}`
				: instead('label', difference, short);
		case 'template':
			return instead('template', difference, short);
		case 'ports':
			return portWords(difference);
	}
}

/** Several differences: "disk 20 GB instead of 40 GB, image a/b instead of c/d". */
export function differencesText(differences: readonly Difference[]): string {
	return differences.map(differenceWords).join(', ');
}

function instead<Value>(
	what: string,
	{ordered, got}: {readonly ordered: Value; readonly got: Value},
	write: (value: Value) => string,
): string {
	return `${what} ${write(got)} instead of ${write(ordered)}`;
}

function portWords({ordered, got}: Difference & {readonly field: 'ports'}): string {
	const missing = ordered.filter(port => !got.includes(port));
	const names = missing.slice(0, MOST_PORTS).join(', ');
	const more = missing.length > MOST_PORTS ? ` and ${missing.length - MOST_PORTS} more` : '';
	return `${missing.length === 1 ? 'port' : 'ports'} ${names}${more} not reached from outside`;
}

const MOST_PORTS = 4;
const LONGEST = 60;

/** A long text keeps its end, where versions stand. */
function short(text: string): string {
	return text.length <= LONGEST ? text : `…${text.slice(1 - LONGEST).toWellFormed()}`;
}

/** Two decimals at most. */
function plainNumber(value: number): string {
	return String(Number(value.toFixed(2)));
}

/** "$0.3012/h". */
function hourly(dollars: number): string {
	return `$${dollars.toFixed(digitsOf(dollars))}/h`;
}
