/** What must be done in one way alone: rules about calls in the source. */
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const source = join(import.meta.dirname, '..', 'source');
const files = globSync('{client,commands,console,renter}/**/*.{ts,tsx}', {cwd: source}).toSorted();

/** Files that call something, and their texts. */
const callersOf = (call: RegExp) =>
	files
		.map(file => ({file, text: readFileSync(join(source, file), 'utf8')}))
		.filter(({text}) => call.test(text));

test('offers are searched in one place, which tests here what a service does not', () => {
	const direct = callersOf(/\boffers\s*\.search\(/).map(({file}) => file);
	const byId = [
		'commands/mcp/find-tools.ts',
		'commands/mcp/rent-tools.ts',
		'commands/rent/offers.ts',
		'renter/orders/order-requests.ts',
	];
	const onlyCounted = ['commands/doctor/service.ts', 'renter/profiles/check.ts'];
	const known = ['renter/offers/local-filter.ts', ...byId, ...onlyCounted];
	expect(direct).toEqual(known.toSorted());
});

test('whatever rents is held to the limits on spending at the moment when it is sent', () => {
	const callers = callersOf(/\binstances\s*\.rent\(|\brentOnce\(client/);
	expect(callers.length).toBeGreaterThan(4);
	const unheld = callers.filter(({text}) => !/\bmayRent\b/.test(text));
	expect(unheld.map(({file}) => file)).toEqual([]);
});

test('whatever rents gives the mark of the same order from before, which may still arrive', () => {
	const callers = callersOf(/\binstances\s*\.rent\(/);
	expect(callers.map(({file}) => file)).toEqual([
		'commands/mcp/rent-tools.ts',
		'commands/rent/sending.ts',
		'renter/orders/repeated-rents.ts',
	]);
	const markless = callers.filter(({text}) => !/\bagain\b/.test(text));
	expect(markless.map(({file}) => file)).toEqual([]);
});
