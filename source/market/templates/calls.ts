import type {Contract} from '../../contract/index.ts';
import {
	checkTemplate,
	TemplateError,
	type TemplateContent,
} from '../../contract/nouns/template-content.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {Refusal} from '../base/refusal.ts';
import {
	visibleTemplateQuery,
	changeTemplate,
	deleteTemplate,
	findOwnTemplate,
	findTemplates,
	insertTemplate,
	type TemplateText,
	countUses,
} from './store.ts';
import {templateRecord, templateText, readCanonicalContent} from './record-rules.ts';
import {writing} from '../database/writing.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['templates'];

/** The most characters of a template: every search returns public ones in full. */
const LONGEST_TEMPLATE = 131_072;

export const search: Handler<Calls['search']> = async (
	{query},
	{database, searchLimit, caller: {accountId}},
) => {
	const rows = await findTemplates(database, visibleTemplateQuery(query, accountId), searchLimit);
	const templates = rows.map(row => templateRecord(row, query.columns));
	return {success: true, templates_found: templates.length, templates};
};

export const create: Handler<Calls['create']> = async (
	{body},
	{database, clock, caller: {accountId}},
) => {
	const text = shortEnough(templateText(body, accountId));
	const now = clock.now();
	await countUses(database);
	const {row, isNew} = await writing(database, async transaction => {
		const template = {...text, creatorId: accountId, recommended: 0, now} as const;
		const added = await insertTemplate(transaction, template);
		await refuseTooMany(transaction, 'template', {accountId, now});
		return added;
	});
	return {
		success: true,
		msg: isNew
			? `Template Created Successfully! New Template ID: ${row.id}`
			: `You have this template already. Template ID: ${row.id}`,
		template: {id: row.id, hash_id: row.hash_id, name: row.name},
	};
};

export const edit: Handler<Calls['edit']> = async ({body}, {database, caller: {accountId}}) => {
	const row = await findOwnTemplate(database, {creatorId: accountId, hash: body.hash});
	if (row === undefined) throw unknownTemplate();
	const content = checked({...readCanonicalContent(row.content), ...body.changes});
	const text = shortEnough(templateText(content, accountId));
	const outcome =
		text.content === row.content ? {hash: row.hash_id} : await changeTemplate(database, row, text);
	if (outcome === 'gone') throw unknownTemplate();
	if ('sameAs' in outcome) {
		throw new Refusal('badArguments', `Your template ${outcome.sameAs} says exactly this already.`);
	}
	return {
		success: true,
		msg: `Template ${row.id} was changed. Its hash is ${outcome.hash}`,
		template: {id: row.id, hash_id: outcome.hash, name: content.name},
	};
};

const remove: Handler<Calls['delete']> = async ({body}, {database, clock, caller: {accountId}}) => {
	const id = await deleteTemplate(database, {creatorId: accountId, ...body}, clock.now());
	if (id === undefined) throw unknownTemplate();
	return {success: true, msg: `Template ${id} was deleted.`};
};

export {remove as delete};

function checked(content: TemplateContent): TemplateContent {
	try {
		return checkTemplate(content);
	} catch (error) {
		if (!(error instanceof TemplateError)) throw error;
		throw new Refusal('badArguments', error.message, {cause: error});
	}
}

function shortEnough(text: TemplateText): TemplateText {
	if (text.content.length <= LONGEST_TEMPLATE) return text;
	throw new Refusal(
		'badArguments',
		`A template has at most ${LONGEST_TEMPLATE} characters in all.`,
	);
}

function unknownTemplate(): Refusal {
	return new Refusal('noSuchTemplate', 'You have no such template.');
}
