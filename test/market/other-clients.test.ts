import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {isRecord} from '../../source/contract/json.ts';
import {openTestMarket} from '../helpers/market.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'clients');

/** A request as another client sends it, and what that client needs of the answer. */
const step = z.strictObject({
	says: z.string(),
	request: z.string(),
	keyless: z.optional(z.literal(true)),
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

/** Every list that is wanted begins as the answer's does. */
function expectWanted(found: unknown, wanted: unknown): void {
	if (Array.isArray(wanted)) {
		for (const [index, one] of wanted.entries()) expectWanted(at(found, [index]), one);
	} else if (isRecord(wanted)) {
		expect(found).toBeTypeOf('object');
		for (const [name, one] of Object.entries(wanted)) expectWanted(at(found, [name]), one);
	} else expect(found).toBe(wanted);
}

test.each(readdirSync(folder))('a market answers what other clients send: %s', async file => {
	await using market = await openTestMarket({offers: 20});
	const kept = new Map<string, unknown>();
	const filled = (text: string) =>
		text.replaceAll(/"?\$(\w+)"?/g, (_, name: string) => String(kept.get(name)));
	const steps = z.array(step).parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
	for (const {says, request, keyless, body, status = 200, has, keeps = {}} of steps) {
		const [method = '', path = ''] = filled(request).split(/ (.*)/s);
		const reply = await market.call(encodeURI(path), {
			method,
			headers: keyless === true ? {authorization: undefined} : {},
			...(body !== undefined && {body: filled(JSON.stringify(body))}),
		});
		expect({says, status: reply.status}).toEqual({says, status});
		expectWanted(reply.body, has);
		for (const [name, place] of Object.entries(keeps)) kept.set(name, at(reply.body, place));
	}
});
