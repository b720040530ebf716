import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {contract} from '../source/contract/index.ts';
import {isRecord} from '../source/contract/grammar/json.ts';
import {openApi} from '../source/contract/openapi.ts';

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'services.md'), 'utf8');

/** The part of a document that a row of names leads to. */
function within(value: unknown, ...names: readonly string[]): unknown {
	return names.reduce((part, name) => (isRecord(part) ? part[name] : undefined), value);
}

test('docs/services.md says of every field of an instance what is done with it', () => {
	const content = ['responses', '200', 'content', 'application/json', 'schema'];
	const list = within(openApi(contract), 'paths', '/api/v0/instances/', 'get', ...content);
	const fields = within(list, 'properties', 'instances', 'items', 'properties');
	const names = isRecord(fields) ? Object.keys(fields) : [];
	expect(names.length).toBeGreaterThan(80);
	expect(names.filter(name => !page.includes(`\`${name}\``))).toEqual([]);
});
