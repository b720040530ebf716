/** Candidates for completing a command line. */
import type {Command, Named} from './command.ts';
import {optionsOf} from './command-line.ts';
import type {Program} from './programs.ts';

export type Candidate = {readonly text: string; readonly about: string};

/** Completions: known candidates, or the kind of names to look up. */
export type Found =
	| {readonly kind: 'candidates'; readonly candidates: readonly Candidate[]}
	| {readonly kind: 'names'; readonly of: Named}
	| {readonly kind: 'templates'};

const nothing: Found = {kind: 'candidates', candidates: []};

/** `words` are those behind `rentty`; the last is the one at the cursor, and may be empty. */
export function candidatesFor(
	words: readonly string[],
	commands: readonly Command[],
	programs: readonly Program[],
): Found {
	const [name = '', ...rest] = words;
	const current = words.at(-1) ?? '';
	if (words.length <= 1) {
		const all = [...commands, ...programs];
		return known(
			current,
			all.map(({name: text, summary}) => ({text, about: summary})),
		);
	}
	const command = commands.find(one => one.name === name);
	return command === undefined || rest.slice(0, -1).includes('--')
		? nothing
		: inCommand(command, rest.at(-2) ?? '', current);
}

function inCommand(command: Command, before: string, current: string): Found {
	const options = Object.entries(optionsOf(command));
	const [asked, option] = options.find(([flag]) => before === `--${flag}`) ?? [];
	if (option?.value !== undefined) {
		if (asked === 'template') return {kind: 'templates'};
		return known(
			current,
			(option.oneOf ?? []).map(text => ({text, about: ''})),
		);
	}
	if (current.startsWith('-')) {
		return known(
			current,
			options.map(([flag, {about}]) => ({text: `--${flag}`, about})),
		);
	}
	return command.names === undefined ? nothing : {kind: 'names', of: command.names};
}

function known(current: string, all: readonly Candidate[]): Found {
	return {kind: 'candidates', candidates: startingWith(current, all)};
}

export function startingWith(start: string, all: readonly Candidate[]): readonly Candidate[] {
	return all.filter(({text}) => text.startsWith(start));
}
