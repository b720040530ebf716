/** Money, sizes, durations and times as the short text that a screen shows. */

/** What stands for a value that the service did not send. Never a zero. */
export const MISSING = '-';

type Maybe<Value> = Value | null | undefined;

/** Turns a formatter of known values into one that shows missing ones as such. */
export function known<Value>(format: (value: Value) => string) {
	return (value: Maybe<Value>): string =>
		value === null || value === undefined ? MISSING : format(value);
}

/** A price per hour: four decimals below ten dollars, where they decide, and two above. */
export const price = known((dollars: number) => dollars.toFixed(dollars < 10 ? 4 : 2));

/** A price per hour where there is little room: .2955, as it is written on price tags. */
export const shortPrice = known((dollars: number) => withoutZero(price(dollars)));

/** A price per hour that says so: $0.2955/h. */
export const pricePerHour = known((dollars: number) => `$${price(dollars)}/h`);

/** What something costs by the day: $7.23/day. */
export const pricePerDay = known((dollars: number) => `${money(dollars)}/day`);

/** A price that is not certain, and the most that it can be, in three digits: <.390, <2.10. */
export const atMost = known((dollars: number) => {
	const digits = dollars < 1 ? 3 : dollars < 10 ? 2 : dollars < 100 ? 1 : 0;
	return `<${withoutZero(dollars.toFixed(digits))}`;
});

function withoutZero(figure: string): string {
	return figure.replace(/^(-?)0\./, '$1.');
}

/** An amount of money with its sign: $7.23. */
export const money = known((dollars: number) => `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`);

/** A whole number, with thousands set apart: 2,000. By hand, since a locale takes 18 ms to load. */
export const count = known((value: number) =>
	String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, ','),
);

/** A number with as many decimals as wanted. */
export function decimals(digits: number) {
	return known((value: number) => value.toFixed(digits));
}

/** A share as a percentage with one decimal: 0.996 is 99.6. */
export const percent = known((share: number) => (share * 100).toFixed(1));

/** Megabytes as the gigabytes that people write: 24564 is 24G, as a card of that size is called. */
export const gigabytesOfMb = known((megabytes: number) => `${Math.round(megabytes / 1024)}G`);

export const gigabytes = known((value: number) => `${Math.floor(value)}G`);

const DAY = 86_400;
const HOUR = 3600;

/** How long something lasts, in its largest unit: 61d, 5h, 12m. */
export const duration = known((seconds: number) => {
	if (seconds >= DAY) return `${Math.floor(seconds / DAY)}d`;
	if (seconds >= HOUR) return `${Math.floor(seconds / HOUR)}h`;
	return `${Math.max(0, Math.floor(seconds / 60))}m`;
});

/** The time of day on the user's clock: 12:41:07. */
export function timeOfDay(at: Date): string {
	return [at.getHours(), at.getMinutes(), at.getSeconds()]
		.map(part => String(part).padStart(2, '0'))
		.join(':');
}

/** A sentence, with the full stop that it may lack. */
export function sentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
