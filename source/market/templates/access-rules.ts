/** Templates that an account can make instances from. */
import type {TemplateContent} from '../../contract/nouns/template-content.ts';
import {contentOf} from './record-rules.ts';

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
	const said = contentOf(content);
	if (creatorId === accountId || (isPublic && !said.private)) return said;
	return undefined;
}
