/** A command of the user's own with the fields of a row filled in. No shell ever reads it. */
import type {CustomCommand} from '../../renter/settings/default-settings.ts';

/** Fields of a row, as its service sent them. */
export type Fields = Readonly<Record<string, unknown>>;

export type Filled =
	| {readonly program: string; readonly args: readonly string[]}
	| {readonly problem: string};

const field = /\{([a-z_][a-z0-9_.]*)\}/gi;

/** The program and its arguments. Each argument stays one, whatever the fields hold. */
export function fillIn({command}: Pick<CustomCommand, 'command'>, row: Fields): Filled {
	const filled: string[] = [];
	for (const [at, part] of command.entries()) {
		const problem = problemOf(part, row, at === 0);
		if (problem !== undefined) return {problem};
		filled.push(part.replaceAll(field, (_, name: string) => fieldText(row, name) ?? ''));
	}
	const [program = '', ...args] = filled;
	return {program, args};
}

function problemOf(part: string, row: Fields, isProgram: boolean): string | undefined {
	for (const [whole, name = ''] of part.matchAll(field)) {
		if (isProgram) return 'the program itself cannot have fields';
		const text = fieldText(row, name);
		if (text === undefined || text === '') return `this row has no ${whole}`;
		// oxlint-disable-next-line no-control-regex -- these are the characters that command programs and terminals
		if (/[\u0000-\u001F\u007F-\u009F]/.test(text)) return `${whole} holds control characters`;
		if (part.startsWith(whole) && text.startsWith('-')) {
			return `${whole} begins with a dash and would be taken for an option`;
		}
	}
	return undefined;
}

function fieldText(row: Fields, name: string): string | undefined {
	const value = Object.hasOwn(row, name) ? row[name] : undefined;
	if (typeof value === 'string') return value;
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A command as people read it, with quotes where one would need them. */
export function written(program: string, args: readonly string[]): string {
	const quoted = [program, ...args].map(part =>
		/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", String.raw`'\''`)}'`,
	);
	return quoted.join(' ');
}
