/** Template record for callers, made from a template's row. */
import {tagOf, type TemplateContent, contentNames} from '../../contract/nouns/template-content.ts';
import type {Template} from '../../contract/nouns/templates.ts';
import type {TemplateKeys, TemplateRow} from '../database/schema.ts';
import {isRecord} from '../../contract/grammar/json.ts';

/** Stored form of a template: the text of its hash, and the columns for searches. */
export function templateText(content: TemplateContent, creatorId: number) {
	return {content: hashedText(content, creatorId), keys: keysOf(content)};
}

function keysOf(content: TemplateContent): TemplateKeys {
	const {name, image, tag, docker_login_repo, recommended_disk_space} = content;
	return {
		name,
		image,
		tag,
		default_tag: tagOf(image) ?? tag,
		docker_login_repo,
		recommended_disk_space,
		jup_direct: content.jup_direct ? 1 : 0,
		ssh_direct: content.ssh_direct ? 1 : 0,
		use_ssh: content.use_ssh ? 1 : 0,
		private: content.private ? 1 : 0,
	};
}

/** Fields in every record, by which clients identify templates. */
const always: readonly string[] = ['id', 'hash_id', 'name'];

/** Record of a template with the named fields or all, without its password. */
export function templateRecord(row: TemplateRow, columns?: readonly string[]): Template {
	const {docker_login_pass: _, ...said} = readCanonicalContent(row.content);
	const {id, hash_id, creator_id, default_tag, created_at, count_created, recent_create_date} = row;
	const record = {
		id,
		hash_id,
		creator_id,
		...said,
		jupyter_dir: said.jupyter_dir === '' ? null : said.jupyter_dir,
		default_tag,
		recommended: row.recommended === 1,
		created_at,
		count_created,
		recent_create_date,
	};
	if (columns === undefined) return record;
	const names = new Set([...always, ...columns]);
	return {
		...Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name))),
		hash_id,
	};
}

/** Canonical text of a content: keys sorted at every level, no spaces. */
export function hashedText(content: TemplateContent, creatorId: number): string {
	const said = contentNames.map(name => [name, content[name]]);
	return JSON.stringify(sorted({...Object.fromEntries(said), creator_id: creatorId}));
}

export function readCanonicalContent(text: string): TemplateContent {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `hashedText` wrote it
	const {creator_id: _, ...content} = JSON.parse(text) as TemplateContent & {creator_id: number};
	return content;
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isRecord(value)) return value;
	const names = Object.keys(value).toSorted();
	return Object.fromEntries(names.map(name => [name, sorted(value[name])]));
}

type Snapshot = {
	readonly content: string;
	readonly creatorId: number;
	readonly isPublic: boolean;
};

/**
 * Template content that an account may use by its hash; undefined without access. A private
 * version stays private when the template is made public later.
 */
export function usableContent(
	{content, creatorId, isPublic}: Snapshot,
	accountId: number,
): TemplateContent | undefined {
	const said = readCanonicalContent(content);
	if (creatorId === accountId || (isPublic && !said.private)) return said;
	return undefined;
}
