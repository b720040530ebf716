import type {Template} from '../../../contract/nouns/templates.ts';
import {type Column, leastColumn, mostColumn, textColumn} from '../../list/columns.ts';
import {count, duration, wholeGigabytes, known, MISSING} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {
	fullImage,
	launch,
	shortHash,
	templateOriginOf,
	idOf,
} from '../../../renter/templates/templates.ts';
import type {Condition} from '../../../contract/grammar/filter.ts';
import {
	searchableTemplates,
	type TemplateField,
	type TemplateSearch,
} from '../../../contract/nouns/template-search.ts';
import {createList, type List} from '../../list/list.ts';
import {keptByStackEntry} from '../../services/router.ts';
import {createStore} from '../../../renter/state/store.ts';
import {parseConditions} from '../../../renter/templates/filter-conditions.ts';
import {insertText, type LineEdit} from '../../ui/line-edit.ts';

/** Facts that the columns need beside the template: the user, and the time. */
type Onlooker = {readonly me: number | undefined; readonly now: Date};

const shown = known(printable);

/** Ordered without regard to capitals. */
function wordColumn(
	sketch: Parameters<typeof textColumn>[0],
	cell: (template: Template) => string,
): Column<Template> {
	return {
		...textColumn(sketch, (template: Template) => cell(template).toLowerCase(), String),
		cell,
	};
}

const created = ({recent_create_date: at}: Template) => at;

export function templateColumns({me, now}: Onlooker): ReadonlyArray<Column<Template>> {
	return [
		wordColumn(['name', 'NAME', 19, 0], ({name}) => shown(name)),
		wordColumn(['image', 'IMAGE', 19, 2], template => printable(fullImage(template))),
		wordColumn(['run', 'OPENS', 7, 3], opens),
		leastColumn(
			['recommended_disk_space', 'DISK', 4, 4],
			template => template.recommended_disk_space,
			wholeGigabytes,
		),
		wordColumn(['from', 'FROM', 6, 1], template => templateOriginOf(template, me)),
		mostColumn(['count_created', 'USES', 5, 6], template => template.count_created, count),
		{
			...mostColumn(['recent_create_date', 'LAST', 4, 5], created, String),
			cell: template => lastUsed(template, now),
		},
		wordColumn(['hash_id', 'HASH', 6, 7], ({hash_id: hash}) => printable(shortHash(hash))),
	];
}

/** Way into instances of a template: "Jupyter", "SSH", or its image's own program. */
function opens(template: Template): string {
	const short = launch(template);
	if (short.startsWith('jup')) return 'Jupyter';
	return short.startsWith('ssh') ? 'SSH' : printable(short);
}

/** Age of the last instance made from the template; "-" without one. */
export function lastUsed({recent_create_date: at}: Template, now: Date): string {
	if (at === null || at === undefined || at === 0) return MISSING;
	return duration(now.getTime() / 1000 - at);
}

/** A name, before anything was typed behind it. */
const beginning = /(?:^|\s)!?([a-z_]*)$/;

/** The fields that begin like the word before the cursor; none behind an operator. */
function fieldsAt({text, cursor}: LineEdit): readonly string[] {
	const typed = beginning.exec(text.slice(0, cursor))?.[1];
	if (typed === undefined) return [];
	const names = ['mine', ...Object.keys(searchableTemplates.fields)];
	return names.filter(name => name.startsWith(typed) && name !== typed);
}

export function filterHelp(line: LineEdit): string {
	const fields = fieldsAt(line);
	if (fields.length === 0) return 'then = != < <= > >= in notin; a,b is a list; !field is no';
	return `fields (Tab): ${fields.join(' ')}`;
}

/** Completes a field's name as far as all candidates agree. */
function completeField(line: LineEdit): LineEdit {
	const [first = '', ...others] = fieldsAt(line);
	const typed = beginning.exec(line.text.slice(0, line.cursor))?.[1] ?? '';
	const common = others.reduce(commonBeginning, first);
	return insertText(line, common.slice(typed.length));
}

function commonBeginning(one: string, other: string): string {
	let length = 0;
	while (length < one.length && one[length] === other[length]) length++;
	return one.slice(0, length);
}

/** A list of templates, whose filter works in the service and on the texts of its answer. */
export function createTemplateList(): List<Template> {
	const columns = templateColumns({me: undefined, now: new Date(0)});
	return createList(columns, idOf, {completed: completeField});
}

export const templateListAt = keptByStackEntry(createTemplateList);

/** The hash of a template that was just saved: the cursor goes there once it is listed. */
export const savedTemplateAt = keptByStackEntry(() => createStore<string | undefined>(undefined));

export type TemplateListQuery = {
	readonly search: Partial<TemplateSearch>;
	/** Words that are searched in the answer, as the service cannot. */
	readonly texts: readonly string[];
	readonly problem: string | undefined;
};

const usualOrder: TemplateSearch['order'] = [['recent_create_date', 'desc']];

/** Search of a line of words. `mine` are the user's own. */
export function parseTemplateFilter(words: string, me: number | undefined): TemplateListQuery {
	const {filter, texts, problem} = parseConditions(searchableTemplates.fields, words);
	const isMine = texts.includes('mine') && me !== undefined;
	const own: ReadonlyArray<Condition<TemplateField>> = isMine
		? [{field: 'creator_id', operator: 'eq', value: me}]
		: [];
	return {
		search: {filter: [...filter, ...own], order: usualOrder},
		texts: texts.filter(text => text !== 'mine'),
		problem,
	};
}
