import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	MOST_COPIES,
	MOST_COPY_LISTENERS,
	MOST_LISTENERS_OF_SOURCE,
	mostHeld,
	mostOfCopy,
} from '../../source/host/ssh/connection-limits.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

/** What no test can show: what is asked of people, and what is not defended. */
const TOLD = ['Who is trusted with what', 'What is not defended'];

/** A promise ends with the file of its test and the test's name: `(hostile/door: a name)`. */
const PROMISE = /^- .+ \(([\w/-]+): (.+)\)$/s;

const promises = page
	.split(/^## /m)
	.slice(1)
	.filter(section => !TOLD.some(title => section.startsWith(`${title}\n`)))
	.flatMap(section => section.split(/\n(?=- )/).slice(1))
	.map(text => text.replaceAll(/\s+/g, ' ').trim());

test('every promise of the page on security names a test that is there', () => {
	expect(promises.length).toBeGreaterThan(20);
	const broken = promises.filter(promise => !isShown(promise));
	expect(broken).toEqual([]);
});

const write = (most = 0) => most.toLocaleString('en');

test('every bound of what clients make an agent hold is on the page', () => {
	const ofCopy = new Map(Object.entries(mostOfCopy));
	const rows = Object.entries(mostHeld).map(
		([kind, most]) => `| ${kind} | ${write(most)} | ${write(ofCopy.get(kind))} |`,
	);
	expect(rows.filter(row => !page.includes(row))).toEqual([]);
	expect(page).toContain(
		`An agent opens ${MOST_COPY_LISTENERS} doors of copies at most, ${MOST_LISTENERS_OF_SOURCE} of one source, and makes ${MOST_COPIES} copies at once.`,
	);
});

function isShown(promise: string): boolean {
	const [, file = '', title = ''] = PROMISE.exec(promise) ?? [];
	try {
		const lines = readFileSync(join(root, 'test', `${file}.test.ts`), 'utf8').split('\n');
		// A name begins a line, or follows what begins a test.
		return lines.some(line => /^(?:.*\(|\s*)['`]/.test(line) && line.includes(title));
	} catch {
		return false;
	}
}
