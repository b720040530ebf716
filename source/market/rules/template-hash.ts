/** Text that a template's hash is made from: its maker, and all of its content. */
import {isRecord} from '../../contract/json.ts';
import {contentNames, type TemplateContent} from '../../contract/template-content.ts';

/** One text for one content: keys sorted at every level, no spaces. */
export function hashedText(content: TemplateContent, creatorId: number): string {
	const said = contentNames.map(name => [name, content[name]]);
	return JSON.stringify(sorted({...Object.fromEntries(said), creator_id: creatorId}));
}

/** The content that such a text was made from. */
export function contentOf(text: string): TemplateContent {
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
