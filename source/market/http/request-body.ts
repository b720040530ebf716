/** Reads the JSON object that a request carries. */
import {QUERY_ERROR} from '../../contract/grammar/filter.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {Refusal} from '../base/refusal.ts';

type JsonLimits = {
	/** The most names of fields, in objects at any depth. */
	readonly names: number;
	readonly depth: number;
};

/** Limit that a text exceeds; undefined for none. */
type Excess = keyof JsonLimits | undefined;

const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;
// Brackets and braces of a side differ in one bit.
const BRACKET_BIT = 32;
const OPENING = 123;
const CLOSING = 125;

/**
 * Counts JSON's field names and nesting while it arrives, to refuse excess before parsing. Takes
 * pieces of a text in order, and returns an exceeded limit after each.
 */
function createJsonGuard({names: mostNames, depth: deepest}: JsonLimits) {
	let [names, depth] = [0, 0];
	let [isText, isEscaped] = [false, false];

	function takeSign(code: number): void {
		if (code === QUOTE) isText = true;
		else if (code === COLON) names += 1;
		else if ((code | BRACKET_BIT) === OPENING) depth += 1;
		else if ((code | BRACKET_BIT) === CLOSING) depth -= 1;
	}

	return (piece: string): Excess => {
		for (let at = 0; at < piece.length; at++) {
			const code = piece.charCodeAt(at);
			if (!isText) takeSign(code);
			else if (isEscaped) isEscaped = false;
			else if (code === BACKSLASH) isEscaped = true;
			else if (code === QUOTE) isText = false;
			if (names > mostNames) return 'names';
			if (depth > deepest) return 'depth';
		}
		return undefined;
	};
}

const BODY = 'The body';

/** Refusal of an invalid body, in the words of existing services. */
const NO_JSON = 'Invalid json body';

/** Deepest nesting of objects and lists, twice what any call needs. */
const DEEPEST = 32;

type TextRules = {
	/** Reason of the refusal of a text that is not a JSON object. */
	readonly reason: 'badRequest' | 'badArguments';
	readonly mostNames: number;
};

type BodyRules = TextRules & {
	readonly mostBytes: number;
	/** Checks the text before it is parsed, and throws for a false signature. */
	readonly verify?: ((text: string) => void) | undefined;
};

/** Reads a body. A missing one counts as empty: some clients send none with DELETE. */
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
	return parseChecked(text, BODY, rules);
}

/** Reads a JSON object; `name` is its name in a refusal. */
export function parseObject(
	text: string,
	name: string,
	rules: TextRules,
): Readonly<Record<string, unknown>> {
	const check = openCheck(name, rules);
	check(text);
	return parseChecked(text, name, rules);
}

/** Takes a text piece by piece, and refuses it at an exceeded limit. */
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
	if (!isRecord(value)) {
		const says =
			name === BODY ? `${NO_JSON}: it must be an object.` : `${name} must be a JSON object.`;
		throw new Refusal(reason, says);
	}
	return value;
}

function parseJson(text: string, name: string, reason: TextRules['reason']): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		const says = name === BODY ? NO_JSON : `${QUERY_ERROR}${name} is not valid JSON.`;
		throw new Refusal(reason, says, {cause});
	}
}

async function readText(request: Request, rules: BodyRules): Promise<string> {
	const length = request.headers.get('content-length');
	if (Number(length) > rules.mostBytes) throw tooLarge(rules);
	try {
		if (length === null) return await readUnmeasured(request.body, rules);
		// A stated length bounds the body.
		const text = await request.text();
		openCheck(BODY, rules)(text);
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
	const check = openCheck(BODY, rules);
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
