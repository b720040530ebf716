/** Completions of the word being typed: field names. */
import {searchableTemplates} from '../../../contract/template-search.ts';
import {insertText, type LineEdit} from '../../components/line-edit.ts';

/** A name, before anything was typed behind it. */
const beginning = /(?:^|\s)!?([a-z_]*)$/;

/** The fields that begin like the word before the cursor; none behind an operator. */
function fieldsAt({text, cursor}: LineEdit): readonly string[] {
	const typed = beginning.exec(text.slice(0, cursor))?.[1];
	if (typed === undefined) return [];
	const names = ['mine', ...Object.keys(searchableTemplates.fields)];
	return names.filter(name => name.startsWith(typed) && name !== typed);
}

/** Help for the next word. */
export function filterHelp(line: LineEdit): string {
	const fields = fieldsAt(line);
	if (fields.length === 0) return 'then = != < <= > >= in notin; a,b is a list; !field is no';
	return `fields (Tab): ${fields.join(' ')}`;
}

/** As much of a field's name as all that begin like it have in common. */
export function completeField(line: LineEdit): LineEdit {
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
