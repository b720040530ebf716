import {messageOf} from '../../contract/rules/thrown.ts';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {
	goToField,
	withFieldProblem,
	setValue,
	fieldValueOf,
	type FormField,
	type FormSpec,
	type FormState,
} from '../ui/form-state.ts';
import type {Services} from '../services/services.tsx';
import type {Store} from '../../renter/state/store.ts';

type Edit = {
	readonly spec: FormSpec;
	readonly form: Store<FormState>;
	readonly field: FormField;
	/** Name of the file, whose ending tells the editor its kind. */
	readonly file: string;
};

/** Lets the user edit a field of a form; returns the problem of a failure. */
export async function editField(
	outside: Pick<Services['terminal'], 'aside' | 'environment'>,
	{spec, form, field: {id, label, problem}, file}: Edit,
): Promise<string | undefined> {
	const edited = await editOutside({...outside, text: fieldValueOf(form.get(), id), file});
	if ('problem' in edited) return `${label} is as it was: ${edited.problem}`;
	const wrong = problem?.(edited.text);
	const next = setValue(goToField(spec, form.get(), id), id, edited.text);
	form.set(wrong === undefined ? next : withFieldProblem(next, id, wrong));
	return wrong === undefined ? undefined : `${label}: ${wrong}`;
}

type EditOptions = Pick<Services['terminal'], 'aside' | 'environment'> & {
	readonly text: string;
	/** Name of the file, whose ending tells the editor its kind: `onstart.sh`. */
	readonly file: string;
};

type Edited = {readonly text: string} | {readonly problem: string};

/** Lets the user edit a text in a temporary file that only they can read. */
export async function editOutside({aside, environment, text, file}: EditOptions): Promise<Edited> {
	const [program = 'vi', ...args] = editorOf(environment);
	let folder: string | undefined;
	try {
		// mkdtemp makes the folder with mode 0700 and a name that cannot be guessed.
		folder = await mkdtemp(join(tmpdir(), 'rentty-'));
		const path = join(folder, file);
		await writeFile(path, text, {mode: 0o600, flag: 'wx'});
		const ended = await aside({program, args: [...args, path]});
		if (ended.kind === 'notStarted')
			return {problem: `${program} was not started: ${ended.reason}`};
		if (ended.kind === 'killed') return {problem: `${program} was killed (${ended.signal})`};
		if (ended.code !== 0) return {problem: `${program} ended with ${ended.code}`};
		return {text: withoutAddedBreak(await readFile(path, 'utf8'), text)};
	} catch (error) {
		return {problem: messageOf(error)};
	} finally {
		if (folder !== undefined) await rm(folder, {recursive: true, force: true});
	}
}

/** The program and its arguments, split like plain words of a shell. */
function editorOf({VISUAL, EDITOR}: Services['terminal']['environment']): readonly string[] {
	const said = [VISUAL, EDITOR].find(command => command !== undefined && command.trim() !== '');
	return (said ?? 'vi').trim().split(/\s+/);
}

/** Editors end every file with a line break; a text that had none keeps none. */
function withoutAddedBreak(text: string, before: string): string {
	return before.endsWith('\n') ? text : text.replace(/\r?\n$/, '');
}
