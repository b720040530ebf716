import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {contract} from '../../source/contract/index.ts';
import {rentRunning} from '../helpers/market/instances.ts';
import {openProvided} from '../helpers/market/provided.ts';
import {TEST_NOW, wholeReply} from '../helpers/market/market.ts';

/** Types as the description states them: a field that may be missing is never null. */
const [text, number] = [z.string(), z.number()];
const [perhaps, figure] = [z.optional(text), z.optional(number)];
const list = z.optional(z.array(number));
const some = <Of extends z.ZodMiniType>(of: Of) => z.array(of).check(z.minLength(1));
const all = (names: string, of: z.ZodMiniType) =>
	Object.fromEntries(names.split(' ').map(name => [name, of]));

const counts = 'rented_verified avail_verified rented_unverified avail_unverified';
const worth = 'dlperf tflops tflops_per_dollar dlperf_per_dollar';
const priced = 'rented_p10 rented_median rented_p90 avail_p10 avail_median avail_p90';

const span = `"gte":${TEST_NOW - 86_400},"lte":${TEST_NOW + 2 * 86_400}`;
const charges = `charges/?select_filters={"day":{${span}}}`;

const answers: ReadonlyArray<readonly [call: string, shape: z.ZodMiniType]> = [
	[
		'GET auth/apikeys/',
		z.object({
			apikeys: some(z.object({rights: text, team_id: z.optional(z.int()), team_name: perhaps})),
		}),
	],
	[
		'POST volumes/search/',
		z.object({offers: some(z.object(all('driver_vers vericode geolocode', text)))}),
	],
	[
		'GET metrics/gpu/current/?verified=all',
		z.object({
			gpus: some(
				z.object({
					...all(`${counts} total available`, number),
					...all(`${worth} usage usage_30d`, figure),
					...all('price_p10 price_p25 price_median price_p75 price_p90', figure),
				}),
			),
		}),
	],
	[
		'GET metrics/gpu/history/?verified=all&gpu_name=all',
		z.object({
			gpus: z.record(
				text,
				z.object({
					supply_demand: z.object(all(`timestamps ${counts} total`, some(z.int()))),
					pricing: z.object({timestamps: some(z.int()), ...all(priced, list)}),
					stats: z.object(all(worth, figure)),
				}),
			),
		}),
	],
	[
		'GET subaccounts/',
		z.object({users: some(z.object({parent_id: z.int(), key_id: z.optional(z.int())}))}),
	],
	['GET users/me/ipaddrs/', z.object({success: z.literal(true), results: z.array(z.object({}))})],
	[
		'GET users/current/',
		z.object({sid: text, balance: number, ...all('email ssh_key', z.nullable(text))}),
	],
	['GET v1/instances/', z.object({instances: some(z.object({logo: text}))})],
	[
		`GET ${charges}`,
		z.object({
			results: some(
				z.object({
					metadata: z.object({
						label: perhaps,
						...all('template_id endpoint_id workergroup_id', z.optional(z.int())),
					}),
				}),
			),
		}),
	],
	[
		'GET v1/invoices/',
		z.object({
			success: z.literal(false),
			error: text,
			count: z.literal(0),
			total: z.literal(0),
			results: z.array(z.object({})),
			next_token: z.null(),
		}),
	],
];

test.each(answers)('%s answers the types that are documented', async (call, shape) => {
	await using market = await openProvided();
	await market.pass(300);
	await rentRunning(market.database, {ask_id: market.machine.asks[0]?.id ?? 0, label: 'train'});
	await market.pass(600);
	await market.host.heartbeat([market.id]);
	const child = {email: 'a@example.org', username: 'a', password: 'secret', parent_id: 'me'};
	await market.call('/api/v0/users/', {method: 'POST', body: JSON.stringify(child)});
	const [method = '', path = ''] = call.split(' ');
	const address = path.startsWith('v1/') ? `/api/${path}` : `/api/v0/${path}`;
	const reply = await market.call(address, {method, body: method === 'POST' ? '{}' : null});
	expect(z.safeParse(shape, reply.body).error?.issues).toBeUndefined();
});

test('a key that is deleted is answered with a sentence, and terms that are set with another', async () => {
	await using market = await openProvided();
	const body = JSON.stringify({name: 'other'});
	const made = await market.call('/api/v0/auth/apikeys/', {method: 'POST', body});
	const {id} = wholeReply(contract.apiKeys.create, made.body);
	const deleted = await market.call(`/api/v0/auth/apikeys/${id}/`, {method: 'DELETE'});
	expect(deleted.body).toBe('Successfully Deleted API Key');
	const msg = `Machine ${market.id} is offered on these terms.`;
	expect((await market.list()).body).toMatchObject({success: true, msg});
});

test('a charge names the label and the template of its instance, and nothing that is not known', async () => {
	await using market = await openProvided();
	const ask_id = market.machine.asks[0]?.id ?? 0;
	await rentRunning(market.database, {ask_id, label: 'train', template_id: 7});
	await market.pass(60);
	const reply = await market.call(`/api/v0/${charges}`);
	const [{metadata} = {}] = wholeReply(contract.billing.charges, reply.body).results ?? [];
	expect(metadata).toMatchObject({label: 'train', template_id: 7, name: 'train'});
	expect(Object.values(metadata ?? {})).not.toContain(null);
});
