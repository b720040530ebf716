/** The values of a line of words, as they are written. */
import {readBoolean, readVersion} from '../../contract/grammar/filter.ts';
import {refuse, type Value, type WordField} from './clauses.ts';
import {matchGpus, type KnownGpu} from './gpu-match.ts';
import {readPlace, regionNames} from './places.ts';
import {readAmount} from './amounts.ts';

/** One value of a list. What stands in quotes is meant letter by letter. */
export type Item = {readonly text: string; readonly isQuoted: boolean};

const piece = /"[^"]*"?|'[^']*'?|,|[^"',]+/g;

/** The values between commas, without brackets and quotes. */
export function splitItems(written: string): readonly Item[] {
	const isList = written.startsWith('[');
	if (isList && !written.endsWith(']')) refuse('the list has no ] at its end');
	const pieces = (isList ? written.slice(1, -1) : written).match(piece) ?? [];
	const items: Array<{text: string; isQuoted: boolean}> = [{text: '', isQuoted: false}];
	for (const part of pieces) {
		const last = items.at(-1);
		if (part === ',' || last === undefined) {
			items.push({text: '', isQuoted: false});
		} else if (/^["']/.test(part)) {
			last.text = last.text.trimStart() + unquoted(part);
			last.isQuoted = true;
		} else {
			last.text += last.isQuoted ? part.trimEnd() : part;
		}
	}
	return items
		.map(({text, isQuoted}) => ({text: isQuoted ? text : text.trim(), isQuoted}))
		.filter(({text, isQuoted}) => isQuoted || text !== '');
}

function unquoted(part: string): string {
	const quote = part.charAt(0);
	if (part.length < 2 || !part.endsWith(quote)) refuse(`the text has no ${quote} at its end`);
	return part.slice(1, -1);
}

/** Reads a value by the type of its field; a short name of a GPU can mean several. */
export function readItem(
	field: WordField,
	item: Item,
	gpus: readonly KnownGpu[],
): readonly Value[] {
	switch (field.type) {
		case 'number':
		case 'flag':
		case 'numbers':
			return [readAmount(field, item.text)];
		case 'boolean':
			return [readYes(field, item.text)];
		case 'version':
			return [readDriver(field, item.text)];
		case 'place':
			return [readWhere(field, item)];
		case 'name':
			return item.isQuoted ? [notEmpty(field, item.text)] : readGpu(field, item.text, gpus);
		case 'text':
			return [notEmpty(field, item.isQuoted ? item.text : item.text.replaceAll('_', ' '))];
	}
}

function readYes({name}: WordField, text: string): boolean {
	const word = text.toLowerCase();
	const value = word === 'yes' ? true : word === 'no' ? false : readBoolean(word);
	return value ?? refuse(`${name} is yes, no or any, not ${text}`);
}

function readDriver({name}: WordField, text: string): number {
	return readVersion(text) ?? refuse(`${name} takes a version such as 535.86.05, not ${text}`);
}

function readWhere({name}: WordField, {text, isQuoted}: Item): string {
	if (isQuoted) return notEmpty({name}, text);
	const known = regionNames.join(', ').toLowerCase();
	return (
		readPlace(text) ??
		refuse(`${name} takes countries by two letters, such as us,ca, or one of ${known}, not ${text}`)
	);
}

/** A name that nobody knows is asked for as it is: the service may know it. */
function readGpu(field: WordField, text: string, gpus: readonly KnownGpu[]): readonly string[] {
	const meant = matchGpus(gpus, text);
	return meant.length > 0 ? meant : [notEmpty(field, text.replaceAll('_', ' '))];
}

function notEmpty({name}: Pick<WordField, 'name'>, text: string): string {
	return text.trim() === '' ? refuse(`${name} takes a text, not nothing`) : text.toWellFormed();
}
