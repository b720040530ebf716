/** A start of an instance: retried until it runs, watched, and reported until it ends. */
import {sentenceOf} from '../../contract/rules/thrown.ts';
import {mkdir} from 'node:fs/promises';
import type {Work} from '../../contract/nouns/host-work.ts';
import {machineStart} from '../machine/processes.ts';
import {EndsAgent} from './orders.ts';
import {retryDelay} from '../base/retry.ts';
import type {Inside} from '../inside/inside.ts';
import {pause} from '../base/scheduler.ts';
import {openInstanceServer} from '../ssh/entrance.ts';
import {reportStatus, type Host, keep, portHolder, type HostInstance} from './instance.ts';
import {note} from './site.ts';
import {makeAccess, SSH_PORT} from './ports.ts';

/** Begins to start an instance, or to watch a running one. Results are reported. */
export function begin(host: Host, instance: HostInstance): void {
	instance.ending = new AbortController();
	instance.ended = live(host, instance, instance.ending.signal);
}

/** Detaches from an instance: closes SSH sessions, while its program keeps running. */
export async function leave(instance: HostInstance): Promise<void> {
	instance.ending.abort();
	await instance.ended;
	await letGo(instance);
}

export async function endProcesses(
	instance: HostInstance,
	stop: () => Promise<void>,
): Promise<void> {
	instance.ending.abort();
	await instance.ended;
	// Concurrently, so that a connected client does not delay the stop.
	await Promise.all([stop(), letGo(instance)]);
}

async function letGo(instance: HostInstance): Promise<void> {
	const {sshServer, running} = instance;
	instance.sshServer = undefined;
	instance.inside = undefined;
	instance.running = undefined;
	await Promise.all([sshServer?.close(), running?.release(), instance.kept]);
}

async function live(host: Host, instance: HostInstance, signal: AbortSignal): Promise<void> {
	try {
		await start(host, instance, signal);
		const message = await instance.running?.ended(signal);
		if (signal.aborted || message === undefined) return;
		await letGo(instance);
		await host.driver.stop(instance, 0).catch(async (error: unknown) => {
			await note(instance.site, `C.${instance.id}: ${sentenceOf(error)}`);
		});
		await reportStatus(host, instance, {status: 'exited', status_msg: message});
	} catch (error) {
		if (signal.aborted) return;
		await letGo(instance);
		const isDeadly = error instanceof EndsAgent;
		const status_msg = isDeadly ? deadly : (host.driver.finalReason(error) ?? sentenceOf(error));
		await reportStatus(host, instance, {status: 'failed', status_msg});
	}
}

/** Message to the renter of an instance that kills the agent. */
export const deadly =
	"The host's program ended twice while it started this instance, and does not try it again. Nothing runs, and its disk costs until you destroy it: rent on another machine.";

/** Retries until the instance runs or the failure is final. */
async function start(host: Host, instance: HostInstance, signal: AbortSignal): Promise<void> {
	const {driver, scheduler, orders} = host;
	const order = `start-${instance.id}-${instance.work?.container}-${instance.work?.boot}`;
	for (let failures = 1; ; failures++) {
		try {
			return await orders.run(order, async () => attempt(host, instance, signal), signal);
		} catch (error) {
			if (!signal.aborted) await letGo(instance);
			signal.throwIfAborted();
			if (driver.finalReason(error) !== undefined) throw error;
			const why = driver.reason(error);
			if (failures === 1) {
				host.log(`Could not start instance ${instance.id}: ${sentenceOf(error)}. Trying again.`);
			}
			const status_msg = `It could not be started, and is tried again: ${why}`;
			await reportStatus(host, instance, {status: 'loading', status_msg});
			await pause(scheduler, retryDelay(failures, host.random()), signal);
			signal.throwIfAborted();
		}
	}
}

async function attempt(host: Host, instance: HostInstance, signal: AbortSignal): Promise<void> {
	const {driver, volumeSerials} = host;
	const {site, record, work} = instance;
	if (work === undefined) throw new Error('nobody said what it runs');
	await mkdir(site.own, {recursive: true, mode: 0o700});
	await note(site, `C.${instance.id}: start requested`);
	const {boot, container} = work;
	const apiKey = work.api_key ?? record.apiKey;
	// An instance whose agent is killed before it runs is started again.
	const serial = work.serial ?? record.serial;
	await keep(instance, {boot, container, serial, isStarted: false, apiKey});
	for (const mount of work.mounts ?? []) await volumeSerials.replaceOther(mount);
	const say = async (status_msg: string) =>
		reportStatus(host, instance, {status: 'loading', status_msg});
	const openSshServer = async (inside: Inside) => openServerOf(host, instance, inside);
	const given = {...work, api_key: apiKey ?? null};
	const freePort = host.portChoice.freePortOf(portHolder(instance.id));
	const starting = {instance, work: given, say, openSshServer, freePort, signal};
	instance.running = await driver.start(starting);
	await keep(instance, {isStarted: true, machineStart: await machineStart()});
	holdPorts(host, instance);
	signal.throwIfAborted();
	const status_msg = driver.message(work);
	const {sshServer, record: known} = instance;
	const access =
		sshServer &&
		makeAccess(host.reach, sshServer.port, known.ports, driver.isEnteredDirectly(work));
	await reportStatus(host, instance, {status: 'running', status_msg, ...(access && {access})});
}

/** Records the ports of an instance; its earlier ones become free. */
export function holdPorts({portChoice}: Host, {id, record: {port, ports}}: HostInstance): void {
	portChoice.hold(portHolder(id), [port, ...ports.map(([, outside]) => outside)]);
}

async function openServerOf(
	{reach, portChoice}: Host,
	instance: HostInstance,
	inside: Inside,
): Promise<void> {
	const {hostKey, port, ports} = instance.record;
	const keys = keysOf(instance.work);
	const wanted = new Map(ports).get(SSH_PORT) ?? instance.work?.ssh_port ?? 0;
	const known = port === 0 ? wanted : port;
	const opened = await openInstanceServer({
		hostKey,
		port: known,
		freePort: portChoice.freePortOf(portHolder(instance.id)),
		address: reach.listen,
		inside,
		keys,
		instanceId: instance.id,
	});
	instance.sshServer = opened.sshServer;
	instance.inside = inside;
	// The authorised keys may have changed meanwhile.
	opened.sshServer.admit(keysOf(instance.work));
	await keep(instance, {hostKey: opened.hostKey, port: opened.sshServer.port});
}

function keysOf(work: Work | undefined): readonly string[] {
	return work?.public_keys ?? [];
}
