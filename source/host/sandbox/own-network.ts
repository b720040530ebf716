/** A network for each instance: with the internet, without this machine and its neighbours. */
import {isIPv4, Socket} from 'node:net';
import {networkInterfaces} from 'node:os';
import {spawn, type ChildProcess, type StdioOptions} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, open, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import process from 'node:process';
import {PRIVATE_IPV4} from '../../contract/rules/public-address.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import {argumentsFor, findProgram} from '../base/programs.ts';
import {isProcessRunning, processName, type ProcessName} from '../machine/processes.ts';
import type {InsideNetwork} from '../inside/inside.ts';
import {enteringLine} from './control-groups.ts';
import {SOCKET} from './network-calls.ts';

/** Programs that make networks, by their absolute paths. */
export type NetworkTools = {
	readonly unshare: string;
	readonly nsenter: string;
	readonly ip: string;
	readonly slirp4netns: string;
	readonly filter: {readonly name: keyof typeof filters; readonly file: string};
};

/** The program that holds a network, and the one that connects it to the outside. */
type Network = {readonly holder: ProcessName; readonly way: ProcessName};

type NetworkPlan = {
	/** Working folder of the program that holds the network, not shown inside. */
	readonly folder: string;
	/** Variables by which the host recognises the network's processes. */
	readonly labels: Readonly<Record<string, string>>;
	/** Public address of this machine. */
	readonly address: string;
	readonly groups: readonly string[];
};

/** Finds the tools, or returns the name of a missing one. */
export function findNetworkTools(): NetworkTools | string {
	const found = ['unshare', 'nsenter', 'ip', 'slirp4netns'].map(name => [name, findProgram(name)]);
	const missing = found.find(([, file]) => file === undefined);
	if (missing !== undefined) return String(missing[0]);
	const [unshare = '', nsenter = '', ip = '', slirp4netns = ''] = found.map(([, file]) => file);
	const names = ['nft', 'iptables'] as const;
	const filter = names
		.map(name => ({name, file: findProgram(name) ?? ''}))
		.find(({file}) => file !== '');
	return filter === undefined ? 'nft' : {unshare, nsenter, ip, slirp4netns, filter};
}

/** False for a host without root, which makes networks in a user namespace of its own. */
const isSuperuser = process.getuid?.() === 0;

export async function openNetwork(tools: NetworkTools, plan: NetworkPlan): Promise<Network> {
	const users = isSuperuser ? [] : ['--user', '--map-root-user'];
	// In this machine's mount namespace, the sandbox of slirp4netns would hide network namespaces
	// named by others.
	const mounts = isSuperuser ? ['--mount'] : [];
	const relay = [...argumentsFor('network-relay'), SOCKET, RESOLVER];
	const holder = startGrouped([tools.unshare, ...users, '--net', '--', ...relay], plan, OUTPUT);
	const started = [holder];
	try {
		await isReady(holder, 1, tools.unshare);
		const {pid = 0} = holder;
		const world = isSuperuser ? [] : ['--userns-path', `/proc/${pid}/ns/user`];
		const out = [tools.slirp4netns, ...WAY_OUT, '--ready-fd=3', ...world, String(pid), DEVICE];
		const way = startGrouped([tools.unshare, ...mounts, '--', ...out], plan, READINESS);
		started.push(way);
		await isReady(way, 3, tools.slirp4netns);
		const into = entering(tools, pid);
		const own = ownAddresses(plan.address);
		await finish([...into, tools.ip, '-batch', '-'], plan, routeLines(own));
		for (const rule of filters[tools.filter.name](own)) {
			await finish([...into, tools.filter.file, ...rule], plan);
		}
		return {holder: await processName(holder.pid), way: await processName(way.pid)};
	} catch (error) {
		for (const child of started) child.kill('SIGKILL');
		throw error;
	} finally {
		for (const child of started) child.unref();
	}
}

const WAY_OUT = ['--configure', '--mtu=65520', '--disable-host-loopback', '--enable-sandbox'];
const OUTPUT: StdioOptions = ['ignore', 'pipe', 'ignore'];
const READINESS: StdioOptions = ['ignore', 'ignore', 'ignore', 'pipe'];

/** Command that runs a program in the network of another process. */
function entering({nsenter}: NetworkTools, pid: number): readonly string[] {
	return entrance(nsenter, `/proc/${pid}/ns/net`, `/proc/${pid}/ns/user`);
}

function entrance(nsenter: string, net: string, user: string): readonly string[] {
	const users = isSuperuser ? [] : [`--user=${user}`, '--preserve-credentials'];
	return [nsenter, ...users, `--net=${net}`];
}

/** A network held by open files, safe from a reuse of its holder's pid. */
export type HeldNetwork = Pick<InsideNetwork, 'entrance'> & {readonly close: () => Promise<void>};

/** @throws Error if the program that holds it has ended. */
export async function holdNetwork(
	{nsenter}: NetworkTools,
	{holder}: Network,
): Promise<HeldNetwork> {
	const [net, user] = await Promise.all(
		['net', 'user'].map(async kind => open(`/proc/${holder.pid}/ns/${kind}`)),
	);
	const close = async () => {
		await Promise.all([net?.close(), user?.close()]);
	};
	if (net !== undefined && user !== undefined && (await isProcessRunning(holder))) {
		const [inNet, inUser] = [net, user].map(({fd}) => `/proc/${process.pid}/fd/${fd}`);
		return {entrance: entrance(nsenter, inNet ?? '', inUser ?? ''), close};
	}
	await close();
	throw new Error('the network of the instance is gone');
}

export async function writeNetworkSettings(folder: string) {
	const settings = [
		{
			path: '/etc/resolv.conf',
			folder: join(folder, 'resolv.conf'),
			text: `nameserver ${RESOLVER}\n`,
		},
		{
			path: '/etc/hosts',
			folder: join(folder, 'hosts'),
			text: '127.0.0.1 localhost\n::1 localhost\n',
		},
	];
	for (const {folder: file, text} of settings) await writeFile(file, text, {mode: 0o644});
	return settings;
}

/** Reason why no such network can be made here; undefined after a successful trial. */
export async function tryNetwork(tools: NetworkTools, folder: string): Promise<string | undefined> {
	const own = await mkdtemp(join(folder, 'trial-'));
	try {
		const {holder, way} = await openNetwork(tools, {
			folder: own,
			labels: {},
			address: '127.0.0.1',
			groups: [],
		});
		for (const {pid} of [way, holder]) process.kill(pid, 'SIGKILL');
		return undefined;
	} catch (error) {
		return messageOf(error);
	} finally {
		await rm(own, {recursive: true, force: true});
	}
}

function start(
	file: string,
	words: readonly string[],
	{folder, labels}: NetworkPlan,
	stdio: StdioOptions,
): ChildProcess {
	const env = {PATH: process.env['PATH'] ?? '', ...labels};
	return spawn(file, words, {cwd: folder, env, stdio, detached: true});
}

function startGrouped(
	words: readonly string[],
	plan: NetworkPlan,
	stdio: StdioOptions,
): ChildProcess {
	const line = `${enteringLine(plan.groups)}exec "$@"`;
	return start('/bin/sh', ['-c', line, 'sh', ...words], plan, stdio);
}

/** Waits until a program reports that it is ready, and closes the pipe. */
async function isReady(child: ChildProcess, number: number, name: string): Promise<void> {
	const stream = child.stdio[number];
	if (!(stream instanceof Socket)) throw new Error(`${name} cannot be heard`);
	const ended = once(child, 'exit').then(() => false);
	const isAnswered = await Promise.race([once(stream, 'data').then(() => true), ended]);
	stream.destroy();
	if (!isAnswered) throw new Error(`${name} does not work here`);
}

/** Runs a program to its end, with a text as its input. */
async function finish(words: readonly string[], plan: NetworkPlan, text = ''): Promise<void> {
	const [file = '', ...rest] = words;
	const child = start(file, rest, plan, ['pipe', 'ignore', 'pipe']);
	let complaint = '';
	child.stderr?.on('data', part => (complaint += String(part)));
	child.stdin?.on('error', () => undefined).end(text);
	await once(child, 'close');
	if (child.exitCode !== 0) throw new Error(`${file} does not work here: ${complaint.trim()}`);
}

/** Device of slirp4netns, and its name server. */
const DEVICE = 'tap0';
const RESOLVER = '10.0.2.3';

/** Networks of slirp4netns itself: its route by the device is more specific than these. */
const GATEWAY = ['10.0.2.0/25', '10.0.2.128/25'] as const;

/** Routing table for DNS queries only. */
const TABLE = 53;

function awayFrom(own: readonly string[]): readonly string[] {
	return [...new Set([...PRIVATE_IPV4, ...GATEWAY, ...own.map(address => `${address}/32`)])];
}

/** Input of `ip -batch`. @param own Addresses of this machine, in any of its networks. */
function routeLines(own: readonly string[]): string {
	const names = ['udp', 'tcp'].map(
		protocol => `rule add to ${RESOLVER}/32 ipproto ${protocol} dport 53 lookup ${TABLE}`,
	);
	return [
		...awayFrom(own).map(range => `route add blackhole ${range}`),
		`route add ${RESOLVER}/32 dev ${DEVICE} table ${TABLE}`,
		...names,
		'',
	].join('\n');
}

/**
 * Arguments of either firewall program, a list for each call. Routes are not enough: a socket bound
 * to the device ignores them, and slirp4netns would connect it to this machine.
 */
const filters = {
	nft: (own: readonly string[]): ReadonlyArray<readonly string[]> => {
		const rules = [
			'type filter hook output priority 0',
			`oifname != "${DEVICE}" accept`,
			`ip daddr ${RESOLVER} udp dport 53 accept`,
			`ip daddr ${RESOLVER} tcp dport 53 accept`,
			...awayFrom(own).map(range => `ip daddr ${range} drop`),
			'meta nfproto ipv6 drop',
		];
		return [[`table inet rentty { chain out { ${rules.join('; ')}; }; }`]];
	},
	iptables: (own: readonly string[]): ReadonlyArray<readonly string[]> =>
		[
			`! -o ${DEVICE} -j ACCEPT`,
			`-d ${RESOLVER} -p udp --dport 53 -j ACCEPT`,
			`-d ${RESOLVER} -p tcp --dport 53 -j ACCEPT`,
			...awayFrom(own).map(range => `-d ${range} -j DROP`),
		].map(rule => ['-A', 'OUTPUT', ...rule.split(' ')]),
} as const;

/** IPv4 addresses of this machine; IPv6 is blocked altogether. */
function ownAddresses(address: string): readonly string[] {
	const all = Object.values(networkInterfaces()).flatMap(each => each ?? []);
	const found = [...all.map(one => one.address), address];
	return [...new Set(found.filter(one => isIPv4(one) && !one.startsWith('127.')))];
}
