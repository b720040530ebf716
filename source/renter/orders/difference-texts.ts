import {digitsOf, type Difference, type RateName} from './differences.ts';

/** A few words: "disk 20 GB instead of 40 GB". */
function differenceText(difference: Difference): string {
	if (isRate(difference)) return rateText(difference);
	switch (difference.field) {
		case 'gpu':
			return instead('GPU', difference, short);
		case 'image':
		case 'template':
			return instead(difference.field, difference, short);
		case 'gpus':
			return `${plainNumber(difference.got)} GPUs instead of ${plainNumber(difference.ordered)}`;
		case 'disk':
			return instead('disk', difference, size => `${plainNumber(size)} GB`);
		case 'price': {
			const more = `${hourly(difference.costs)} more`;
			return `${instead('price', difference, hourly)} (${more})`;
		}
		case 'pricing':
			return pricingText(difference);
		case 'label':
			return instead(difference.got === '' ? 'no label' : 'label', difference, short);
		case 'ports':
			return portsText(difference);
	}
}

function pricingText({got}: Pick<Difference, 'got'>): string {
	return got === 'bid'
		? 'a bid, which can be outbid, instead of on demand'
		: 'on demand instead of a bid';
}

const rateUnits: Readonly<Record<RateName, string>> = {
	storage: 'GB and month',
	upload: 'GB',
	download: 'GB',
};

type RateDifference = Difference & {readonly field: RateName};

function isRate(difference: Difference): difference is RateDifference {
	return Object.hasOwn(rateUnits, difference.field);
}

function rateText(difference: RateDifference): string {
	const unit = rateUnits[difference.field];
	return instead(difference.field, difference, rate => `${dollars(rate)} a ${unit}`);
}

/** Several differences: "disk 20 GB instead of 40 GB, image a/b instead of c/d". */
export function differencesText(differences: readonly Difference[]): string {
	return differences.map(differenceText).join(', ');
}

function instead<Value>(
	what: string,
	{ordered, got}: {readonly ordered: Value; readonly got: Value},
	write: (value: Value) => string,
): string {
	return [what, write(got), 'instead of', write(ordered)].filter(word => word !== '').join(' ');
}

function portsText({ordered, got}: Difference & {readonly field: 'ports'}): string {
	const missing = ordered.filter(port => !got.includes(port));
	const names = missing.slice(0, MOST_PORTS).join(', ');
	const more = missing.length > MOST_PORTS ? ` and ${missing.length - MOST_PORTS} more` : '';
	return `${missing.length === 1 ? 'port' : 'ports'} ${names}${more} not reached from outside`;
}

const MOST_PORTS = 4;
const LONGEST = 60;

/** A long text, cut at its start: the end has the version. */
function short(text: string): string {
	return text.length <= LONGEST ? text : `…${text.slice(1 - LONGEST).toWellFormed()}`;
}

/** Two decimals at most. */
function plainNumber(value: number): string {
	return String(Number(value.toFixed(2)));
}

/** "$0.3012/h". */
function hourly(perHour: number): string {
	return `${dollars(perHour)}/h`;
}

function dollars(sum: number): string {
	return `$${sum.toFixed(digitsOf(sum))}`;
}
