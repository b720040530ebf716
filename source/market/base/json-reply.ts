/** Replies that are JSON text already, and their entity tags. */
import {hash, randomBytes} from 'node:crypto';
import {serialize} from 'node:v8';
import {startOfMinute} from './contract-end.ts';

/** A reply that is JSON text already. */
export class JsonReply {
	readonly json: string | Uint8Array<ArrayBuffer>;
	/** Entity tag of the reply; undefined for none. */
	readonly tag: string | undefined;

	constructor(json: string | Uint8Array<ArrayBuffer>, tag?: string) {
		this.json = json;
		this.tag = tag;
	}
}

/** Reply "not modified", for a caller that has the current one. */
export class Unchanged {
	readonly tag: string;

	constructor(tag: string) {
		this.tag = tag;
	}
}

/** Circumstances that a reply depends on. */
type Version = {
	/** Caller, request and state of the shown data. */
	readonly of: readonly unknown[];
	readonly now: number;
};

export type Dated = {
	readonly json: JsonReply['json'];
	/** Moment at which the reply is outdated; undefined if unknown. */
	readonly until: number | undefined;
};

/** Id of this process's run: change counts start again with each run. */
const run = randomBytes(16).toString('base64url');

/** Writes a reply, unless the caller names its tag: `If-None-Match` of the request. */
export async function unlessKnown(
	known: string | undefined,
	version: Version,
	write: () => Promise<Dated>,
): Promise<JsonReply | Unchanged> {
	const tags = known?.split(',').map(tag => tag.trim().replace(/^W\//, '')) ?? [];
	const right = tags.find(tag => isRight(tag, version));
	if (right !== undefined) return new Unchanged(right);
	const {json, until} = await write();
	return new JsonReply(json, until === undefined ? undefined : tagOf(version, until));
}

/** Tag of a version. An end counts only within the present minute, which is part of the tag. */
function tagOf({of, now}: Version, until: number): string {
	const minute = startOfMinute(now);
	const end = until < minute + 60 ? `.${until}` : '';
	const digest = hash('sha256', serialize([run, minute, end, ...of]), 'base64url');
	return `"${digest.slice(0, 22)}${end}"`;
}

function isRight(tag: string, version: Version): boolean {
	// Digests have no dot.
	const dot = tag.indexOf('.');
	const until = dot === -1 ? Infinity : Number(tag.slice(dot + 1, -1));
	return version.now < until && tag === tagOf(version, until);
}
