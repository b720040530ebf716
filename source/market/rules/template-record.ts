/** Template record for callers, made from a template's row. */
import {tagOf, type TemplateContent} from '../../contract/template-content.ts';
import type {Template} from '../../contract/templates.ts';
import type {TemplateKeys, TemplateRow} from '../store/schema.ts';
import {contentOf, hashedText} from './template-hash.ts';

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

/** The fields by which clients tell templates apart: always there, whatever a search asks for. */
const always: readonly string[] = ['id', 'hash_id', 'name'];

/** A template as its readers see it, with the named fields or all. Its password is not among them. */
export function templateRecord(row: TemplateRow, columns?: readonly string[]): Template {
	const {docker_login_pass: _, ...said} = contentOf(row.content);
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
