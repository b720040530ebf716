/** Copies of files between instances and volumes, made by the host of the target. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, refusalReply, recordRefusals} from '../grammar/errors.ts';
import {hostName, port, serial} from './host-work.ts';
import {gigabytes, id, text, pathWithId, done} from '../grammar/values.ts';

/** `7`, `C.7`, `V.12`, `local`, `s3.101`, or nothing for this machine. */
const place = z.nullish(z.union([text(128), z.int()]));
const filePath = z.nullish(text(4096));

/** Addresses at which the caller’s own rsync reaches the other end, if one end is the caller’s machine. */
const started = z.looseObject({
	...done.shape,
	src_addr: z.optional(z.string()),
	src_port: z.optional(port),
	dst_addr: z.optional(z.string()),
	dst_port: z.optional(port),
});
const refused = {...commonRefusals, 404: refusalReply, 409: refusalReply} as const;
const rsync = '/api/v0/commands/rsync/';

export const start = endpoint({
	method: 'PUT',
	path: '/api/v0/commands/copy_direct/',
	aliases: [{method: 'PUT', path: rsync}],
	summary:
		'Copy files from one instance or volume into another, or say where rsync copies from and to this machine',
	makes: ['copy'],
	body: z.looseObject({src_id: place, dst_id: place, src_path: filePath, dst_path: filePath}),
	replies: {200: started, ...refused},
	permission: 'instance_write',
	thresholdSeconds: 3.5,
});

export const cancel = endpoint({
	method: 'DELETE',
	path: '/api/v0/commands/copy_direct/',
	aliases: [{method: 'DELETE', path: rsync}],
	summary: 'End the copies into an instance or a volume',
	body: z.looseObject({dst_id: place}),
	replies: {200: done, ...refused},
	permission: 'instance_write',
	thresholdSeconds: 3.5,
});

const keyLine = text(256).check(
	z.regex(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]+$/, 'must be an Ed25519 key'),
);

const told = z.looseObject({success: z.literal(true)});

export const report = endpoint({
	method: 'POST',
	routine: true,
	path: '/api/v0/hosts/copies/{id}/',
	summary: 'Report how far a copy is',
	params: pathWithId,
	body: z.object({
		/** SSH key with which the host logs in to the source, for this copy alone. */
		public_key: z.optional(keyLine),
		message: text(1024),
		ended: z.boolean(),
		/** True if the copy ended without all files. */
		failed: z.optional(z.boolean()),
		/** Cause of a failure. A host that blames its machine is believed, and a clone refunded. */
		fault: z.optional(z.enum(['machine', 'order'])),
	}),
	replies: {200: told, ...recordRefusals},
	permission: 'machine_write',
	thresholdSeconds: undefined,
	extension: true,
});

/**
 * SSH listener of a copy: a read-only SSH server on the source's host that accepts only this copy's
 * key.
 */
const door = z.object({host: hostName, port, host_key: keyLine});

export type SourceListener = z.output<typeof door>;

export const reportDoor = endpoint({
	method: 'POST',
	path: '/api/v0/hosts/copies/{id}/door/',
	summary: 'Report the door to the source of a copy, or that there is none',
	params: pathWithId,
	body: z.object({
		public_key: keyLine,
		door: z.optional(door),
		/** Reason why no SSH listener could be opened. */
		problem: z.optional(text(512)),
	}),
	replies: {200: told, ...recordRefusals},
	permission: 'machine_write',
	thresholdSeconds: undefined,
	extension: true,
});

const heldPlace = z.union([
	z.object({instance_id: id}),
	z.object({volume_id: id, machine_id: id, size: gigabytes, serial}),
]);

export type HeldPath = z.output<typeof heldPlace>;

const wanted = z.enum(['done', 'gone']);

/** Work order for a copy: make it, or abandon it. */
export const copyWork = z.looseObject({
	id,
	wanted,
	target: heldPlace,
	path: z.string(),
	source_path: z.string(),
	/** A source on the same machine, copied without a network. */
	source: z.optional(heldPlace),
	/**
	 * The SSH listener of a source on another machine, once it accepts the key of the target's
	 * host.
	 */
	door: z.optional(
		z.looseObject({
			...door.shape,
			public_key: z.string(),
			/** True if the address may be a private one. */
			may_be_private: z.boolean(),
		}),
	),
});

export type CopyWork = z.output<typeof copyWork>;

/** Work order for an SSH listener: open it for the copying host, or close it. */
export const doorWork = z.looseObject({
	/** Number of the copy. */
	id,
	wanted,
	source: heldPlace,
	public_key: z.string(),
});

export type ListenerWork = z.output<typeof doorWork>;
