/**
 * `rentty completions`: scripts by which shells complete the words of rentty; `rentty complete`: the
 * candidates at each Tab.
 */
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {UsageError} from '../renter/text/usage-error.ts';
import {type Command, type NameKind, type Context, optionsOf} from './base/command.ts';
import {exitCodes} from './base/failure.ts';
import {isRecord} from '../contract/grammar/json.ts';
import {shownLabel} from '../renter/words/lease.ts';
import {replaceFile} from '../client/files/files.ts';
import {isHarmless} from '../contract/grammar/harmless-text.ts';
import {knownGpus} from '../renter/words/gpu-match.ts';
import {completeLine} from '../renter/words/complete.ts';
import {lexicon} from '../renter/offers/words/fields.ts';
import {findOpen} from './service.ts';

/** Every script runs `rentty complete` with the words so far, of which the last is the one at the cursor. */
export const completionScripts = {
	bash: `_rentty() {
	local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
	local IFS=$'\\n'
	COMPREPLY=($(rentty complete -- "\${words[@]}" 2>/dev/null | cut -f 1))
	COMPREPLY=($(compgen -W "\${COMPREPLY[*]}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _rentty rentty
`,
	zsh: `#compdef rentty
_rentty() {
	local -a found
	local line
	for line in "\${(@f)$(rentty complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
		[[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
	done
	if (( $#found )); then _describe rentty found; else _files; fi
}
if [[ $funcstack[1] == _rentty ]]; then _rentty "$@"; else compdef _rentty rentty; fi
`,
	fish: `function __rentty
	set -l words (commandline -opc) (commandline -ct)
	rentty complete -- $words[2..-1] 2>/dev/null
end
complete -c rentty -a '(__rentty)'
`,
} as const;

export const completions: Command = {
	name: 'completions',
	summary: 'print what bash, zsh or fish need to complete words',
	takes: 'bash|zsh|fish',
	names: 'shells',
	isAlone: true,
	about: [
		'Prints a script that completes commands, options, and the numbers and labels of what is rented:',
		'bash: source <(rentty completions bash) in ~/.bashrc; zsh: the same in ~/.zshrc, after compinit;',
		'fish: rentty completions fish > ~/.config/fish/completions/rentty.fish',
	],
	options: {},
	async run({words: [shell, ...others], output}) {
		const scripts: Readonly<Record<string, string>> = completionScripts;
		const script = others.length === 0 ? scripts[shell ?? ''] : undefined;
		if (script === undefined) {
			throw new UsageError('rentty completions takes bash, zsh or fish.');
		}
		output.text(script.trimEnd());
		return exitCodes.fine;
	},
};

type Program = {readonly name: string; readonly summary: string};

/** Programs that run until they are ended, and parse their words themselves. */
export const programs: readonly Program[] = [
	{name: 'market', summary: 'run the marketplace service by itself'},
	{name: 'host', summary: 'offer this machine on a market'},
	{name: 'relay', summary: 'lead renters to machines that cannot be reached'},
];

type Candidate = {readonly text: string; readonly about: string};

export function complete(commands: readonly Command[]): Command {
	return {
		name: 'complete',
		summary: 'answer a shell',
		takes: '-- WORDS…',
		about: [],
		options: {},
		async run(context) {
			const {words, output} = context;
			const found = await candidatesOf(context, commands).catch(() => []);
			const current = words.at(-1) ?? '';
			for (const {text, about} of startingWith(current, found)) {
				// A name with characters that mean something to a shell is not offered.
				if (/^[^\s'"`$\\;&|<>()*?![\]{}#~]+$/.test(text) && isHarmless(text)) {
					output.line(text, about);
				}
			}
			return exitCodes.fine;
		},
	};
}

async function candidatesOf(
	context: Context,
	commands: readonly Command[],
): Promise<readonly Candidate[]> {
	const {words} = context;
	const found = candidatesFor(words, commands);
	switch (found.kind) {
		case 'candidates':
			return found.candidates;
		case 'templates':
			return namesOf(context, 'templates');
		case 'names':
			switch (found.of) {
				case 'instances':
					return namesOf(context, 'instances');
				case 'searches':
					return searchWords(words.at(-1) ?? '');
				case 'shells':
					return ['bash', 'zsh', 'fish'].map(text => ({text, about: ''}));
				case 'files':
					return [];
			}
	}
}

/** Completions: known candidates, or the kind of names to look up. */
type Found =
	| {readonly kind: 'candidates'; readonly candidates: readonly Candidate[]}
	| {readonly kind: 'names'; readonly of: NameKind}
	| {readonly kind: 'templates'};

const nothing: Found = {kind: 'candidates', candidates: []};

/** `words` follow `rentty`; the last is the one at the cursor, and may be empty. */
export function candidatesFor(words: readonly string[], commands: readonly Command[]): Found {
	const [name = '', ...rest] = words;
	const current = words.at(-1) ?? '';
	if (words.length <= 1) {
		const all = [...commands, ...programs];
		return offered(
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
		return offered(
			current,
			(option.oneOf ?? []).map(text => ({text, about: ''})),
		);
	}
	if (current.startsWith('-')) {
		return offered(
			current,
			options.map(([flag, {about}]) => ({text: `--${flag}`, about})),
		);
	}
	return command.names === undefined ? nothing : {kind: 'names', of: command.names};
}

function offered(current: string, all: readonly Candidate[]): Found {
	return {kind: 'candidates', candidates: startingWith(current, all)};
}

function startingWith(start: string, all: readonly Candidate[]): readonly Candidate[] {
	return all.filter(({text}) => text.startsWith(start));
}

function searchWords(word: string): readonly Candidate[] {
	const known = knownGpus([]);
	const gpus = known.map(({name}) => name);
	const {start, candidates} = completeLine(word, word.length, {gpus, valuesOf: () => []}, lexicon);
	const words = candidates.map(({text, about}) => ({text: word.slice(0, start) + text, about}));
	// A shell completes prefixes alone, so 4090 is offered for 40 as well.
	return [...words, ...known.map(({model, name}) => ({text: model, about: name}))];
}

/** Longest wait for names at a Tab. */
const PATIENCE_MS = 100;

/** Asks for names, and falls back to the kept ones after the longest wait. */
async function namesOf(context: Context, live: Live): Promise<readonly Candidate[]> {
	const {url} = context.service();
	const practice = join(context.folders.data, 'practice');
	const kept = await readNames(context);
	// A practice market takes longer to open than a Tab may wait.
	const isOpen = url !== undefined || (await findOpen(practice)) !== undefined;
	if (!isOpen) return kept[live];
	const signal = AbortSignal.timeout(PATIENCE_MS);
	try {
		const names = await askNames(context, live, signal);
		await keepNames(context, {[live]: names});
		return names;
	} catch {
		return kept[live];
	}
}

async function askNames(
	context: Context,
	live: Live,
	signal: AbortSignal,
): Promise<readonly Candidate[]> {
	const client = await context.client();
	if (live === 'instances') return instanceNames((await client.instances.list({signal})).instances);
	const {templates} = await client.templates.search({}, {signal});
	const named = templates.filter(({hash_id: hash}) => hash !== '');
	return named.map(({hash_id: text, name}) => ({text, about: name ?? ''}));
}

type CacheLocation = Pick<Context, 'service' | 'folders'>;

type Nameable = {
	readonly id: number;
	readonly label?: string | null | undefined;
	readonly actual_status?: string | null | undefined;
};

/** Numbers and labels, each with a description. */
export function instanceNames(instances: readonly Nameable[]): readonly Candidate[] {
	return instances.flatMap(({id, label: text, actual_status: state}) => {
		const label = shownLabel(text);
		const about = state ?? 'provisioning';
		const byId = {text: String(id), about: [label, about].join(' ').trim()};
		return label !== '' ? [{text: label, about: `${id} ${about}`}, byId] : [byId];
	});
}

type Live = 'instances' | 'templates';

type Names = Readonly<Record<Live, readonly Candidate[]>>;

const noNames: Names = {instances: [], templates: []};

/** Cached names, for a Tab that cannot wait for the service. */
export async function readNames(context: CacheLocation): Promise<Names> {
	try {
		const json: unknown = JSON.parse(await readFile(fileOf(context), 'utf8'));
		if (!isRecord(json)) return noNames;
		return {
			instances: readCandidates(json['instances']),
			templates: readCandidates(json['templates']),
		};
	} catch {
		// No names are kept so far.
		return noNames;
	}
}

function readCandidates(value: unknown): readonly Candidate[] {
	if (!Array.isArray(value)) return [];
	return value.flatMap((one: unknown) => {
		if (!isRecord(one) || typeof one['text'] !== 'string') return [];
		return [{text: one['text'], about: typeof one['about'] === 'string' ? one['about'] : ''}];
	});
}

/** Keeps names for completions, and leaves those of the other kind as they are. */
export async function keepNames(context: CacheLocation, names: Partial<Names>): Promise<void> {
	try {
		const text = JSON.stringify({...(await readNames(context)), ...names});
		await replaceFile(fileOf(context), text);
	} catch {
		// Kept names only help completions.
	}
}

function fileOf({service, folders}: CacheLocation): string {
	return join(folders.cache, `names-${service().name.replaceAll(/[^\w.-]+/g, '-')}.json`);
}
