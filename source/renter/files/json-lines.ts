/** Positions in JSON texts, for errors in files written by hand. */
import {messageOf} from '../../contract/rules/thrown.ts';

type Path = ReadonlyArray<string | number>;

/** The line of a name, or of an entry of a list; else of the nearest existing parent. */
export function lineOfPath(text: string, path: Path): number {
	const wanted = path.map(part => JSON.stringify(part));
	let depth = 0;
	let position = 0;
	for (const entry of entriesIn(text)) {
		const shared =
			entry.path.length <= wanted.length && entry.path.every((part, at) => part === wanted[at]);
		if (!shared || entry.path.length < depth) continue;
		depth = entry.path.length;
		({position} = entry);
	}
	return lineAt(text, position);
}

export function lineOfSyntaxError(text: string, error: unknown): number {
	const message = messageOf(error);
	const position = /position (\d+)/.exec(message)?.[1];
	return lineAt(text, position === undefined ? text.length : Number(position));
}

function lineAt(text: string, position: number): number {
	return text.slice(0, position).split('\n').length;
}

type Entry = {readonly path: readonly string[]; readonly position: number};

function* entriesIn(text: string): Generator<Entry> {
	// Open objects with their current name, and open lists with their current index.
	const open: Open[] = [];
	let isAwaited = false;
	for (const {0: token, index: position} of text.matchAll(tokens)) {
		const last = open.at(-1);
		const isHere = isAwaited && last !== undefined && !'}]'.includes(token);
		if (isHere) {
			last.part = last.isList ? String(Number(last.part) + 1) : token;
			yield {path: open.map(({part}) => part), position};
		}
		isAwaited = ',{['.includes(token);
		// An object key is never structure, whatever it contains.
		if (isHere && !last.isList) isAwaited = false;
		else if ('{['.includes(token)) open.push({isList: token === '[', part: '-1'});
		else if ('}]'.includes(token)) open.pop();
	}
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

type Open = {readonly isList: boolean; part: string};
