/** Replies that are written as JSON already, and tags by which callers ask for them again. */
import {hash, randomBytes} from 'node:crypto';
import {serialize} from 'node:v8';
import {minuteOf} from './contract-end.ts';

/** A reply that is written as JSON already. */
export class JsonReply {
	readonly json: string | Uint8Array<ArrayBuffer>;
	/** Tag of what it says, where it can be asked for by that. */
	readonly tag: string | undefined;

	constructor(json: string | Uint8Array<ArrayBuffer>, tag?: string) {
		this.json = json;
		this.tag = tag;
	}
}

/** Says that the reply would be the one that the caller has. */
export class Unchanged {
	readonly tag: string;

	constructor(tag: string) {
		this.tag = tag;
	}
}

/** Circumstances that a reply depends on. */
export type Version = {
	/** Caller, request and state of what is shown. */
	readonly of: readonly unknown[];
	readonly now: number;
};

export type Dated = {
	readonly json: JsonReply['json'];
	/** First moment at which it says something that is over; undefined where that is not known. */
	readonly until: number | undefined;
};

/** Numbers of changes begin anew with each run of a process. */
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

/** Nothing ends within the minute of most replies, and a later end is of no interest. */
function tagOf({of, now}: Version, until: number): string {
	const minute = minuteOf(now);
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
