/** A provider: its agent works for machines that it lists, prices anew, withdraws, maintains and lies about. */
import {openClient, type Client} from '../../../source/client/client.ts';
import {openHostAgent} from '../../../source/host/agent/agent.ts';
import type {OpenRuntime} from '../../../source/host/base/runtime.ts';
import {simulate} from '../../../source/host/simulated/simulated.ts';
import {testAsk, testPublication} from '../../helpers/host/hosts.ts';
import {world, type Process} from '../world/world.ts';
import {befall} from '../tried.ts';
import type {Chance} from '../world/chance.ts';
import {keepDoing, pause, type Actor, type Deed} from './deeds.ts';

/** A runtime that takes its time, and now and then fails: its agent tries again. */
function slowly(open: OpenRuntime, chance: Chance): OpenRuntime {
	const late = async () => {
		await pause(chance.wait(chance.happens(0.2) ? 40_000 : 500));
		if (chance.happens(0.1)) throw new Error('the container engine of the machine does not answer');
	};
	return report => {
		const runtime = open(report);
		return {
			...runtime,
			start: async work => late().then(async () => runtime.start(work)),
			stop: async id => late().then(async () => runtime.stop(id)),
			remove: async (id, keepsKey) => late().then(async () => runtime.remove(id, keepsKey)),
		};
	};
}

/** The agent, begun again each time that it was killed. */
export function keepAgent({machine, url, keys: [key = ''], chance, kills}: Actor): void {
	const begin = () => {
		const process: Process = world().begin(machine, `${machine.name}: agent`, async () => {
			const client = openClient({url, key, repeats: 0, environment: {}});
			const agent = await openHostAgent({
				calls: client.hosts,
				openRuntime: slowly(simulate({seed: world().seed, speed: 8}), chance),
				log: line => world().say(`${machine.name}: ${line.slice(0, 200)}`),
			});
			await agent.ended;
		});
		process.onEnd.push(() => void world().outside(1000 + chance.wait(20_000), begin));
		if (kills > 0) {
			world().outside(chance.wait(1_800_000), () => {
				if (!process.isAlive || !befall('agent killed', machine.name)) return;
				world().tell(`${machine.name}: the agent is killed`);
				world().end(process);
			});
		}
	};
	begin();
}

/** Publishes machines that are nobody's invention of the market's. */
export async function publishMachines({url, keys: [key = '']}: Actor, machines: number) {
	const client = openClient({url, key, environment: {}});
	for (let index = 0; index < machines; index++) {
		const asks = [[0], [1], [0, 1]].map(gpu_ids =>
			testAsk({
				gpu_ids,
				dph_base: 0.4 * gpu_ids.length,
				min_bid: 0.1,
				end_date: null,
				disk_space: 200,
			}),
		);
		await client.hosts.publish(testPublication({name: `machine ${index}`, asks}));
	}
	await client.close();
}

const weights = {
	listing: 4,
	unlisting: 1,
	floor: 2,
	maintenance: 1,
	'end of maintenance': 1,
	'default job': 2,
	'end of a default job': 1,
	'test of a machine': 1,
	'cleaning up': 1,
	lie: 3,
};

/** A deed about a machine, where there is one. */
const about =
	(act: (client: Client, id: number, actor: Actor) => Promise<unknown>): Deed =>
	async (client, actor) => {
		const machines = await client.hosts.list();
		return machines.length === 0 ? undefined : act(client, actor.chance.pick(machines).id, actor);
	};

const day = 86_400;
const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

const deeds: Readonly<Record<keyof typeof weights, Deed>> = {
	listing: about(async (client, machine, {chance}) =>
		client.machines.offer({
			machine,
			price_gpu: chance.whole(10, 900) / 100,
			price_min_bid: chance.whole(5, 50) / 100,
			credit_discount_max: chance.whole(0, 4) / 10,
			end_date: chance.happens(0.2)
				? soon(chance.whole(300, 3000))
				: soon(chance.whole(1, 60) * day),
		}),
	),
	unlisting: about(async (client, id) => client.machines.unlist(id)),
	floor: about(async (client, id, {chance}) =>
		client.machines.setFloor(id, {price: chance.whole(1, 90) / 100}),
	),
	maintenance: about(async (client, id, {chance}) =>
		client.machines
			.announceMaintenance(id, {
				start: soon(chance.whole(60, 1200)),
				hours: chance.whole(1, 10) / 10,
				reason: 'a fan',
			})
			.then(() => 'announced'),
	),
	'end of maintenance': about(async (client, id) => client.machines.cancelMaintenance(id)),
	'default job': about(async (client, machine, {chance}) =>
		client.machines.setDefaultJob({
			machine,
			price_gpu: chance.whole(1, 50) / 100,
			image: 'ubuntu:24.04',
		}),
	),
	'end of a default job': about(async (client, id) => client.machines.deleteDefaultJob(id)),
	'test of a machine': about(async (client, id) => client.machines.test(id)),
	'cleaning up': about(async (client, id) => client.machines.cleanUp(id)),
	/** States, traffic and measurements that are not so, of its own instances and of others'. */
	async lie(client, {chance, truth}) {
		const {work} = await client.hosts.takeWork({after: 0});
		const own = work.filter(({wanted}) => wanted !== 'gone');
		const others = [...truth.made.keys()];
		if (own.length === 0 || others.length === 0) return undefined;
		const {instance_id: id, boot} = chance.pick(own);
		truth.lied.add(id);
		const much = chance.whole(0, 1e15);
		return client.hosts.report([
			{
				instance_id: id,
				boot: boot + chance.whole(-1, 1),
				status: chance.pick(['loading', 'running', 'exited', 'failed']),
				usage: {gpu_util: chance.whole(0, 100), disk_usage: chance.whole(0, 1e6)},
				traffic: {up: much, down: much},
			},
			{instance_id: chance.pick(others), boot: 1, status: 'exited'},
		]);
	},
};

/** Changes the terms of its machines now and then, and is not always honest. */
export async function trade(provider: Actor, meanMs: number): Promise<void> {
	return keepDoing(provider, {weights, deeds, meanMs});
}
