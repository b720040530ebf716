/** Which templates an account can make instances from. */
import type {TemplateContent} from '../../contract/template-content.ts';
import {contentOf} from './template-hash.ts';

type Snapshot = {
	readonly content: string;
	readonly creatorId: number;
	readonly isPublic: boolean;
};

/**
 * What a hash names, for an account; undefined where that is none of its business. What somebody
 * else said in private stays private when the template is made public later.
 */
export function usableContent(
	{content, creatorId, isPublic}: Snapshot,
	accountId: number,
): TemplateContent | undefined {
	const said = contentOf(content);
	if (creatorId === accountId || (isPublic && !said.private)) return said;
	return undefined;
}
