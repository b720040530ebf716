import {expect, test} from 'vitest';
import {
	BOUNDABLE,
	printIsolation,
	readIsolation,
} from '../../../source/contract/rules/isolation.ts';
import {machineFacts} from '../../../source/contract/nouns/hosts.ts';

test.each([
	['container', {how: 'container', lacking: [], sharesNetwork: false}],
	['sandbox, no limit of disk', {how: 'sandbox', lacking: ['disk'], sharesNetwork: false}],
	[
		'sandbox, shared network, no limit of memory and processes',
		{how: 'sandbox', lacking: ['memory', 'processes'], sharesNetwork: true},
	],
	['none: shares the machine', {how: 'none', lacking: BOUNDABLE, sharesNetwork: true}],
] as const)('%j is read and written', (text, isolation) => {
	expect(readIsolation(text)).toEqual(isolation);
	expect(printIsolation(isolation)).toBe(text);
});

test.each([
	'',
	'Container',
	'container, ',
	'container\u001b[2J',
	'sandbox, no limit of disk and memory',
])('%j of a host is no known isolation, and refused', text => {
	expect(readIsolation(text)).toBeUndefined();
	const facts = {num_gpus: 0, gpu_name: 'none', isolation: text};
	expect(machineFacts.safeParse(facts).success).toBe(false);
});
