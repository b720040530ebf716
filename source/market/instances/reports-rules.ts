/** Host's reports of an instance as its readers see them: addresses and usage. */
import {sshPortOf, type Access, type Usage} from '../../contract/nouns/host-work.ts';
import type {ShownRow} from './columns-rules.ts';
import {readAccess} from '../lifecycle/access-rules.ts';

type Reached = Pick<ShownRow, 'id' | 'access' | 'actual' | 'public_ipaddr'>;

/** Addresses of an instance: those of SSH from its creation on. It has ports only while it runs. */
export function accessOf({id, access, actual, public_ipaddr: known}: Reached) {
	const address = trimmed(known);
	if (access === null) {
		return {...unreached, ssh_host: address, ssh_port: sshPortOf(id), public_ipaddr: address};
	}
	const said = readAccess(access);
	return {
		ssh_host: said.ssh_host,
		ssh_idx: numberOfProxy(said.ssh_host) ?? '',
		ssh_port: said.ssh_port,
		machine_dir_ssh_port: said.machine_dir_ssh_port ?? -1,
		public_ipaddr: trimmed(said.public_ipaddr ?? known),
		ports: actual === 'running' ? portsOf(said) : undefined,
	};
}

const unreached = {
	ssh_idx: '',
	machine_dir_ssh_port: -1,
	public_ipaddr: '',
	ports: undefined,
};

/** Clients put it into a command as it is. */
function trimmed(address: string | null): string {
	return (address ?? '').trim();
}

/** Clients look here first for how to enter, so the direct way for SSH is always among them. */
function portsOf({ports = {}, machine_dir_ssh_port: direct}: Access): Access['ports'] {
	if (direct === undefined || direct === null) return ports;
	return {'22/tcp': [{HostIp: '0.0.0.0', HostPort: String(direct)}], ...ports};
}

/** The 2281 of ssh2281.example.org. */
function numberOfProxy(host: string): string | null {
	return /^ssh(\d+)\./.exec(host)?.[1] ?? null;
}

/** Usage of an instance; a disk of -1 is unknown. A stopped instance uses its disk alone. */
export function usedBy({usage, actual}: ShownRow) {
	const said = usage === null ? nothing : readUsage(usage);
	const live = actual === 'running' ? said : nothing;
	return {
		gpu_util: live.gpu_util ?? null,
		gpu_temp: live.gpu_temp ?? null,
		cpu_util: live.cpu_util ?? 0,
		mem_limit: said.mem_limit ?? null,
		mem_usage: live.mem_usage ?? null,
		vmem_usage: live.vmem_usage ?? null,
		disk_usage: said.disk_usage ?? -1,
		disk_util: said.disk_util ?? -1,
	};
}

const nothing: Usage = {};

function readUsage(text: string): Usage {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	return JSON.parse(text) as Usage;
}
