/** Reads the JSON object that a request carries. */
import {isRecord} from '../contract/json.ts';
import {Refusal} from './refusal.ts';

const MOST_BYTES = 1024 * 1024;

/** How deep objects and lists may lie in each other: no call needs half of it. */
const DEEPEST = 32;

/** In which word a body is refused that is not a JSON object. */
type Unreadable = 'badRequest' | 'badArguments';

/** No body at all counts as an empty one: some clients send none with DELETE. */
export async function readBody(
	request: Request,
	reason: Unreadable,
): Promise<Readonly<Record<string, unknown>>> {
	const text = await readText(request);
	if (text === '') return {};
	const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
	if (type !== undefined && type !== 'application/json') {
		throw new Refusal('wrongContentType', 'The body must be sent as application/json.');
	}
	return parseObject(text, 'The body', reason);
}

/** Reads a JSON object; `name` says what it is in the sentence that refuses anything else. */
export function parseObject(
	text: string,
	name: string,
	reason: Unreadable,
): Readonly<Record<string, unknown>> {
	const value = parseJson(text, name, reason);
	if (!isRecord(value)) throw new Refusal(reason, `${name} must be a JSON object.`);
	if (isDeeper(value, DEEPEST)) {
		throw new Refusal(reason, `${name} must be at most ${DEEPEST} levels deep.`);
	}
	return value;
}

function parseJson(text: string, name: string, reason: Unreadable): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new Refusal(reason, `${name} is not valid JSON.`, {cause});
	}
}

/** It goes no deeper than it is told to, however deep the value is. */
function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some(part => isDeeper(part, levels - 1));
}

async function readText(request: Request): Promise<string> {
	const length = request.headers.get('content-length');
	if (Number(length) > MOST_BYTES) throw tooLarge();
	try {
		// Where the length was said, no more than that arrives.
		return length === null ? await readUnmeasured(request.body) : await request.text();
	} catch (cause) {
		if (cause instanceof Refusal) throw cause;
		throw new Refusal('badRequest', 'The body broke off.', {cause});
	}
}

async function readUnmeasured(body: ReadableStream<Uint8Array> | null): Promise<string> {
	const decoder = new TextDecoder();
	let [text, bytes] = ['', 0];
	for await (const chunk of body ?? []) {
		bytes += chunk.byteLength;
		if (bytes > MOST_BYTES) throw tooLarge();
		text += decoder.decode(chunk, {stream: true});
	}
	return text + decoder.decode();
}

function tooLarge(): Refusal {
	return new Refusal('bodyTooLarge', `The body must be at most ${MOST_BYTES} bytes.`);
}
