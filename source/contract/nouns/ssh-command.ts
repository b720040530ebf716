/**
 * OpenSSH commands for an instance: its address, and the programs with their arguments. They run
 * without a shell, and no text of the service becomes an option.
 */
import {replaceHarmful} from '../grammar/harmless-text.ts';
import type {Instance} from './instance-record.ts';

/** SSH address of an instance. The proxy works on every machine; the direct route is faster. */
export type SshRoute = {
	readonly kind: 'direct' | 'proxy';
	readonly host: string;
	readonly port: number;
};

export type ProgramCommand = {readonly program: string; readonly args: readonly string[]};

/** Argument of `-L`: a local port and the instance's port that it forwards to. */
export type Forward = {readonly local: number; readonly remote: number};

/** File of known host keys, and the name of one. */
export type KnownHosts = {
	/**
	 * A file separate from the user's own, because addresses and ports of machines are reused for
	 * other renters.
	 */
	readonly file: string;
	/** Name under which the host's key is stored, instead of its address and port. */
	readonly alias: string;
};

type Reached = Pick<
	Instance,
	| 'id'
	| 'ports'
	| 'public_ipaddr'
	| 'machine_dir_ssh_port'
	| 'ssh_host'
	| 'ssh_port'
	| 'image_runtype'
>;

/** SSH routes to an instance, the direct one first; none if the service names none. */
export function sshRoutes(instance: Reached): readonly SshRoute[] {
	const {public_ipaddr, machine_dir_ssh_port, ssh_host, ssh_port} = instance;
	const mapped = mappedSshPort(instance);
	return [
		routeOf('direct', public_ipaddr, mapped ?? machine_dir_ssh_port),
		routeOf('proxy', ssh_host, proxyPort(ssh_port, mapped, instance.image_runtype)),
	].filter(route => route !== undefined);
}

function mappedSshPort({ports}: Reached): number | undefined {
	const port = ports?.['22/tcp']?.[0]?.HostPort.trim();
	return port !== undefined && /^\d{1,5}$/.test(port) ? Number(port) : undefined;
}

/** SSH port of the proxy: one above Jupyter's port, unless SSH is mapped separately. */
function proxyPort(
	port: number | null | undefined,
	mapped: number | undefined,
	runtype: string | null | undefined,
): number | undefined {
	if (port === null || port === undefined) return undefined;
	return mapped === undefined && (runtype ?? '').includes('jupyter') ? port + 1 : port;
}

function routeOf(
	kind: SshRoute['kind'],
	address: string | null | undefined,
	port: number | null | undefined,
): SshRoute | undefined {
	const host = (address ?? '').trim();
	if (!isHost(host) || port === null || port === undefined || !isPort(port)) return undefined;
	return {kind, host, port};
}

const name = /^[\da-z](?:[\d._a-z-]{0,251}[\da-z])?\.?$/i;
const ipv6 = /^[\d.:a-f]{2,45}$/i;

/** True for a host name or address; false for an option, a user or a path. */
export function isHost(text: string): boolean {
	return name.test(text) || (text.includes(':') && ipv6.test(text));
}

export function isPort(value: number): boolean {
	return Number.isInteger(value) && value >= 1 && value <= 65_535;
}

/** Reads `8080` or `8080:80`, several with blanks between; undefined if one is invalid. */
export function readForwards(text: string): readonly Forward[] | undefined {
	const words = text.split(/[\s,]+/).filter(word => word !== '');
	const forwards = words.map(readForward).filter(forward => forward !== undefined);
	return forwards.length === words.length && forwards.length > 0 ? forwards : undefined;
}

function readForward(word: string): Forward | undefined {
	const found = /^(\d{1,5})(?::(\d{1,5}))?$/.exec(word);
	if (found === null) return undefined;
	const local = Number(found[1]);
	const remote = Number(found[2] ?? found[1]);
	return isPort(local) && isPort(remote) ? {local, remote} : undefined;
}

type SshOptions = {
	readonly known?: KnownHosts;
	readonly forwards?: readonly Forward[];
	/** Private keys that OpenSSH does not try by itself. */
	readonly identities?: readonly string[];
	/** Only keeps the forwards open, without a shell. */
	readonly isIdle?: boolean;
};

export function sshCommand(
	{host, port}: SshRoute,
	{known, forwards = [], identities = [], isIdle = false}: SshOptions = {},
): ProgramCommand {
	return {
		program: 'ssh',
		args: [
			...knownOptions(known),
			...identityOptions(identities),
			...(isIdle ? ['-N'] : []),
			...forwards.flatMap(({local, remote}) => ['-L', `${local}:localhost:${remote}`]),
			'-p',
			String(port),
			'-l',
			'root',
			'--',
			host,
		],
	};
}

function knownOptions(known: KnownHosts | undefined): readonly string[] {
	if (known === undefined) return [];
	return [
		'-o',
		'StrictHostKeyChecking=accept-new',
		'-o',
		`UserKnownHostsFile=${sshWord(known.file)}`,
		'-o',
		`HostKeyAlias=${known.alias}`,
	];
}

/** Options for key files. OpenSSH checks the file of `-i` before it expands percent signs. */
export function identityOptions(files: readonly string[]): readonly string[] {
	return files.flatMap(file =>
		file.includes('%') ? ['-o', `IdentityFile=${sshWord(file)}`] : ['-i', file],
	);
}

/** Quotes a value for OpenSSH, which splits at blanks and expands percent signs. */
export function sshWord(text: string): string {
	const plain = text.replaceAll('%', '%%');
	return /^[\w%+,./:@=-]+$/.test(plain)
		? plain
		: `"${plain.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

export type FileTransfer = {
	readonly isUpload: boolean;
	/** A path on this machine, and one in the instance. */
	readonly local: string;
	readonly remote: string;
	readonly known?: KnownHosts;
	readonly identities?: readonly string[];
	/** Further options of ssh, as values of its `-o`. */
	readonly settings?: readonly string[];
};

function transferOptions({known, identities = [], settings = []}: FileTransfer): readonly string[] {
	const further = settings.flatMap(setting => ['-o', setting]);
	return [...knownOptions(known), ...identityOptions(identities), ...further];
}

export function scpCommand(route: SshRoute, transfer: FileTransfer): ProgramCommand {
	const args = [...transferOptions(transfer), '-P', String(route.port), '-r', '--'];
	return {program: 'scp', args: [...args, ...endsOf(route, transfer)]};
}

/** Copies files by rsync, which starts SSH itself and splits the command of `-e` at blanks. */
export function rsyncCommand(route: SshRoute, transfer: FileTransfer): ProgramCommand {
	const ssh = ['ssh', ...transferOptions(transfer), '-p', String(route.port)].map(quoted);
	const args = ['-a', '--partial', '--info=progress2', '-e', ssh.join(' '), '--'];
	return {program: 'rsync', args: [...args, ...endsOf(route, transfer)]};
}

function endsOf({host}: SshRoute, {isUpload, local, remote}: FileTransfer): readonly string[] {
	// rsync treats the text before a colon as a host, unless a slash comes first.
	const here = /^[^/]*:/.test(local) ? `./${local}` : local;
	const there = `root@${host.includes(':') ? `[${host}]` : host}:${remote}`;
	return isUpload ? [here, there] : [there, here];
}

/**
 * A command in the form that users type into a shell: harmless characters, and no others than line
 * feeds and tabs.
 */
export function shellText({program, args}: ProgramCommand): string {
	return [program, ...args]
		.map(quoted)
		.map(word => replaceHarmful(word, sign => (/[\n\t]/.test(sign) ? sign : printedByShell(sign))))
		.join(' ');
}

function quoted(word: string): string {
	if (/^[\w%+,./:@=-]+$/.test(word)) return word;
	return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Closes the quotes for a command that prints the bytes of a character. */
function printedByShell(character: string): string {
	const bytes = Array.from(new TextEncoder().encode(character), byte => `\\${byte.toString(8)}`);
	return `'"$(printf '${bytes.join('')}')"'`;
}

/** The familiar short form, for a host that was checked: `ssh -p 40112 root@203.0.113.24`. */
export function sshText(
	{host, port}: SshRoute,
	forwards: readonly Forward[] = [],
	identities: readonly string[] = [],
): string {
	const tunnels = forwards.map(({local, remote}) => ` -L ${local}:localhost:${remote}`);
	const keys = identityOptions(identities).map(word => `${quoted(word)} `);
	return `ssh ${keys.join('')}-p ${port} root@${host}${tunnels.join('')}`;
}
