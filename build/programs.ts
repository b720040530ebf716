/** Programs in other languages that rentty sends into instances: files of their own, and texts in the bundle. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Plugin} from 'rolldown';

const root = join(import.meta.dirname, '..');

/** Test a machine from inside an instance. Whoever runs the sources reads the files themselves. */
export const gpuProof = 'source/market/machine-tests/gpu-proof.py';
export const machineTest = 'source/market/machine-tests/machine-test.py';

/** Examines an instance over SSH. */
export const examination = 'source/renter/health/examination.sh';

const machineTestModule = 'machine-test-program.ts';

/** Has the bundle hold the text of what its sources read from a file beside them. */
export const programTexts: Plugin = {
	name: 'program-texts',
	load: {
		filter: {id: /\/(?:machine-test|examination)-program\.ts$/},
		handler(id) {
			const files = id.endsWith(machineTestModule) ? [gpuProof, machineTest] : [examination];
			const texts = files.map(file => readFileSync(join(root, file), 'utf8'));
			const text = JSON.stringify(texts.join('\n'));
			return {code: `export const program = ${text};`, map: {mappings: ''}, moduleType: 'js'};
		},
	},
};

/** Enforces leases in an instance, where it has few characters: this is what people and checkers read. */
export const watchdog = 'source/renter/leases/watchdog.sh';
/** The module that has it as a shorter text, made from it by `npm run docs`. */
export const watchdogModule = 'source/renter/leases/watchdog-program.ts';

/** What that module is to say. */
export function writeWatchdog(): string {
	const text = shortenShell(readFileSync(join(root, watchdog), 'utf8'));
	const escaped = text.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`);
	return `/** Text of \`watchdog.sh\`, made by \`npm run docs\`. */\nexport const program = \`${escaped}\`;\n`;
}

/** A shell script without comments and spare blanks, by the short names that its comments list. */
export function shortenShell(text: string): string {
	const names = [...text.matchAll(/^# {3}.*$/gm)].flatMap(([line]) => [
		...line.matchAll(/\b([a-z]+(?:_[a-z]+)+)=(\w)\b/g),
	]);
	const bare = text.replaceAll(/^\s*#.*\n/gm, '');
	const short = names.reduce(
		(script, [, long = '', name = '']) => script.replaceAll(new RegExp(`\\b${long}\\b`, 'g'), name),
		bare,
	);
	return `${squeeze(short)}\n`;
}

/** Parts of a script in which blanks mean different things. */
type Part = 'commands' | 'arithmetic' | 'quoted' | 'brackets';

/** What is copied as it is, what begins a part, blanks, and any other character. */
const TOKEN = /\\[^]|'[^']*'|\$\{[^}]*\}|\$\(\(|\$\(|\s+|[^]/y;
/** The same between quotes, where an apostrophe is one. */
const QUOTED_TOKEN = /\\[^]|\$\(\(|\$\(|[^]/y;

/** Leaves out the blanks of a script that mean nothing. */
function squeeze(text: string): string {
	const parts: Part[] = ['commands'];
	let out = '';
	for (let at = 0; at < text.length;) {
		const part = parts.at(-1) ?? 'commands';
		const pattern = part === 'quoted' ? QUOTED_TOKEN : TOKEN;
		pattern.lastIndex = at;
		const [token = ''] = pattern.exec(text) ?? [];
		const isEnd = part === 'arithmetic' && token === ')';
		at += isEnd ? 2 : token.length;
		const isBlank = part !== 'quoted' && /^\s/.test(token);
		out += isBlank ? blanksIn(part, token, [out, text[at] ?? '']) : isEnd ? '))' : token;
		enter(parts, token);
	}
	return out;
}

/** Notes which part of the script a token begins or ends. */
function enter(parts: Part[], token: string): void {
	const part = parts.at(-1);
	if (token === '"' && part === 'quoted') parts.pop();
	else if (token === '"') parts.push('quoted');
	else if (token === '$((') parts.push('arithmetic');
	else if (token === '$(') parts.push('commands');
	else if (token === '(' && part !== 'quoted') {
		parts.push(part === 'arithmetic' || part === 'brackets' ? 'brackets' : 'commands');
	} else if (token === ')' && part !== 'quoted') parts.pop();
}

function blanksIn(part: Part, blanks: string, [before, next]: readonly [string, string]): string {
	if (part !== 'commands') return '';
	const last = before.at(-2) === '\\' ? 'a' : (before.at(-1) ?? '');
	if (/^[(;|&]?$/.test(last) || /^\)?$/.test(next)) return '';
	if (blanks.includes('\n')) return '\n';
	// A digit before an arrow would be the number of a file.
	if (/[<>]/.test(next) && /\d/.test(last)) return ' ';
	return last === '>' || /[<>;|&]/.test(next) ? '' : ' ';
}
