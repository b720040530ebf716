/**
 * Cached replies of polls: a reply that the service calls unchanged is neither sent nor parsed
 * again.
 */
import {isReading, type Endpoint} from '../../contract/grammar/endpoint.ts';
import type {WireRequest} from './call.ts';

type KnownReply = {readonly tag: string; readonly reply: unknown; readonly length: number};

/** Replies of an endpoint by their requests, the latest last. */
type Replies = Map<string, KnownReply>;

export type KnownReplies = {
	/** Known reply to a repeated request; undefined if a full reply is needed. */
	readonly of: (endpoint: Endpoint, request: WireRequest) => KnownReply | undefined;
	/** Stores a reply with the tag of its headers, if that can be sent back. */
	readonly keep: (
		endpoint: Endpoint,
		request: WireRequest,
		{tag, ...read}: Omit<KnownReply, 'tag'> & {readonly tag: unknown},
	) => void;
	/** Sends no more tags: the service does not accept them for such calls. */
	readonly stop: (endpoint: Endpoint) => void;
};

/** Most characters kept of an endpoint's replies. The last reply is kept at any length. */
const MOST_CHARACTERS = 2_000_000;

const TAG = /^(W\/)?"[\x21\x23-\x7e]{1,200}"$/;

export function createKnownReplies(): KnownReplies {
	const known = new Map<Endpoint, Replies>();
	const without = new Set<Endpoint>();
	return {
		of: (endpoint, request) => known.get(endpoint)?.get(nameOf(request)),
		keep(endpoint, request, {tag, ...read}) {
			const replies: Replies = known.get(endpoint) ?? new Map<string, KnownReply>();
			replies.delete(nameOf(request));
			if (!isReading(endpoint) || without.has(endpoint)) return;
			if (typeof tag !== 'string' || !TAG.test(tag)) return;
			replies.set(nameOf(request), {tag, ...read});
			known.set(endpoint, replies);
			forgetOldest(replies);
		},
		stop(endpoint) {
			without.add(endpoint);
			known.delete(endpoint);
		},
	};
}

function nameOf({path, body = ''}: WireRequest): string {
	return `${path} ${body}`;
}

function forgetOldest(replies: Replies): void {
	let length = [...replies.values()].reduce((sum, reply) => sum + reply.length, 0);
	for (const [name, reply] of replies) {
		if (length <= MOST_CHARACTERS || replies.size === 1) return;
		replies.delete(name);
		length -= reply.length;
	}
}
