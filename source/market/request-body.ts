/** Reads the JSON object that a request carries. */
import {isRecord} from '../contract/json.ts';
import {createJsonGuard, type Excess} from './json-guard.ts';
import {Refusal} from './refusal.ts';

/** Deepest nesting of objects and lists: no call needs half of it. */
const DEEPEST = 32;

type TextRules = {
	/** In which word a text is refused that is not a JSON object. */
	readonly reason: 'badRequest' | 'badArguments';
	/** The most names of fields. */
	readonly mostNames: number;
};

type BodyRules = TextRules & {
	readonly mostBytes: number;
	/** Looks at the text before it is read: it throws where that is not to be believed. */
	readonly verify?: ((text: string) => void) | undefined;
};

/** No body at all counts as an empty one: some clients send none with DELETE. */
export async function readBody(
	request: Request,
	rules: BodyRules,
): Promise<Readonly<Record<string, unknown>>> {
	const text = await readText(request, rules);
	rules.verify?.(text);
	if (text === '') return {};
	const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
	if (type !== undefined && type !== 'application/json') {
		throw new Refusal('wrongContentType', 'The body must be sent as application/json.');
	}
	return parseChecked(text, 'The body', rules);
}

/** Reads a JSON object; `name` says what it is in the sentence that refuses anything else. */
export function parseObject(
	text: string,
	name: string,
	rules: TextRules,
): Readonly<Record<string, unknown>> {
	const check = openCheck(name, rules);
	check(text);
	return parseChecked(text, name, rules);
}

/** Takes a text piece by piece, and refuses it where it gets too much. */
function openCheck(name: string, {reason, mostNames}: TextRules): (piece: string) => void {
	const take = createJsonGuard({names: mostNames, depth: DEEPEST});
	const words: Readonly<Record<NonNullable<Excess>, string>> = {
		names: `${name} must have at most ${mostNames} names of fields.`,
		depth: `${name} must be at most ${DEEPEST} levels deep.`,
	};
	return piece => {
		const excess = take(piece);
		if (excess !== undefined) throw new Refusal(reason, words[excess]);
	};
}

function parseChecked(
	text: string,
	name: string,
	{reason}: TextRules,
): Readonly<Record<string, unknown>> {
	const value = parseJson(text, name, reason);
	if (!isRecord(value)) throw new Refusal(reason, `${name} must be a JSON object.`);
	return value;
}

function parseJson(text: string, name: string, reason: TextRules['reason']): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new Refusal(reason, `${name} is not valid JSON.`, {cause});
	}
}

async function readText(request: Request, rules: BodyRules): Promise<string> {
	const length = request.headers.get('content-length');
	if (Number(length) > rules.mostBytes) throw tooLarge(rules);
	try {
		if (length === null) return await readUnmeasured(request.body, rules);
		// Where the length was said, no more than that arrives.
		const text = await request.text();
		openCheck('The body', rules)(text);
		return text;
	} catch (cause) {
		if (cause instanceof Refusal) throw cause;
		throw new Refusal('badRequest', 'The body broke off.', {cause});
	}
}

async function readUnmeasured(
	body: ReadableStream<Uint8Array> | null,
	rules: BodyRules,
): Promise<string> {
	const decoder = new TextDecoder();
	const check = openCheck('The body', rules);
	let [text, bytes] = ['', 0];
	for await (const chunk of body ?? []) {
		bytes += chunk.byteLength;
		if (bytes > rules.mostBytes) throw tooLarge(rules);
		const piece = decoder.decode(chunk, {stream: true});
		check(piece);
		text += piece;
	}
	return text + decoder.decode();
}

function tooLarge({mostBytes}: BodyRules): Refusal {
	return new Refusal('bodyTooLarge', `The body must be at most ${mostBytes} bytes.`);
}
