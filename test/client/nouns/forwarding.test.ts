import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import {ApiError} from '../../../source/client/exchange/errors.ts';
import {forwardingCalls} from '../../../source/client/nouns/forwarding.ts';
import {isReading, type Endpoint} from '../../../source/contract/grammar/endpoint.ts';
import {contract} from '../../../source/contract/index.ts';
import {openTestClient, openToldService, saying} from '../../helpers/services/told-service.ts';

/** Calls that answer what they were called with. */
function openEcho() {
	const asked: unknown[] = [];
	return {
		asked,
		call: async (endpoint: Endpoint, parts: unknown, options?: unknown): Promise<never> => {
			asked.push([endpoint.summary, parts, options]);
			throw new Error('nobody answers');
		},
	};
}

test('a method takes what is in its path one by one, then its body or else its query, then options', async () => {
	const {call, asked} = openEcho();
	const {teams, operator, machines} = contract;
	const options = {isUrgent: true};
	await expect(forwardingCalls(call, operator).deleteKey(1, 2, options)).rejects.toThrow('nobody');
	await expect(forwardingCalls(call, operator).accounts({after: 3})).rejects.toThrow('nobody');
	await expect(forwardingCalls(call, teams).changeRole('a', {name: 'b'}, options)).rejects.toThrow(
		'nobody',
	);
	await expect(forwardingCalls(call, teams).invite({email: 'e'})).rejects.toThrow('nobody');
	await expect(forwardingCalls(call, machines).list(options)).rejects.toThrow('nobody');
	expect(asked).toEqual([
		[operator.deleteKey.summary, {params: {id: 1, key_id: 2}}, options],
		[operator.accounts.summary, {params: {}, query: {after: 3}}, undefined],
		[teams.changeRole.summary, {params: {role: 'a'}, body: {name: 'b'}}, options],
		[teams.invite.summary, {params: {}, body: {email: 'e'}}, undefined],
		[machines.list.summary, {params: {}}, options],
	]);
});

/** Replies with `success: false` that are no refusals, or that are read by hand. */
const toldApart: ReadonlySet<Endpoint> = new Set<Endpoint>([
	contract.instances.change,
	contract.instances.create,
	contract.instances.createMany,
	contract.instances.launch,
	contract.instances.logs,
	contract.instances.execute,
	contract.instances.takeSnapshot,
]);

test('every change whose reply can say that it failed has the contract say so', () => {
	const failing = Object.values(contract)
		.flatMap(noun => Object.values<Endpoint>(noun))
		.filter(endpoint => !isReading(endpoint) && !toldApart.has(endpoint))
		.filter(({replies: {200: reply}}) => canSayFalse(reply));
	expect(failing.length).toBeGreaterThan(10);
	expect(failing.filter(({failsAs200}) => failsAs200 !== true)).toEqual([]);
});

test.each([
	['a refusal', {error: 'no_permission', msg: 'Not with this key'}],
	[
		'an empty list',
		{instances: [], offers: [], templates: [], volumes: [], apikeys: [], results: []},
	],
	[
		'a long list',
		{instances: Array.from({length: 9000}, (_, id) => ({id, label: 'x'.repeat(40)}))},
	],
])('an answer that says that it is no success reads nothing, with %s', async (_, more) => {
	await using service = await openToldService(saying({...more, success: false}));
	await using client = openTestClient({url: service.url, key: 'k', paceScale: 0, repeats: 0});
	const {instances, offers, templates, volumes, apiKeys, scheduledJobs} = client;
	const asked = [
		instances.list(),
		instances.page(),
		instances.show(7),
		offers.search({filter: []}),
		templates.search({filter: []}),
		volumes.list(),
		apiKeys.list(),
		scheduledJobs.list(),
	];
	for (const one of await Promise.allSettled(asked)) {
		expect(one).toMatchObject({status: 'rejected', reason: {name: 'ApiError', status: 200}});
	}
});

function canSayFalse(reply: z.ZodMiniType): boolean {
	const success = reply instanceof z.ZodMiniObject ? reply.shape['success'] : undefined;
	return success !== undefined && z.safeParse(success, false).success;
}

test('a change that failed under the status of a success is refused', async () => {
	await using service = await openToldService((_, response) => {
		response.end(JSON.stringify({success: false, error: 'in_use', msg: 'It is in use'}));
	});
	await using client = openTestClient({url: service.url, key: 'k'});
	const refused = [
		client.templates.delete(1),
		client.instances.detachSshKey(1, 2),
		client.instances.removeLease(1),
		client.notifications.deleteWebhook(1),
		client.volumes.delete(1),
		client.instances.reboot(1),
	];
	const errors = await Promise.all(refused.map(async one => one.catch((error: unknown) => error)));
	for (const error of errors) {
		expect(error).toBeInstanceOf(ApiError);
		expect(error).toMatchObject({status: 200, code: 'in_use', mayHaveActed: false});
	}
});
