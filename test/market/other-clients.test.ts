import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {openTestMarket} from '../helpers/market/market.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'clients');

/** A request as another client sends it, and what that client needs of the answer. */
const step = z.strictObject({
	says: z.string(),
	request: z.string(),
	keyless: z.optional(z.literal(true)),
	/** Whose key it has: `host` provides the made-up machines, others are kept from an answer. */
	as: z.optional(z.string()),
	/** Seconds that go by before it. */
	after: z.optional(z.number()),
	body: z.optional(z.record(z.string(), z.unknown())),
	status: z.optional(z.number()),
	has: z.record(z.string(), z.unknown()),
	/** Parts of the answer that later requests name with a dollar sign. */
	keeps: z.optional(z.record(z.string(), z.array(z.union([z.string(), z.number()])))),
});

function at(value: unknown, place: ReadonlyArray<string | number>): unknown {
	return place.reduce<unknown>(
		(inner, part) =>
			isRecord(inner) || Array.isArray(inner) ? Reflect.get(inner, part) : undefined,
		value,
	);
}

/** Every list that is wanted begins as the answer's does; `*` is whatever there is. */
function expectWanted(found: unknown, wanted: unknown, says: string): void {
	if (Array.isArray(wanted)) {
		for (const [index, one] of wanted.entries()) expectWanted(at(found, [index]), one, says);
	} else if (isRecord(wanted)) {
		expect({says, type: typeof found}).toEqual({says, type: 'object'});
		for (const [name, one] of Object.entries(wanted))
			expectWanted(at(found, [name]), one, `${says}: ${name}`);
	} else if (wanted === '*') {
		expect({says, found}).not.toEqual({says, found: undefined});
	} else expect({says, found}).toEqual({says, found: wanted});
}

test.each(readdirSync(folder))('a market answers what other clients send: %s', async file => {
	// Nobody beats the hearts of made-up machines.
	const patience = {silentAfter: 1e9, lostAfter: 2e9};
	await using market = await openTestMarket({offers: 20, share: 0.1, signUp: 'open', patience});
	const kept = new Map<string, unknown>([
		['host', await market.createKey('host', 'host')],
		['operator', await market.createOperatorKey('operator')],
	]);
	/** A number takes the quotes with it. */
	const filled = (text: string) =>
		text.replaceAll(/"\$(\w+)"|\$(\w+)/g, (_, whole?: string, part?: string) => {
			const value = kept.get(whole ?? part ?? '');
			return whole === undefined ? String(value) : JSON.stringify(value);
		});
	const steps = z.array(step).parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
	for (const one of steps) {
		const {says, request, keyless, as, after = 0, body, status = 200, has, keeps = {}} = one;
		await market.pass(after);
		const [method = '', path = ''] = filled(request).split(/ (.*)/s);
		const reply = await market.call(encodeURI(path), {
			method,
			headers: {
				...(keyless === true && {authorization: undefined}),
				...(as !== undefined && {authorization: `Bearer ${String(kept.get(as))}`}),
			},
			...(body !== undefined && {body: filled(JSON.stringify(body))}),
		});
		expect({says, status: reply.status}).toEqual({says, status});
		expectWanted(reply.body, JSON.parse(filled(JSON.stringify(has))), says);
		for (const [name, place] of Object.entries(keeps)) kept.set(name, at(reply.body, place));
	}
});
