/** The exact request as text: to read, and to copy as a command. It never contains secrets. */
import {printOrder, type InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {orderRows} from './order-table.ts';

/** Text in place of secrets, on screen and in copies. */
const HIDDEN = '***';

const secretNames =
	/(?:KEY|TOKEN|SECRET|PASS|PWD|AUTH|CRED|PRIVATE|SESSION|COOKIE|BEARER|SIGNATURE|DSN|SAS|LICEN[CS]E)/i;

/** Prefixes of keys of well-known services, and other forms of secrets. */
const secretValues =
	/^(?:sk-|hf_|gh[opsu]_|github_pat_|glpat-|xox[abps]-|AKIA|ASIA|eyJ|npm_|dckr_pat_|-----BEGIN )|:\/\/[^/\s:@]*:[^/\s@]+@/;

export function isProbablySecret(name: string, value: string): boolean {
	if (value === '' || name.startsWith('-')) return false;
	return secretNames.test(name) || secretValues.test(value) || isRandom(value);
}

/** True for long words with digits and letters of both cases, which no name has. */
function isRandom(value: string): boolean {
	return (
		/^[\w+/=-]{32,}$/.test(value) &&
		/\d/.test(value) &&
		/[a-z]/i.test(value) &&
		!/^[a-z]+(?:[-_][a-z]+)*$/i.test(value)
	);
}

/** A variable's value, hidden if it may be a secret. */
export function shownValue(name: string, value: string): string {
	return isProbablySecret(name, value) ? HIDDEN : value;
}

const assignments = /\b([A-Z_][A-Z0-9_]*)=("[^"]*"|'[^']*'|[^\s"';]+)/gi;
const options = /(--?[\w-]*(?:key|token|secret|pass|password)[\w-]*[= ])("[^"]*"|'[^']*'|\S+)/gi;
const tokens =
	/\b(?:sk-|hf_|gh[opsu]_|github_pat_|glpat-|AKIA|ASIA|npm_|dckr_pat_)[\w-]{8,}|\beyJ[\w-]+\.[\w.-]+/g;
const headers = /(authorization:\s*(?:bearer|basic)\s+)[^\s"']+/gi;
const urls = /(:\/\/[^/\s:@]*:)[^/\s@]+@/g;

/** A script or a command line, with its secrets hidden. */
export function shownScript(text: string): string {
	return text
		.replaceAll(assignments, (whole, name: string, value: string) =>
			isProbablySecret(name, value) ? `${name}=${HIDDEN}` : whole,
		)
		.replaceAll(options, `$1${HIDDEN}`)
		.replaceAll(headers, `$1${HIDDEN}`)
		.replaceAll(urls, `$1${HIDDEN}@`)
		.replaceAll(tokens, HIDDEN);
}

type Json = Readonly<Record<string, unknown>>;

/** A request with its names and values, and its secrets hidden. */
export function shownRequest(request: Json): Json {
	return Object.fromEntries(
		Object.entries(request).map(([name, value]) => [name, shownField(name, value)]),
	);
}

function shownField(name: string, value: unknown): unknown {
	if (name === 'image_login') return HIDDEN;
	if (name === 'env' && typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([key, said]) => [key, shownValue(key, String(said))]),
		);
	}
	if (typeof value === 'string') return shownScript(value);
	if (Array.isArray(value)) return shownList(value);
	return value;
}

/** A list with its secrets hidden: a secret can follow its option as a separate argument. */
function shownList(list: readonly unknown[]): readonly unknown[] {
	return list.map((part, index) => {
		if (typeof part !== 'string') return part;
		const before = list[index - 1];
		const isNamed =
			typeof before === 'string' && before.startsWith('-') && secretNames.test(before);
		return isNamed && !part.startsWith('-') ? HIDDEN : shownScript(part);
	});
}

/** The request on one line: "PUT asks/7311203  disk 60  env{RUN_ID}". */
export function requestLine(offerId: number, order: InstanceOrder): string {
	const fields = Object.entries(shownRequest(printOrder(order))).map(([name, value]) => {
		if (name === 'env' && isRecord(value)) return `env{${Object.keys(value).join(',')}}`;
		if (name === 'onstart') return `onstart ${String(value).length} characters`;
		return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
	});
	return [`PUT asks/${offerId}`, ...fields].join('  ');
}

export function requestJson(order: InstanceOrder): string {
	return JSON.stringify(shownRequest(printOrder(order)));
}

/**
 * The request as a curl command. Address and key are in variables, where `rentty` reads them, too.
 */
export function asCurl(offerId: number, order: InstanceOrder): string {
	return [
		'curl -X PUT "$RENTTY_URL/api/v0/asks/',
		`${offerId}/" -H "Authorization: Bearer $RENTTY_API_KEY" `,
		`-H 'content-type: application/json' -d ${quoteWord(requestJson(order))}`,
	].join('');
}

/** The request as a command of rentty: an option for each field that has one, the rest as JSON. */
export function asCommand(offerId: number, order: InstanceOrder): string {
	const request = shownRequest(printOrder(order));
	const written = Object.entries(request).map(([name, value]) => ({
		name,
		value,
		option: optionFor(name, value),
	}));
	const others = written.filter(({option}) => option === undefined);
	const also = Object.fromEntries(others.map(({name, value}) => [name, value]));
	return [
		'rentty rent',
		offerId,
		...written.flatMap(({option}) => option ?? []),
		...(others.length === 0 ? [] : [`--also ${quoteWord(JSON.stringify(also))}`]),
	].join(' ');
}

/** A field as an option of `rentty rent`; undefined if none can express the value. */
function optionFor(name: string, value: unknown): string | undefined {
	const {option} = orderRows.find(([wire]) => wire === name)?.[1] ?? {};
	if (option === undefined) return undefined;
	const print = option.print ?? (option.value === undefined ? printSwitch : printText);
	const text = print(value);
	if (text === undefined) return undefined;
	return text === '' ? `--${option.name}` : `--${option.name} ${quoteWord(text)}`;
}

/** Text of a switch, which can only be turned on. */
function printSwitch(value: unknown): string | undefined {
	return value === true ? '' : undefined;
}

/** Text of a value; undefined for one that begins with @, which would be read as a file name. */
function printText(value: unknown): string | undefined {
	const text = String(value);
	return text.startsWith('@') ? undefined : text;
}

export function quoteWord(word: string): string {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
