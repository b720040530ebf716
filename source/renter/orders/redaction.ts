/** Takes secrets out of what is shown and copied: what looks like one is written as ***. */

const HIDDEN = '***';

const secretNames =
	/(?:KEY|TOKEN|SECRET|PASS|PWD|AUTH|CRED|PRIVATE|SESSION|COOKIE|BEARER|SIGNATURE|DSN|SAS|LICEN[CS]E)/i;

/** The beginnings of keys of well-known services, and forms that only secrets have. */
const secretValues =
	/^(?:sk-|hf_|gh[opsu]_|github_pat_|glpat-|xox[abps]-|AKIA|ASIA|eyJ|npm_|dckr_pat_|-----BEGIN )|:\/\/[^/\s:@]*:[^/\s@]+@/;

export function looksSecret(name: string, value: string): boolean {
	if (value === '' || name.startsWith('-')) return false;
	return secretNames.test(name) || secretValues.test(value) || isRandom(value);
}

/** Long, of one piece, with digits and letters of both kinds: nobody calls anything so. */
function isRandom(value: string): boolean {
	return (
		/^[\w+/=-]{32,}$/.test(value) &&
		/\d/.test(value) &&
		/[a-z]/i.test(value) &&
		!/^[a-z]+(?:[-_][a-z]+)*$/i.test(value)
	);
}

/** A variable's value as it may be shown. */
export function shownValue(name: string, value: string): string {
	return looksSecret(name, value) ? HIDDEN : value;
}

const assignments = /\b([A-Z_][A-Z0-9_]*)=("[^"]*"|'[^']*'|[^\s"';]+)/gi;
const options = /(--?[\w-]*(?:key|token|secret|pass|password)[\w-]*[= ])("[^"]*"|'[^']*'|\S+)/gi;
const tokens =
	/\b(?:sk-|hf_|gh[opsu]_|github_pat_|glpat-|AKIA|ASIA|npm_|dckr_pat_)[\w-]{8,}|\beyJ[\w-]+\.[\w.-]+/g;
const headers = /(authorization:\s*(?:bearer|basic)\s+)[^\s"']+/gi;
const urls = /(:\/\/[^/\s:@]*:)[^/\s@]+@/g;

/** A script or a command line without the secrets that are set in it. */
export function shownScript(text: string): string {
	return text
		.replaceAll(assignments, (whole, name: string, value: string) =>
			looksSecret(name, value) ? `${name}=${HIDDEN}` : whole,
		)
		.replaceAll(options, `$1${HIDDEN}`)
		.replaceAll(headers, `$1${HIDDEN}`)
		.replaceAll(urls, `$1${HIDDEN}@`)
		.replaceAll(tokens, HIDDEN);
}

type Json = Readonly<Record<string, unknown>>;

/** A request as it may be shown: its names and values, and none of its secrets. */
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

/** A secret can stand behind its option as an argument of its own. */
function shownList(list: readonly unknown[]): readonly unknown[] {
	return list.map((part, index) => {
		if (typeof part !== 'string') return part;
		const before = list[index - 1];
		const isNamed =
			typeof before === 'string' && before.startsWith('-') && secretNames.test(before);
		return isNamed && !part.startsWith('-') ? HIDDEN : shownScript(part);
	});
}
