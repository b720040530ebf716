/**
 * Firewall rules between a container and the provider's network, this machine and other tenants:
 * set within the container's own network, where nobody inside may change them. Replies to
 * connections through a mapped port pass.
 */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {lookup} from 'node:dns/promises';
import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {isIPv4} from 'node:net';
import {networkInterfaces} from 'node:os';
import process from 'node:process';
import {isPublicAddress, PRIVATE_IPV4} from '../../contract/rules/public-address.ts';

/** An address with a port that is reached nevertheless: that of the market, for the instance's own key. */
export type Passage = {readonly address: string; readonly port: number};

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

/** Containers have addresses of IPv4: nothing is reached by those of IPv6. */
const RULES_OF_IPV6 = [
	'*filter',
	':INPUT ACCEPT',
	':FORWARD DROP',
	':OUTPUT DROP',
	...ANSWERS,
	'COMMIT\n',
].join('\n');

/**
 * Raises walls around the network of a process.
 *
 * @param addresses Those of this machine that are known under others outside.
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

/** True if firewall rules can be set here. */
export async function canSetFirewall(): Promise<boolean> {
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
 * Addresses of the service to let through. A public one is reachable anyway, and a loopback one
 * never is.
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
	let said = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
	child.stdin.on('error', () => undefined).end(rules);
	await once(child, 'close');
	if (child.exitCode !== 0)
		throw new Error(`its network cannot be closed: ${said.trim().slice(0, 200)}`);
}

/** Public name servers, for machines whose own is only reached in their network. */
const NAME_SERVERS = ['1.1.1.1', '8.8.8.8'];

export async function publicNameServers(): Promise<readonly string[]> {
	const text = await readFile('/etc/resolv.conf', 'utf8').catch(() => '');
	const own = [...text.matchAll(/^nameserver\s+(\S+)/gm)].map(([, address = '']) => address);
	const known = own.filter(address => isIPv4(address) && isPublicAddress(address));
	return known.length === 0 ? NAME_SERVERS : known.slice(0, 3);
}
