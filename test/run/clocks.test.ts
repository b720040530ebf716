import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseSync} from 'rolldown/utils';
import {expect, test} from 'vitest';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {measured, patternsOf} from './suites.ts';

const root = join(import.meta.dirname, '..', '..');

/** Expectations of a moment, and why no machine is too slow for them. */
const reasons: Readonly<Record<string, string>> = {
	'test/host/base/scheduler.test.ts': 'a clock that was set to another hour',
	'test/renter/health/examination.test.ts': 'the hour of a clock',
};

test('no test expects anything of a clock or of processor time, but those that say why', () => {
	const files = globSync(['test/**/*.test.ts', 'test/**/*.test.tsx'], {
		cwd: root,
		exclude: patternsOf(measured),
	});
	const found = files.filter(file => isTimed(readFileSync(join(root, file), 'utf8')));
	expect(found.toSorted()).toEqual(Object.keys(reasons));
});

test.each([
	['expect(performance.now() - before).toBeLessThan(10)', true],
	['const took = performance.now() - before; expect(took).toBe(1)', true],
	['const {user} = process.cpuUsage(); expect(user / 2).toBe(1)', true],
	['const work = () => { return process.hrtime()[0]; }; expect(await work()).toBe(1)', true],
	['let ms = 0; ms += Date.now() - before; expect(ms).toBe(1)', true],
	['const market = open({now: Date.now()}); expect(market.offers).toBe(1)', false],
	['while (performance.now() < end) await look(); expect(seen).toBe(1)', false],
])('%s reads a clock: %s', (text, isRead) => expect(isTimed(text)).toBe(isRead));

const CLOCK = /^(performance|Date|process)\.(now|hrtime|cpuUsage|threadCpuUsage)$/;

type Node = {readonly type: string; readonly [field: string]: unknown};

/** Whether something that is expected in a text is computed from a clock. */
function isTimed(text: string): boolean {
	const all = nodesIn(parseSync('any.test.tsx', text).program);
	const values = all.flatMap(valuesOf);
	const timed = new Set<unknown>();
	for (let known = -1; known < timed.size;) {
		known = timed.size;
		for (const [names, value] of values) {
			if (readsClock(value, timed)) for (const name of names) timed.add(name);
		}
	}
	return all.some(
		node =>
			isCallOf(node, 'expect') && listOf(node['arguments']).some(part => readsClock(part, timed)),
	);
}

/** Names that a node gives a value, each with what it is computed from. */
function valuesOf(node: Node): ReadonlyArray<readonly [names: readonly unknown[], value: unknown]> {
	switch (node.type) {
		case 'VariableDeclarator':
			return [[namesIn(node['id']), node['init']]];
		case 'AssignmentExpression':
			return [[namesIn(node['left']), node['right']]];
		case 'FunctionDeclaration':
			return [[namesIn(node['id']), node]];
		default:
			return [];
	}
}

/** Parts of a node that its value is computed from. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
	ArrowFunctionExpression: ['body'],
	AwaitExpression: ['argument'],
	BinaryExpression: ['left', 'right'],
	ConditionalExpression: ['consequent', 'alternate'],
	FunctionDeclaration: ['body'],
	FunctionExpression: ['body'],
	LogicalExpression: ['left', 'right'],
	MemberExpression: ['object'],
	ParenthesizedExpression: ['expression'],
	ReturnStatement: ['argument'],
	UnaryExpression: ['argument'],
};

function partsOf(node: Node): readonly unknown[] {
	if (node.type === 'BlockStatement') {
		return nodesIn(node).filter(({type}) => type === 'ReturnStatement');
	}
	if (node.type === 'CallExpression') {
		const isMath = pathOf(node['callee']).startsWith('Math.');
		return [node['callee'], ...(isMath ? listOf(node['arguments']) : [])];
	}
	return (PARTS[node.type] ?? []).map(part => node[part]);
}

/** True for what is computed from a clock, not for what is merely given one. */
function readsClock(value: unknown, timed: ReadonlySet<unknown>): boolean {
	if (!isNode(value)) return false;
	if (value.type === 'Identifier') return timed.has(value['name']);
	return CLOCK.test(pathOf(value)) || partsOf(value).some(part => readsClock(part, timed));
}

function isNode(value: unknown): value is Node {
	return isRecord(value) && typeof value['type'] === 'string';
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** A node and all in it. */
function nodesIn(value: unknown): readonly Node[] {
	if (typeof value !== 'object' || value === null) return [];
	const inside = Object.values(value).flatMap(nodesIn);
	return isNode(value) ? [value, ...inside] : inside;
}

function namesIn(pattern: unknown): readonly unknown[] {
	return nodesIn(pattern)
		.filter(({type}) => type === 'Identifier')
		.map(({name}) => name);
}

/** `a.b` of a member. */
function pathOf(node: unknown): string {
	if (!isNode(node)) return '';
	if (node.type === 'Identifier') return String(node['name']);
	return node.type === 'MemberExpression'
		? `${pathOf(node['object'])}.${pathOf(node['property'])}`
		: '';
}

function isCallOf({type, callee}: Node, name: string): boolean {
	return type === 'CallExpression' && pathOf(callee) === name;
}
