import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {isReading, type Endpoint} from '../../source/contract/grammar/endpoint.ts';
import {contract} from '../../source/contract/index.ts';
import {operationOf, requestFor, type Operation} from '../helpers/rights/records.ts';
import {unreached} from '../helpers/rights/unreached.ts';
import {callers, openRights, owners, type Caller, type Owner} from '../helpers/rights/world.ts';

/**
 * Who may do what to whose: a line for each call, a column for each caller, and in it whose records
 * the call reached, a letter each; `yes` for a call that names no records. What is reached was
 * changed, or where the call only reads, answered.
 */
const letters: Readonly<Record<Owner | 'ended', string>> = {
	one: 'o',
	team: 't',
	parent: 'p',
	child: 'c',
	stranger: 's',
	ended: 'e',
};

const file = join(import.meta.dirname, '..', 'fixtures', 'permissions.txt');
const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;
const operations = Object.entries(byNoun).flatMap(([noun, endpoints]) =>
	Object.entries(endpoints).map(([name, endpoint]) => operationOf(noun, name, endpoint)),
);
const WIDTH = 62;
/** A cell holds a letter for each owner. */
const widthOf = (caller: Caller) => Math.max(caller.length, owners.length + 1);

type Rights = Awaited<ReturnType<typeof openRights>>;

/** What a call is answered, or that it changed something; undefined where it did not. */
async function answerOf(
	rights: Rights,
	{operation, caller, owner}: {operation: Operation; caller: Caller; owner: Owner | 'ended'},
): Promise<string | undefined> {
	const of = owner === 'ended' ? rights.ended : (rights.records.get(owner) ?? rights.ended);
	const request = requestFor(operation, of, rights.word);
	const what = `${request.method} ${request.path} as ${caller}`;
	const {status, text, changed} = await rights.call(request, rights.keys[caller]);
	expect(status, `${what}: ${text}`).toBeLessThan(500);
	if (status >= 400) expect(changed, `${what} changes nothing`).toBe(0);
	tellsNothing(what, caller, text);
	// Clients print it.
	if (status < 300 && request.method === 'DELETE')
		expect([what, text]).toEqual([what, expect.stringMatching(/^"|"msg":/)]);
	if (status >= 300) return undefined;
	if (isReading(operation.endpoint)) return text;
	return changed > 0 ? 'changed' : undefined;
}

/** Of whom a caller may be told: of itself, its team, its subaccounts. */
function known(caller: Caller): readonly string[] {
	if (caller.startsWith('team’s')) return ['owner', 'manager', 'people', 'plain', 'closed'];
	if (caller.startsWith('empty team’s')) return ['owner', 'idle'];
	if (caller === 'parent') return ['parent', 'child'];
	return caller === 'stranger' ? ['rival'] : [caller.replace(/,.*/, '')];
}

function tellsNothing(what: string, caller: Caller, text: string): void {
	if (caller === 'operator') return;
	const told = [...text.matchAll(/(\w+)(?:@private\.example|-name\b)|secret-of-(\w+)/g)];
	const names = told.map(([, name, of]) => name ?? of ?? '');
	const own = caller.startsWith('team’s') ? 'team' : caller.replace(/,.*/, '');
	expect([what, names.filter(name => ![...known(caller), own].includes(name))]).toEqual([what, []]);
}

/** Letters of those whose records a caller reaches: reading, with another answer than about nothing. */
async function whose(rights: Rights, operation: Operation, caller: Caller): Promise<string> {
	const about = async (owner: Owner | 'ended') => answerOf(rights, {operation, caller, owner});
	const nothing = await about('ended');
	if (!operation.isNaming) return nothing === undefined ? '' : 'yes';
	let reached = nothing === 'changed' ? letters.ended : '';
	for (const owner of owners) {
		const answer = await about(owner);
		if (answer !== undefined && (answer !== nothing || answer === 'changed'))
			reached += letters[owner];
	}
	return reached;
}

async function lineOf(rights: Rights, operation: Operation): Promise<string> {
	const cells: string[] = [];
	for (const caller of callers) {
		const reached = await whose(rights, operation, caller);
		cells.push((reached === '' ? '-' : reached).padEnd(widthOf(caller)));
	}
	const {method, path} = operation.endpoint;
	return `${`${method} ${path}`.padEnd(WIDTH)}  ${cells.join('  ')}`.trimEnd();
}

test('every call reaches the records of those alone whom the table names', async () => {
	await using rights = await openRights();
	const head = callers.map(caller => caller.padEnd(widthOf(caller))).join('  ');
	const found = [`${'call'.padEnd(WIDTH)}  ${head}`];
	for (const operation of operations) found.push(await lineOf(rights, operation));
	const text = `${found.join('\n')}\n`;
	if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(file, text);
	expect(readFileSync(file, 'utf8'), 'look at it, then UPDATE_DOCS=1 vitest run this').toBe(text);
});

/** Lines of the table: the cells of each caller. */
function rowsOf(text: string) {
	return operations.map(operation => {
		const {method, path} = operation.endpoint;
		const call = `${method} ${path}`.padEnd(WIDTH);
		const line = text.split('\n').find(one => one.startsWith(`${call}  `)) ?? '';
		let at = WIDTH + 2;
		const cells = callers.map(caller => {
			const cell = line.slice(at, at + widthOf(caller)).trim();
			at += widthOf(caller) + 2;
			return [caller, cell] as const;
		});
		return {operation, cells};
	});
}

const rows = rowsOf(readFileSync(file, 'utf8'));

/** Whose records a caller reaches: those of the one account for which it speaks. */
const own: Readonly<Record<Caller, string>> = {
	one: 'o',
	'one, narrow key': 'o',
	'one, instance’s key': 'o',
	'team’s owner': 't',
	'team’s manager': 't',
	'team’s people role': 't',
	'team’s member': 't',
	'empty team’s owner': '',
	parent: 'p',
	child: 'c',
	stranger: 's',
	operator: '',
	relay: '',
	closed: '',
	'closed, key of the team': '',
	'no key': '',
};

/** Calls that are about others: credit is given to anybody, and room of anybody can be rented. Who pays signs. */
const aboutOthers: ReadonlySet<string> = new Set([
	'account.transfer',
	'payments.receive',
	'volumes.create',
]);

/** Calls about what is gone: whoever rented a machine reports it. */
const ofEnded: ReadonlySet<string> = new Set(['machines.report']);

/** Calls by which a parent reads what its subaccounts have. */
const ofSubaccounts: ReadonlySet<string> = new Set([
	'account.addresses',
	'billing.userInvoices',
	'machines.earnings',
	'notifications.preferences',
]);

/** Callers who have no key for a call: relays and operators have calls of their own. */
function isShutOut(caller: Caller, permission: Endpoint['permission']): boolean {
	if (permission === undefined) return false;
	if (permission === 'operator' || permission === 'relay') return caller !== permission;
	return caller === 'relay' || caller.startsWith('closed');
}

test.each(rows)('nobody reaches what is another’s: $operation.name', ({operation, cells}) => {
	const {name, isNaming, endpoint} = operation;
	for (const [caller, cell] of cells) {
		if (isShutOut(caller, endpoint.permission)) expect([caller, cell]).toEqual([caller, '-']);
		else if (endpoint.permission === 'operator' || endpoint.permission === 'relay') continue;
		else if (isNaming && !aboutOthers.has(name)) {
			const child = caller === 'parent' && ofSubaccounts.has(name) ? 'c' : '';
			const ended = ofEnded.has(name) ? letters.ended : '';
			const allowed = `-${own[caller]}${child}${ended}`;
			const beyond = cell.split('').filter(letter => !allowed.includes(letter));
			expect([caller, beyond]).toEqual([caller, []]);
		}
	}
});

test('every other call is made by somebody in the table', () => {
	const idle = rows.filter(({cells}) => cells.every(([, cell]) => cell === '-'));
	expect(idle.map(({operation: {name}}) => name)).toEqual([...unreached]);
});
