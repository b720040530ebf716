/** Work orders for a host, and the host's reports. */
import * as z from 'zod/mini';
import {celsius, gigabytes, id, share, text} from '../grammar/values.ts';

/** Start command of an instance's image. */
const launch = z.looseObject({
	mode: z.enum(['args', 'ssh', 'jupyter']),
	sshDirect: z.boolean(),
	jupyterDirect: z.boolean(),
});

const pair = z.tuple([z.string(), z.string()]);

/**
 * Random text that tells an instance or volume from another one with its id: a market that was
 * restored from a backup issues ids again. Absent for those of earlier versions.
 */
export const serial = z.optional(text(64));

export const work = z.looseObject({
	instance_id: id,
	machine_id: id,
	/** Wanted state: running, stopped with its disk kept, or gone. */
	wanted: z.enum(['running', 'stopped', 'gone']),
	/** Count of requested starts: a new number makes the host start the instance again. */
	boot: z.int(),
	/**
	 * Count of requested containers: a new number makes the host recreate the container from its
	 * image.
	 */
	container: z.int(),
	serial,
	/** Label; it and the fields below are missing for a destroyed instance. */
	label: z.nullish(z.string()),
	image: z.optional(z.string()),
	launch: z.optional(launch),
	/** Variables and flags, in order, secrets among them. */
	env: z.optional(z.array(pair)),
	/** The instance's own API key, sent until the first report of the instance. */
	api_key: z.nullish(z.string()),
	onstart: z.optional(z.string()),
	args: z.optional(z.array(z.string())),
	user: z.optional(z.string()),
	image_login: z.optional(z.string()),
	jupyter_dir: z.optional(z.string()),
	use_jupyter_lab: z.optional(z.boolean()),
	jupyter_token: z.optional(z.string()),
	python_utf8: z.optional(z.boolean()),
	lang_utf8: z.optional(z.boolean()),
	vm: z.optional(z.boolean()),
	disk: z.optional(gigabytes),
	gpu_ids: z.optional(z.array(z.int())),
	/** SSH port, shown to renters immediately; the host uses another if it is taken. */
	ssh_port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
	public_keys: z.optional(z.array(z.string())),
	mounts: z.optional(
		z.array(z.looseObject({volume_id: id, mount_path: z.string(), size: gigabytes, serial})),
	),
});

export type Work = z.output<typeof work>;

const FIRST_SSH_PORT = 20_000;
const SSH_PORTS = 39_933;
/** More ports than an instance can map, so that instances created one after another share none. */
const PORTS_OF_ONE = 67;

/** SSH port of an instance on its machine, known from its creation on. */
export function sshPortOf(instanceId: number): number {
	return FIRST_SSH_PORT + ((instanceId * PORTS_OF_ONE) % SSH_PORTS);
}

/** A task inside of an instance, whose result is text. */
export const task = z.looseObject({
	id,
	instance_id: id,
	kind: z.enum(['logs', 'execute', 'snapshot']),
	/**
	 * For logs: the last lines, lines with a text, and the host's log instead of the instance's.
	 */
	tail: z.optional(z.int()),
	filter: z.optional(z.string()),
	daemon_logs: z.optional(z.boolean()),
	/** For execute: `ls`, `rm` or `du` with its arguments. */
	command: z.optional(z.string()),
	/** For snapshot: the name to push it by. */
	image: z.optional(z.string()),
	pause: z.optional(z.boolean()),
	/** True if the registry asks for a login, which is sent once. */
	needs_login: z.optional(z.boolean()),
	login: z.optional(z.object({username: z.string(), password: z.string()})),
});

export type HostTask = z.output<typeof task>;

/** Work order for a volume: keep it, or delete it. */
export const volumeWork = z.looseObject({
	volume_id: id,
	machine_id: id,
	wanted: z.enum(['kept', 'gone']),
	size: gigabytes,
	serial,
});

export type VolumeWork = z.output<typeof volumeWork>;

export const port = z.int().check(z.minimum(1), z.maximum(65_535));
export const hostName = text(253).check(
	z.regex(/^[A-Za-z0-9][\w.:-]*$/, 'must be the name of a host'),
);

/** Addresses of an instance. */
const access = z.object({
	ssh_host: hostName,
	ssh_port: port,
	public_ipaddr: z.nullish(hostName),
	machine_dir_ssh_port: z.nullish(port),
	/** Ports of the machine by port of the container, such as `22/tcp`. */
	ports: z.optional(
		z.record(
			z.string().check(z.regex(/^\d{1,5}\/(tcp|udp)$/)),
			z.array(z.object({HostIp: text(64), HostPort: text(8)})),
		),
	),
});

export type Access = z.output<typeof access>;

const percent = z.number().check(z.minimum(0), z.maximum(100));

const usage = z.object({
	gpu_util: z.optional(percent),
	gpu_temp: z.optional(celsius),
	cpu_util: z.optional(percent),
	mem_usage: z.optional(gigabytes),
	mem_limit: z.optional(gigabytes),
	vmem_usage: z.optional(gigabytes),
	disk_usage: z.optional(gigabytes),
	disk_util: z.optional(share),
});

export type InstanceUsage = z.output<typeof usage>;

/** More traffic than a container can have, and within the exact integers. */
const MOST_BYTES = 1e15;

const bytes = z.int().check(z.minimum(0), z.maximum(MOST_BYTES));

export const report = z.object({
	instance_id: id,
	/** The reported start: a late report about an earlier one changes no state. */
	boot: z.int(),
	/** `exited` is a crash; `failed` can never start, for example without its image. */
	status: z.optional(z.enum(['loading', 'running', 'exited', 'failed'])),
	status_msg: z.nullish(text(1024)),
	/** Cause of `failed`. The market believes a host that blames its machine. */
	fault: z.optional(z.enum(['machine', 'order'])),
	access: z.optional(access),
	usage: z.optional(usage),
	/** Bytes since the container was created, which only grow. */
	traffic: z.optional(z.object({up: bytes, down: bytes})),
});

export type Report = z.output<typeof report>;
