/** A profile as the fields of a form: service, source of the key, and mode. */
import type {FieldText} from '../../ui/form.tsx';
import {splitArguments} from '../../../contract/grammar/arguments.ts';
import {isRecord} from '../../../contract/grammar/json.ts';
import {
	openForm,
	fieldValueOf,
	type FormField,
	type FormSpec,
	type FormState,
	type FormValues,
} from '../../ui/form-state.ts';
import {
	nameProblem,
	profileColours,
	urlProblem,
	variableProblem,
	type KeySource,
	type Profile,
} from '../../../renter/profiles/profile.ts';

/** Sources of a key, in the words of the form. */
const keyPlaces = {
	variable: 'in an environment variable',
	file: 'in a file, also of another tool',
	paste: 'I will paste it',
	command: 'a command prints it',
} as const;

type Place = keyof typeof keyPlaces;

const buttons: FormSpec['buttons'] = [
	{id: 'check', title: 'Check the key by three harmless reads'},
	{id: 'save', title: 'Save unchecked'},
];

const place: FormField = {
	id: 'place',
	label: 'key',
	kind: 'choice',
	choices: Object.values(keyPlaces),
};

const places: Readonly<Record<Place, FormField>> = {
	variable: {id: 'variable', label: 'variable', kind: 'text', problem: variableProblem},
	file: {id: 'file', label: 'file', kind: 'text', problem: fileProblem},
	paste: {id: 'paste', label: 'pasted key', kind: 'secret', problem: keyProblem},
	command: {id: 'command', label: 'command', kind: 'text', problem: commandProblem},
};

const others: readonly FormField[] = [
	{id: 'url', label: 'server', kind: 'text', problem: urlProblem},
	{id: 'name', label: 'name', kind: 'text', problem: nameProblem},
	{id: 'mode', label: 'mode', kind: 'choice', choices: ['read-write', 'read-only']},
	{id: 'colour', label: 'colour', kind: 'choice', choices: profileColours},
	{id: 'settings', label: 'own settings', kind: 'long', problem: settingsProblem},
];

export function keySourceOf(state: Pick<FormState, 'values'>): Place {
	const said = fieldValueOf(state, 'place');
	const known = (['variable', 'file', 'paste', 'command'] as const).find(
		name => keyPlaces[name] === said,
	);
	return known ?? 'paste';
}

/** The fields that matter for the chosen source of the key. */
export function profileSpec(state: FormState): FormSpec {
	return {fields: [place, places[keySourceOf(state)], ...others], buttons};
}

/** Facts known before anything is typed. */
export type FoundKeySources = {
	readonly hasVariable: boolean;
	/** A file of another tool that may hold a key; it is not read before the user says so. */
	readonly file: string | undefined;
	/** The address of a service that the environment names; empty if it names none. */
	readonly url: string;
};

export function newProfileForm({hasVariable, file, url}: FoundKeySources): FormState {
	const where: Place = hasVariable ? 'variable' : file === undefined ? 'paste' : 'file';
	const values: FormValues = {
		place: keyPlaces[where],
		variable: 'RENTTY_API_KEY',
		file: file ?? '',
		url,
		name: 'prod',
		mode: 'read-write',
		colour: 'none',
		settings: '{}',
	};
	return openForm({fields: [place], buttons: []}, values);
}

export function profileForm({name, url, key, mode, colour, settings}: Profile): FormState {
	const values: FormValues = {
		place: keyPlaces[key.kind],
		...(key.kind === 'variable' && {variable: key.variable}),
		...(key.kind === 'file' && {file: key.file}),
		...(key.kind === 'command' && {command: writeCommand(key.command)}),
		url,
		name,
		mode,
		colour,
		settings: JSON.stringify(settings, undefined, '\t'),
	};
	return openForm({fields: [place], buttons: []}, values);
}

/** `pastedFile` is the file of a pasted key. */
export function readForm(state: FormState, pastedFile: string): Profile {
	const said = (id: string) => fieldValueOf(state, id).trim();
	const settings: unknown = JSON.parse(said('settings'));
	return {
		name: said('name'),
		url: said('url'),
		key: sourceOf(state, pastedFile),
		mode: said('mode') === 'read-only' ? 'read-only' : 'read-write',
		colour: profileColours.find(colour => colour === said('colour')) ?? 'none',
		settings: isRecord(settings) ? settings : {},
	};
}

function sourceOf(state: FormState, pastedFile: string): KeySource {
	const said = (id: string) => fieldValueOf(state, id).trim();
	const where = keySourceOf(state);
	switch (where) {
		case 'variable':
			return {kind: 'variable', variable: said('variable')};
		case 'file':
			return {kind: 'file', file: said('file')};
		case 'command':
			return {kind: 'command', command: splitArguments(said('command'))};
		case 'paste':
			return {kind: 'file', file: pastedFile};
	}
}

/** A command as a line that reads as the same words. No shell ever reads it. */
function writeCommand(words: readonly string[]): string {
	return words
		.map(word =>
			/^[\w./:@%+=,-]+$/.test(word) ? word : `"${word.replaceAll(/["\\$`]/g, '\\$&')}"`,
		)
		.join(' ');
}

function commandProblem(text: string): string | undefined {
	return splitArguments(text).length > 0 ? undefined : 'expected a program and its arguments';
}

function fileProblem(text: string): string | undefined {
	return text.trim().startsWith('/') ? undefined : 'expected the whole path of a file';
}

function keyProblem(text: string): string | undefined {
	return /^[\u0021-\u007E]+$/.test(text.trim()) ? undefined : 'expected one line without blanks';
}

function settingsProblem(text: string): string | undefined {
	try {
		return isRecord(JSON.parse(text)) ? undefined : 'expected an object, like {"diskGb": 40}';
	} catch {
		return 'expected JSON, like {"diskGb": 40}';
	}
}

export function describeProfileField(found: FoundKeySources) {
	return ({id}: FormField, state: FormState): FieldText => {
		const value = fieldValueOf(state, id);
		switch (id) {
			case 'place':
				return {value, note: placeNote(value, found)};
			case 'variable':
				return {value, note: 'read at each start, kept nowhere'};
			case 'file':
				return {value, note: fileNote(value, found)};
			case 'paste':
				return {value: pasted(value), note: 'hidden; kept for you alone'};
			case 'command':
				return {value, note: 'it prints the key; no shell'};
			case 'mode':
				return {value, note: value === 'read-only' ? 'look, never spend' : 'every change asks'};
			case 'colour':
				return {value, note: 'of its name in the header'};
			case 'settings':
				return {value: settingNames(value), note: 'settings of this profile; Enter edits'};
			default:
				return {value, note: id === 'url' ? 'where the service is' : 'shown on every screen'};
		}
	};
}

function placeNote(value: string, {hasVariable, file}: FoundKeySources): string {
	if (value === keyPlaces.variable) {
		return hasVariable ? 'RENTTY_API_KEY is set here' : 'RENTTY_API_KEY is not set here';
	}
	if (value === keyPlaces.file) return file === undefined ? '' : 'found 1, not read yet';
	return 'Space: another place';
}

function fileNote(value: string, {file}: FoundKeySources): string {
	return value === file ? 'not read before you say so' : 'nothing but the key in it';
}

/** Only the last four characters of a key are ever drawn, and of a short one none. */
function pasted(value: string): string {
	if (value === '') return '';
	return value.length < 12 ? '***' : `*** ..${value.slice(-4)}`;
}

function settingNames(text: string): string {
	try {
		const settings: unknown = JSON.parse(text);
		const names = isRecord(settings) ? Object.keys(settings) : [];
		return names.length === 0 ? 'none' : names.join(', ');
	} catch {
		return text;
	}
}
