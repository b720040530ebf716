/** `rentty host`: this machine, offered on a market. */
import {subscribe} from 'node:diagnostics_channel';
import process from 'node:process';
import {NetworkError, TimeoutError} from '../../client/exchange/errors.ts';
import type {Folders} from '../../renter/files/folders.ts';
import {parseApiKey} from '../../renter/profiles/target.ts';
import {readNamedFile, UsageError} from '../../renter/text/usage-error.ts';
import {harmlessJson, harmlessText} from '../../contract/grammar/harmless-text.ts';
import type {Machine} from '../../contract/nouns/machines.ts';
import type {Detected} from '../../host/machine/detect.ts';
import {isKeyRefusedForGood} from '../../host/base/retry.ts';
import {TROUBLE} from '../../host/ssh/trouble.ts';
import {openGpuFigures} from './metrics.ts';
import {loadTerminals} from '../../host/inside/inside.ts';
import {trustAuthority} from '../base/authority.ts';
import {holdProgram} from '../base/held-program.ts';
import {type HostIsolation, openOwnHost} from './own-host.ts';
import {hostUsage, readHostCommand, type HostCommand} from './options.ts';
import {runHostWord} from './machines.ts';
import {runServiceWord} from './service.ts';
import {openLineWriter} from '../base/output.ts';

/** Dollars per GB and month of disk. */
const STORAGE_PRICE = 0.1;

/** Runs until a signal or a failure ends it, and returns the exit code. */
export async function runHost(
	argv: readonly string[],
	{data}: Pick<Folders, 'data'>,
): Promise<number> {
	const code = (await runServiceWord(argv)) ?? (await runHostWord(argv));
	if (code !== undefined) return code;
	const command = readHostCommand(argv, data);
	if (command === 'help') {
		process.stdout.write(hostUsage);
		return 0;
	}
	const {url, folder, reach, place, runtime, price} = command;
	if (command.caFile !== undefined) trustAuthority(command.caFile);
	const asked = endOf(process);
	subscribe(TROUBLE, message => log(String(message)));
	const figures =
		command.metricsPort === undefined ? undefined : await openGpuFigures(command.metricsPort);
	const host = await openOwnHost({
		url,
		folder,
		reach,
		name: command.name,
		place,
		runtime,
		allowsLocalImages: command.allowsLocalImages,
		pushRegistries: command.pushRegistries,
		warm: command.warm,
		key: parseApiKey(command.keyFile, readNamedFile(command.keyFile)),
		prices: {perGpuHour: price, storage: STORAGE_PRICE},
		isPriced: command.isPriced,
		terms: command.terms,
		endsOnClose: false,
		log,
		onJudged: figures?.judged,
		onDetected(found, walls, name) {
			refuseStrangers(command, walls);
			process.stdout.write(harmlessText(introduction({...command, name}, found, walls)));
		},
	}).catch(async (error: unknown) => {
		await figures?.close();
		throw explain(error, command);
	});
	// Where there are no terminals, whoever enters is told so.
	await Promise.all([holdProgram(), loadTerminals().catch(() => undefined)]);
	const say = openLineWriter(process.stdout);
	say(`rentty host offers machine ${host.machineId} on ${url}`);
	if (figures !== undefined) say(`Its GPU figures are at ${figures.url}`);
	for (const line of waysToFind(host.machineId, host.listed)) say(line);
	const reason = await Promise.race([asked, host.ended]);
	await Promise.all([host.close(), figures?.close()]);
	return reason === undefined ? 0 : 1;
}

/** Least disk that searches ask for, in GB, where nothing else is said. */
const USUAL_DISK = 8;

/** Words that find a machine among all offers, and reasons why usual searches hide it. */
export function waysToFind(machineId: number, listed: Machine | undefined): readonly string[] {
	const hidden = [
		listed?.listed === false && 'it is not listed: rentty host price lists it again',
		quarantineOf(listed),
		listed?.verification !== 'verified' &&
			'it is not verified: rentty host test has the market test it',
		(listed?.disk_space ?? USUAL_DISK) < USUAL_DISK &&
			`it offers less than ${USUAL_DISK} GB of disk`,
		(listed?.direct_port_count ?? 1) === 0 && 'none of its ports can be reached from outside',
	].filter(reason => reason !== false);
	return [
		`Renters find it by: rentty offers any machine=${machineId}`,
		...hidden.map(reason => `Searches without "any" hide it: ${reason}.`),
	];
}

function quarantineOf(machine: Machine | undefined): string | false {
	const why = machine?.quarantine;
	return (
		typeof why === 'string' &&
		`it is in quarantine until it passes its test: ${why.replace(/\.$/, '')}`
	);
}

/** Adds advice to an error about a machine that could not be offered. */
function explain(error: unknown, {url, keyFile}: HostCommand): unknown {
	if (isKeyRefusedForGood(error)) {
		return new Error(
			`The market at ${url} does not accept the key in ${keyFile}. Nothing is offered. Use a key of the account that provides the machine.`,
			{cause: error},
		);
	}
	if (error instanceof NetworkError || error instanceof TimeoutError) {
		return new Error(
			`No market answers at ${url}: ${error.why}. Nothing is offered. What runs on this machine goes on. Start the market, or name another one with --market.`,
			{cause: error},
		);
	}
	return error;
}

/** @throws UsageError if a machine is not safe to offer to strangers */
function refuseStrangers({isTrusted}: HostCommand, isolation: HostIsolation): void {
	const missing = isTrusted ? undefined : isolationProblem(isolation);
	if (missing === undefined) return;
	throw new UsageError(
		`This machine is not offered to strangers: ${missing} Or offer it to people you trust, with --trusted.`,
	);
}

/** Reason why strangers could harm this machine or each other, with advice; undefined if they could not. */
export function isolationProblem({how, lacking, sharedNetwork}: HostIsolation): string | undefined {
	if (how === 'none') {
		return 'nothing keeps instances apart from it. Install bubblewrap, Docker or Podman.';
	}
	if (sharedNetwork !== undefined) {
		return `instances would share its network (${sharedNetwork}). ${how === 'container' ? 'Run it as root, with nsenter and iptables.' : 'Install slirp4netns, iproute2 and nftables.'}`;
	}
	const needed = lacking.filter(one => one === 'memory' || one === 'processes');
	if (needed.length === 0) return undefined;
	return `nothing limits their ${needed.join(' and ')}. Run it as root, or in a unit of systemd with Delegate=yes.`;
}

const apart: Readonly<Record<HostIsolation['how'], string>> = {
	container: 'containers of their images',
	sandbox: "sandboxes with this machine's own programs: images are not pulled",
	none: 'plain processes, without isolation: who rents can do all that you can',
};

function introduction(
	{folder, reach, price, name}: Pick<HostCommand, 'folder' | 'reach' | 'price'> & {name: string},
	{facts, busyGpus}: Detected,
	isolation: HostIsolation,
): string {
	const gpus = facts.num_gpus === 0 ? 'none' : `${facts.num_gpus}x ${facts.gpu_name}`;
	const memory = facts.gpu_ram === null ? '' : `, ${gigabytes(facts.gpu_ram)} each`;
	const busy = busyGpus.length === 0 ? '' : `; in use already: ${busyGpus.join(', ')}`;
	const rows: readonly Row[] = [
		['name', name],
		['GPUs', `${gpus}${memory}${busy}`],
		['driver', `${facts.driver_version ?? '-'}   CUDA ${facts.cuda_max_good ?? '-'}`],
		['processor', `${facts.cpu_name ?? '-'}, ${facts.cpu_cores ?? '-'} cores`],
		['memory', facts.cpu_ram === null ? '-' : gigabytes(facts.cpu_ram)],
		['disk', `${facts.disk_space ?? '-'} GB free`],
		['network', facts.inet_down === null ? '-' : `${facts.inet_down} Mbit/s`],
		['price', `$${price} for a${facts.num_gpus === 0 ? 'n' : ' GPU and'} hour`],
		...isolationRows(isolation),
		['entered at', wayIn(reach)],
		['kept in', folder],
	];
	return rows.map(([title, text]) => `${title.padEnd(11)} ${text}\n`).join('');
}

/** The address and ports by which instances are entered. */
function wayIn({address, listen, portRange, isDirect}: HostCommand['reach']): string {
	if (isDirect === false) return 'relays of the market alone: --address says how it is reached';
	const ports = portRange === undefined ? '' : `, ports ${portRange.first}-${portRange.last}`;
	const bound = listen === undefined || listen === address ? '' : `, bound to ${listen}`;
	return `${address}${ports}${bound}`;
}

type Row = readonly [name: string, text: string];

function isolationRows({how, lacking, sharedNetwork}: HostIsolation): readonly Row[] {
	const limits = lacking.length === 0 ? 'what each has rented' : `none for ${lacking.join(', ')}`;
	const networks = sharedNetwork === undefined ? 'one for each instance' : 'that of this machine';
	return [
		['instances', apart[how]],
		['limits', limits],
		['networks', networks],
	];
}

function gigabytes(megabytes: number): string {
	return `${Math.round(megabytes / 1024)} GB`;
}

/** Writes a line of JSON. */
function log(text: string): void {
	const line = harmlessJson({time: new Date().toISOString(), event: 'trouble', text});
	process.stderr.write(`${line}\n`);
}

/** Fulfils when a signal asks the process to end. */
async function endOf(asked: NodeJS.Process): Promise<undefined> {
	const {promise, resolve} = Promise.withResolvers<undefined>();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		asked.once(signal, () => resolve(undefined));
	return promise;
}
