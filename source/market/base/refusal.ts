import {refusals, type RefusalReason} from '../../contract/grammar/errors.ts';
import {unavailable} from '../../contract/nouns/unsupported.ts';

type Extras = {
	/** Fields of the body beside `success`, `error` and `msg`. */
	readonly fields?: Readonly<Record<string, unknown>>;
	readonly headers?: Readonly<Record<string, string>>;
	readonly cause?: unknown;
};

/** Refusal of a request. Rules and routes throw it, and the server replies with it. */
export class Refusal extends Error {
	override readonly name = 'Refusal';
	readonly reason: RefusalReason;
	readonly headers: Readonly<Record<string, string>>;
	readonly #fields: Readonly<Record<string, unknown>>;

	constructor(reason: RefusalReason, message: string, extras: Extras = {}) {
		const {fields = {}, headers = {}, cause} = extras;
		super(message, {cause});
		this.reason = reason;
		this.headers = headers;
		this.#fields = fields;
	}

	get status() {
		return refusals[this.reason].status;
	}

	/** Body of the reply. "Too many requests" has its own form: `detail` in place of `error`. */
	get body(): Readonly<Record<string, unknown>> {
		const {error} = refusals[this.reason];
		if (error === undefined) return {detail: this.message, msg: this.message, ...this.#fields};
		return {success: false, error, msg: this.message, ...this.#fields};
	}
}

/** Refusal of a copy to or from cloud storage: other people's credentials would lie on hosts. */
export function noClouds(): Refusal {
	return new Refusal('notSupported', 'Cloud connections are not available on this market.');
}

/**
 * Refusal of a call that existing services have and this market does not; undefined for any other
 * path.
 */
export function notHere(path: string): Refusal | undefined {
	const [, family = ''] = /^\/api\/v\d+\/([^/]+)/.exec(path) ?? [];
	const what = unavailable.get(family);
	if (what === undefined) return undefined;
	return new Refusal('notSupported', `${what} not available on this market.`);
}
