/** Support of a machine for limiting containers to their rented share, and for isolating them. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {lookup} from 'node:dns/promises';
import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {isIPv4} from 'node:net';
import {networkInterfaces} from 'node:os';
import process from 'node:process';
import {isPublicAddress, PRIVATE_IPV4} from '../../contract/rules/public-address.ts';
import {BOUNDABLE} from '../../contract/rules/isolation.ts';
import type {Engine} from './engine.ts';
import {at} from '../../contract/grammar/json.ts';

export type IsolationSupport = {readonly limits: LimitSupport; readonly hasFirewall: boolean};

export const noIsolationSupport: IsolationSupport = {
	limits: {memory: false, swap: false, processors: false, processes: false},
	hasFirewall: false,
};

export async function findIsolationSupport(engine: Engine): Promise<IsolationSupport> {
	const [limits, hasFirewall] = await Promise.all([limitsOf(engine), canSetFirewall()]);
	return {limits, hasFirewall};
}

/**
 * Missing limits in words. The disk as a whole is never limited: engines' volumes have no limit, and
 * their usage is measured.
 */
export function missingIsolation({limits}: IsolationSupport): readonly string[] {
	const bounded = Object.entries(limits).flatMap(([name, can]) => (can ? [name] : []));
	return BOUNDABLE.filter(name => !bounded.includes(name));
}

export type LimitSupport = {
	readonly memory: boolean;
	readonly swap: boolean;
	readonly processors: boolean;
	readonly processes: boolean;
};

async function limitsOf(engine: Engine): Promise<LimitSupport> {
	const about = await engine.ask({method: 'GET', path: '/info'});
	const can = (...names: readonly string[]) => names.some(name => at(about, name) === true);
	return {
		memory: can('MemoryLimit'),
		swap: can('SwapLimit'),
		processors: can('CpuCfsQuota', 'CPUCfsQuota'),
		processes: can('PidsLimit'),
	};
}

/**
 * Capabilities of root inside: enough to install packages and run services as other users, without
 * raw network access (NET_RAW) and making devices (MKNOD).
 */
export const CAPABILITIES = [
	'AUDIT_WRITE',
	'CHOWN',
	'DAC_OVERRIDE',
	'FOWNER',
	'FSETID',
	'KILL',
	'NET_BIND_SERVICE',
	'SETFCAP',
	'SETGID',
	'SETUID',
	'SYS_CHROOT',
] as const;

/** Size limit of a container's log, which is on the provider's disk. */
export const LONGEST_LOG_BYTES = 16 * 1024 * 1024;

const MOST_FILES = 1_048_576;

/**
 * Limit of open files for a program inside: at most the agent's own, because engines may refuse
 * more.
 */
export async function openFiles(): Promise<number> {
	const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
	const most = Number(/^Max open files\s+\d+\s+(\d+)/m.exec(text)?.[1] ?? MOST_FILES);
	return Math.min(MOST_FILES, most);
}

/** Exception to the firewall: the market's address and port, for the instance's own API key. */
type Passage = {readonly address: string; readonly port: number};

const ANSWERS = [
	'-A OUTPUT -o lo -j ACCEPT',
	'-A OUTPUT -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT',
];

export function rulesOf(own: readonly string[], passages: readonly Passage[]): string {
	const closed = [...PRIVATE_IPV4, ...own.filter(isIPv4).map(address => `${address}/32`)];
	return [
		'*filter',
		':INPUT ACCEPT',
		':FORWARD DROP',
		':OUTPUT ACCEPT',
		...ANSWERS,
		...passages.map(
			({address, port}) => `-A OUTPUT -p tcp -d ${address}/32 --dport ${port} -j ACCEPT`,
		),
		...closed.map(range => `-A OUTPUT -d ${range} -j REJECT`),
		'COMMIT\n',
	].join('\n');
}

/** Rules that block IPv6: containers have only IPv4 addresses. */
const RULES_OF_IPV6 = [
	'*filter',
	':INPUT ACCEPT',
	':FORWARD DROP',
	':OUTPUT DROP',
	...ANSWERS,
	'COMMIT\n',
].join('\n');

/**
 * Blocks a container's access to the provider's network, this machine and other renters, by rules
 * that root inside cannot change. Replies to connections through a mapped port pass.
 *
 * @param pid A process of the container.
 * @param addresses Further addresses of this machine, such as its public one.
 */
export async function setFirewall(
	pid: number,
	{
		addresses,
		serviceUrl,
	}: {readonly addresses: readonly string[]; readonly serviceUrl: string | undefined},
): Promise<void> {
	const into = ['nsenter', `--net=/proc/${pid}/ns/net`, '--'];
	const passages = await passagesTo(serviceUrl);
	await restore(
		[...into, 'iptables-restore', '-w'],
		rulesOf([...ownAddresses(), ...addresses], passages),
	);
	if (hasIpv6()) await restore([...into, 'ip6tables-restore', '-w'], RULES_OF_IPV6);
}

async function canSetFirewall(): Promise<boolean> {
	try {
		await restore(['unshare', '--net', 'iptables-restore', '-w'], rulesOf([], []));
		if (hasIpv6()) await restore(['unshare', '--net', 'ip6tables-restore', '-w'], RULES_OF_IPV6);
		return true;
	} catch {
		return false;
	}
}

function hasIpv6(): boolean {
	return existsSync('/proc/sys/net/ipv6');
}

function ownAddresses(): readonly string[] {
	const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
	return all.map(({address}) => address).filter(isPublicAddress);
}

/**
 * Private addresses of the service to let through. Public ones pass anyway, and loopback ones never.
 */
async function passagesTo(serviceUrl: string | undefined): Promise<readonly Passage[]> {
	if (serviceUrl === undefined) return [];
	const {hostname, port, protocol} = new URL(serviceUrl);
	const found = await lookup(hostname, {all: true, family: 4}).catch(() => []);
	const usual = protocol === 'https:' ? 443 : 80;
	return found
		.filter(({address}) => !address.startsWith('127.'))
		.map(({address}) => ({address, port: port === '' ? usual : Number(port)}));
}

async function restore([file = '', ...args]: readonly string[], rules: string): Promise<void> {
	const child = spawn(file, args, {
		stdio: ['pipe', 'ignore', 'pipe'],
		env: {PATH: `${process.env['PATH']}:/usr/sbin:/sbin`},
	});
	let output = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
	child.stdin.on('error', () => undefined).end(rules);
	await once(child, 'close');
	if (child.exitCode !== 0)
		throw new Error(`its network cannot be closed: ${output.trim().slice(0, 200)}`);
}

/** Public name servers, for machines whose own can only be reached in their network. */
const NAME_SERVERS = ['1.1.1.1', '8.8.8.8'];

export async function publicNameServers(): Promise<readonly string[]> {
	const text = await readFile('/etc/resolv.conf', 'utf8').catch(() => '');
	const own = [...text.matchAll(/^nameserver\s+(\S+)/gm)].map(([, address = '']) => address);
	const known = own.filter(address => isIPv4(address) && isPublicAddress(address));
	return known.length === 0 ? NAME_SERVERS : known.slice(0, 3);
}
