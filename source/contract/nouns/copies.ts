/** Copies of files between instances and volumes, done by the host of what they are copied to. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, refusalReply, recordRefusals} from '../grammar/errors.ts';
import {hostName, port} from './host-work.ts';
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

/** Report of the host that copies. */
export const report = endpoint({
	method: 'POST',
	routine: true,
	path: '/api/v0/hosts/copies/{id}/',
	summary: 'Report how far a copy is',
	params: pathWithId,
	body: z.object({
		/** The key that the host enters the source with, for this copy alone. */
		public_key: z.optional(keyLine),
		message: text(1024),
		ended: z.boolean(),
		/** It ended without all files. */
		failed: z.optional(z.boolean()),
		/** Whose fault that is. A host is believed in its own disfavour alone: a clone is given back then. */
		fault: z.optional(z.enum(['machine', 'order'])),
	}),
	replies: {200: told, ...recordRefusals},
	permission: 'machine_write',
	thresholdSeconds: undefined,
});

/** A door that opens for the key of one copy alone, to read. */
const door = z.object({host: hostName, port, host_key: keyLine});

export type CopyDoor = z.output<typeof door>;

/** Report of the host that is copied from. */
export const reportDoor = endpoint({
	method: 'POST',
	path: '/api/v0/hosts/copies/{id}/door/',
	summary: 'Report the door to the source of a copy, or that there is none',
	params: pathWithId,
	body: z.object({
		/** The key that it opens for. */
		public_key: keyLine,
		door: z.optional(door),
		/** Reason why there is none. */
		problem: z.optional(text(512)),
	}),
	replies: {200: told, ...recordRefusals},
	permission: 'machine_write',
	thresholdSeconds: undefined,
});

/** An instance, or a volume, on a host's machine. */
const heldPlace = z.union([
	z.object({instance_id: id}),
	z.object({volume_id: id, machine_id: id, size: gigabytes}),
]);

export type HeldPlace = z.output<typeof heldPlace>;

const wanted = z.enum(['done', 'gone']);

/** A copy that a host is to do, or to leave. */
export const copyWork = z.looseObject({
	id,
	wanted,
	target: heldPlace,
	path: z.string(),
	source_path: z.string(),
	/** The source where it is on the same machine: nothing goes over a network. */
	source: z.optional(heldPlace),
	/** The door to the source on another machine, once it is open for the key of the target's host. */
	door: z.optional(
		z.looseObject({
			...door.shape,
			public_key: z.string(),
			/** Its address may be one that is only reached within a network. */
			may_be_private: z.boolean(),
		}),
	),
});

export type CopyWork = z.output<typeof copyWork>;

/** A door that a host is to open for the host that copies, or to shut. */
export const doorWork = z.looseObject({
	/** Number of the copy. */
	id,
	wanted,
	source: heldPlace,
	public_key: z.string(),
});

export type DoorWork = z.output<typeof doorWork>;
