/** `rentty complete`: what shells ask at each Tab. It answers at once, and says nothing where it cannot. */
import {join} from 'node:path';
import {isHarmless} from '../contract/grammar/harmless-text.ts';
import {knownGpus} from '../renter/words/gpu-match.ts';
import {completeLine} from '../renter/words/complete.ts';
import {lexicon} from '../renter/offers/words/fields.ts';
import {candidatesFor, startingWith, type Candidate} from './candidates.ts';
import type {Command, Context} from './command.ts';
import {instanceNames, keepNames, readNames, type Live} from './names.ts';
import {findOpen} from './open-practice.ts';
import {exitCodes} from './failure.ts';
import {programs} from './programs.ts';

/** Nobody waits longer for a Tab. What is asked for goes on being true for the next one. */
const PATIENCE_MS = 100;

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
				// A name that a shell would take for more than a name is not offered.
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
	const found = candidatesFor(words, commands, programs);
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

function searchWords(word: string): readonly Candidate[] {
	const known = knownGpus([]);
	const gpus = known.map(({name}) => name);
	const {start, candidates} = completeLine(word, word.length, {gpus, valuesOf: () => []}, lexicon);
	const words = candidates.map(({text, about}) => ({text: word.slice(0, start) + text, about}));
	// A shell completes what begins like that alone: 40 is the 4090 as well.
	return [...words, ...known.map(({model, name}) => ({text: model, about: name}))];
}

/** Asks for names, and takes those of the last time where that takes long. */
async function namesOf(context: Context, live: Live): Promise<readonly Candidate[]> {
	const {url} = context.service();
	const practice = join(context.folders.data, 'practice');
	const kept = await readNames(context);
	// A practice market of its own takes longer to open than anybody waits.
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
