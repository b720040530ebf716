/** Copies of files between instances, done by the host of the instance that they are copied to. */
import * as z from 'zod/mini';
import {endpoint} from './endpoint.ts';
import {commonRefusals, refusalReply} from './errors.ts';
import {gigabytes, id, pathId, text} from './values.ts';

/** `7`, `C.7`, `V.12`, `local`, `s3.101`, or nothing for this machine. */
const place = z.optional(z.nullable(z.union([text(128), z.int()])));
const filePath = z.optional(z.nullable(text(4096)));

const done = z.looseObject({success: z.literal(true), msg: z.string()});
const refused = {...commonRefusals, 404: refusalReply, 409: refusalReply} as const;
const rsync = '/api/v0/commands/rsync/';

export const start = endpoint({
	method: 'PUT',
	path: '/api/v0/commands/copy_direct/',
	aliases: [{method: 'PUT', path: rsync}],
	summary: 'Copy files from one instance into another',
	body: z.looseObject({src_id: place, dst_id: place, src_path: filePath, dst_path: filePath}),
	replies: {200: done, ...refused},
	permission: 'instance_write',
	thresholdSeconds: 3.5,
});

export const cancel = endpoint({
	method: 'DELETE',
	path: '/api/v0/commands/copy_direct/',
	aliases: [{method: 'DELETE', path: rsync}],
	summary: 'End the copies into an instance',
	body: z.looseObject({dst_id: place}),
	replies: {200: done, ...refused},
	permission: 'instance_write',
	thresholdSeconds: 3.5,
});

/** Report of the host that copies. */
export const report = endpoint({
	method: 'POST',
	routine: true,
	path: '/api/v0/hosts/copies/{id}/',
	summary: 'Report how far a copy is',
	params: z.object({id: pathId}),
	body: z.object({
		/** The key that the host enters the source with, for this copy alone. */
		public_key: z.optional(
			text(256).check(
				z.regex(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]+$/, 'must be an Ed25519 key'),
			),
		),
		message: text(1024),
		ended: z.boolean(),
	}),
	replies: {200: z.looseObject({success: z.literal(true)}), ...commonRefusals, 404: refusalReply},
	permission: 'machine_write',
	thresholdSeconds: undefined,
});

/** An instance, or a volume, on a host's machine. */
const heldPlace = z.union([
	z.object({instance_id: id}),
	z.object({volume_id: id, machine_id: id, size: gigabytes}),
]);

export type HeldPlace = z.output<typeof heldPlace>;

/** A copy that a host is to do, or to leave. */
export const copyWork = z.looseObject({
	id,
	/** Instance that is copied to, and the path in it. */
	instance_id: id,
	wanted: z.enum(['done', 'gone']),
	path: z.string(),
	source_path: z.string(),
	/** Ways into the instance that is copied from, the shortest first. */
	routes: z.array(z.looseObject({host: z.string(), port: z.int()})),
});

export type CopyWork = z.output<typeof copyWork>;
