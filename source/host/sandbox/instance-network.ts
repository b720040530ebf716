/** The network of an instance, and the ports of the machine that lead into it. */
import {realpath} from 'node:fs/promises';
import type {Work} from '../../contract/host-work.ts';
import {networkCalls} from './network-calls.ts';
import {holdNetwork, openNetwork} from './own-network.ts';
import {keep} from '../instance/instance.ts';
import type {Around, Instance} from '../instance/instance.ts';
import {askedPorts, wantedPorts} from '../instance/ports.ts';
import type {WantedPort} from '../instance/ports.ts';
import {publishPorts} from './publishing.ts';

/** Opens the ports that are asked for, of a network of its own or of the machine. */
export async function openPorts(around: Around, instance: Instance, work: Work): Promise<void> {
	const {network: tools, address} = around;
	if (tools === undefined) return keep(instance, {ports: await askedPorts(work)});
	const {record} = instance;
	const [name = '', value = ''] = record.mark.split('=');
	const folder = await realpath(instance.site.own);
	const network = await openNetwork(tools, {folder, marks: {[name]: value}, address});
	await keep(instance, {network});
	instance.network = await holdNetwork(tools, network);
	await publish(around, instance, wantedPorts(work, record.ports));
}

/** Opens those again that an earlier agent has told of: they lead to the same network. */
export async function reopenPorts(around: Around, instance: Instance): Promise<void> {
	const {network, ports} = instance.record;
	if (around.network === undefined || network === undefined) return;
	instance.network = await holdNetwork(around.network, network);
	const wanted = ports.map(([inside, outside]) => ({inside: Number.parseInt(inside, 10), outside}));
	await publish(around, instance, wanted);
}

async function publish(
	{address}: Around,
	instance: Instance,
	wanted: readonly WantedPort[],
): Promise<void> {
	const {connect} = networkCalls(await realpath(instance.site.own));
	instance.published = await publishPorts({address, connect}, wanted);
	await keep(instance, {ports: instance.published.ports});
}
