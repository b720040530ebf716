import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {matches} from '../../../source/contract/grammar/filter-match.ts';
import {compareRows} from '../../helpers/market/compare-rows.ts';
import {
	isFieldOf,
	operators,
	type Condition,
	type FieldType,
	type Scalar,
} from '../../../source/contract/grammar/filter.ts';
import {completeTemplate} from '../../../source/contract/nouns/template-content.ts';
import {
	searchableTemplates,
	type TemplateField,
	type TemplateSearch,
} from '../../../source/contract/nouns/template-search.ts';
import type {Template} from '../../../source/contract/nouns/templates.ts';
import {
	visibleTemplateQuery,
	insertTemplate,
	findTemplates,
} from '../../../source/market/templates/store.ts';
import {templateRecord, templateText} from '../../../source/market/templates/record-rules.ts';
import {openDatabase} from '../../helpers/market/postgres.ts';
import {least, runs} from '../../helpers/property.ts';

const [ME, OTHER] = [1, 2];
const everything: TemplateSearch = {filter: [], order: [], columns: undefined};

function valueOf(template: Template, field: string): Scalar {
	const value = template[field] ?? null;
	return isScalar(value) ? value : expect.fail(`${field} is not a single value`);
}

function isScalar(value: unknown): value is Scalar {
	return value === null || ['number', 'string', 'boolean'].includes(typeof value);
}

const texts = [
	'',
	'a',
	'A',
	'Ä',
	'ä',
	'\u{1f600}',
	'\ufffd',
	'\ue000',
	'%',
	"'",
	'a_b',
	'a b',
	'\u0001',
];
const text = fc.constantFrom(...texts);
const number = fc.constantFrom(0, 0.5, 1, 8, 100);

const template = fc.record({
	content: fc.record({
		name: text,
		image: fc.oneof(text, fc.constantFrom('a/b:1', 'host:5000/a')),
		tag: text,
		docker_login_repo: text,
		jup_direct: fc.boolean(),
		ssh_direct: fc.boolean(),
		use_ssh: fc.boolean(),
		private: fc.boolean(),
		recommended_disk_space: number,
		desc: fc.nat(1000).map(String),
	}),
	creatorId: fc.constantFrom(ME, OTHER, 0),
	recommended: fc.constantFrom(0 as const, 1 as const),
	now: number,
	uses: fc.record({count_created: fc.nat(2), recent_create_date: fc.option(number)}),
});

const literals: Readonly<Record<FieldType, fc.Arbitrary<Scalar>>> = {
	number,
	boolean: fc.boolean(),
	text,
	name: text,
	version: number,
	place: text,
	flag: fc.nat(1),
	numbers: fc.nat(7),
};

const fields = Object.keys(searchableTemplates.fields).filter(name =>
	isFieldOf(searchableTemplates.fields, name),
);
const condition = fc.constantFrom(...fields).chain(field =>
	fc.record({
		field: fc.constant(field),
		operator: fc.constantFrom(...operators),
		wanted: fc.array(
			fc.oneof(
				fc.nat(),
				fc.record({literal: fc.option(literals[searchableTemplates.fields[field]])}),
			),
			{maxLength: 4},
		),
	}),
);
type Wanted = typeof condition extends fc.Arbitrary<infer Value> ? Value : never;

/** A condition whose values are of some template, by its place among them, or what comes to mind. */
function conditionOf(
	{field, operator, wanted}: Wanted,
	served: readonly Template[],
): Condition<TemplateField> {
	const values = wanted.map(want => {
		if (typeof want !== 'number') return want.literal;
		const chosen = served[want % Math.max(served.length, 1)];
		return chosen === undefined ? null : valueOf(chosen, field);
	});
	return operator === 'in' || operator === 'notin'
		? {field, operator, value: values}
		: {field, operator, value: values[0] ?? null};
}

const order = fc.array(fc.tuple(fc.constantFrom(...fields), fc.constantFrom('asc', 'desc')), {
	maxLength: 3,
});

async function openTemplates(
	list: ReadonlyArray<typeof template extends fc.Arbitrary<infer Value> ? Value : never>,
) {
	const database = await openDatabase(':memory:');
	for (const {content, creatorId, uses, ...rest} of list) {
		const kept = templateText(completeTemplate(content), creatorId);
		const {row} = await insertTemplate(database, {...kept, creatorId, ...rest});
		await database.updateTable('templates').set(uses).where('id', '=', row.id).execute();
	}
	return {
		find: async (search: TemplateSearch) => {
			const rows = await findTemplates(database, visibleTemplateQuery(search, ME), 1000);
			return rows.map(row => templateRecord(row));
		},
		[Symbol.asyncDispose]: async () => database.destroy(),
	};
}

test('a search in the database finds what it finds in memory, in the same order', async () => {
	const seen = {empty: 0, full: 0, some: 0};
	await fc.assert(
		fc.asyncProperty(
			fc.array(template, {minLength: 1, maxLength: 15}),
			fc.array(condition, {maxLength: 3}),
			order,
			async (list, conditions, wantedOrder) => {
				await using market = await openTemplates(list);
				const served = await market.find(everything);
				const filter = conditions.map(wanted => conditionOf(wanted, served));
				const found = await market.find({filter, order: wantedOrder, columns: undefined});
				const expected = served
					.filter(one => matches(searchableTemplates, filter, one, valueOf))
					.toSorted(compareRows(searchableTemplates, [...wantedOrder, ['id', 'asc']], valueOf));
				expect(found).toEqual(expected);
				const [none, all] = [found.length === 0, found.length === served.length];
				seen[none ? 'empty' : all ? 'full' : 'some']++;
			},
		),
		{numRuns: runs(300)},
	);
	expect(seen.some).toBeGreaterThanOrEqual(least(20));
});

test('an account finds its own, and what is public or recommended', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(template, {maxLength: 10}), async drawn => {
			const list = drawn.map((one, index) => ({
				...one,
				content: {...one.content, desc: String(index)},
			}));
			await using market = await openTemplates(list);
			const expected = list.filter(
				({creatorId, content, recommended}) =>
					creatorId === ME || !content.private || recommended === 1,
			);
			const served = await market.find(everything);
			expect(served.map(({desc}) => desc)).toEqual(expected.map(({content}) => content.desc));
		}),
		{numRuns: runs(100)},
	);
});
