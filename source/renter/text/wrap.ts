import {clustersOf, printable, widthOf} from './text-width.ts';

/** A text as lines of at most a width, broken between words, and within too long ones. */
export function wrapText(text: string, width: number): readonly string[] {
	const room = Math.max(2, width);
	return text.split(/\r\n|\n/).flatMap(paragraph => wrapLine(printable(paragraph), room));
}

function wrapLine(text: string, width: number): readonly string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ').flatMap(part => breakWord(part, width))) {
		const longer = line === '' ? word : `${line} ${word}`;
		if (line !== '' && widthOf(longer) > width) {
			lines.push(line);
			line = word;
		} else {
			line = longer;
		}
	}
	return [...lines, line];
}

function breakWord(word: string, width: number): readonly string[] {
	if (widthOf(word) <= width) return [word];
	const parts: string[] = [];
	let part = '';
	for (const cluster of clustersOf(word)) {
		if (widthOf(part + cluster) > width) {
			parts.push(part);
			part = '';
		}
		part += cluster;
	}
	return [...parts, part];
}
