/**
 * The single table of an order's fields: their names on the wire, in the rent form and as options
 * of `rentty rent`, and how their texts are read and written.
 */
import {printEnv, readEnvObject, unreadEnvPart} from '../../contract/rules/env.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {launchWords} from '../../contract/rules/runtype.ts';
import {readExtraFilters} from '../templates/filter-conditions.ts';
import {readNamedFile, UsageError} from '../text/usage-error.ts';
import {shownLabel} from '../words/lease.ts';
import {readEnv} from './form-env.ts';

/** An option of `rentty rent`; one without a value is a switch. */
type OrderOption = {
	readonly name: string;
	readonly value?: string;
	readonly oneOf?: readonly string[];
	readonly about: string;
	/** Value on the wire. @default the text, or true for a switch */
	readonly read?: (text: string) => unknown;
	/** Text of the option; undefined if it cannot express the value. @default the value as text */
	readonly print?: (value: unknown) => string | undefined;
};

type OrderRow = {
	/** Its field in the form. @default one with its name on the wire */
	readonly form?: string;
	/** Wire value of the form's text. @default the text */
	readonly read?: (text: string) => unknown;
	/** Without an option, `--also` sets it. */
	readonly option?: OrderOption;
};

/** By the names on the wire. */
const orderTable = {
	template_hash_id: {
		form: 'template',
		option: {name: 'template', value: 'NAME', about: 'a template by its hash or its name'},
	},
	image: {option: {name: 'image', value: 'IMAGE', about: 'the image, such as ubuntu:24.04'}},
	disk: {
		option: {
			name: 'disk',
			value: 'GB',
			about: "the disk (default: the template's, or the settings')",
		},
	},
	label: {
		// Text that resembles a lease in a typed label is not one: it would end the instance.
		read: shownLabel,
		option: {name: 'label', value: 'NAME', about: 'what to call it'},
	},
	price: {
		option: {
			name: 'bid',
			value: 'DOLLARS',
			about: 'an hour, for an instance that can be outbid',
			read: Number,
		},
	},
	env: {
		read: text => Object.fromEntries(readEnv(text)),
		option: {
			name: 'env',
			value: 'FLAGS',
			about: "variables, ports and volumes: '-e A=b -p 80:80 -v V.7:/data'",
			read: refuseUnreadEnv,
			print: value => (isRecord(value) ? printEnv(readEnvObject(value)) : undefined),
		},
	},
	onstart: {
		option: {
			name: 'onstart',
			value: 'TEXT',
			about: 'what runs at each start; @FILE reads it',
			read: text => (text.startsWith('@') ? readNamedFile(text.slice(1)).trimEnd() : text),
		},
	},
	args_str: {
		form: 'args',
		option: {name: 'args', value: 'TEXT', about: 'what the image is started with'},
	},
	runtype: {
		form: 'launch',
		option: {
			name: 'launch',
			value: 'MODE',
			oneOf: launchWords,
			about: 'how it is entered: args, or ssh or jupyter, with _proxy or _direct',
		},
	},
	jupyter_dir: {option: {name: 'jupyter-dir', value: 'DIR', about: 'where Jupyter opens'}},
	use_jupyter_lab: {
		read: isYes,
		option: {name: 'jupyter-lab', about: 'JupyterLab in the place of notebooks'},
	},
	user: {option: {name: 'user', value: 'NAME', about: 'the user that the container runs as'}},
	image_login: {
		option: {
			name: 'login-file',
			value: 'FILE',
			about: 'a file with the login for the image',
			read: file => readNamedFile(file).trimEnd(),
			print: () => 'FILE',
		},
	},
	target_state: {
		form: 'target',
		option: {
			name: 'stopped',
			about: 'make it, and do not start it',
			read: () => 'stopped',
			print: value => (value === 'stopped' ? '' : undefined),
		},
	},
	cancel_unavail: {
		form: 'cancel',
		read: isYes,
		option: {name: 'or-nothing', about: 'make nothing where it cannot start at once'},
	},
	vm: {read: isYes, option: {name: 'vm', about: 'a virtual machine'}},
	force: {read: isYes, option: {name: 'force', about: 'rent although the service warns'}},
	python_utf8: {read: isYes},
	lang_utf8: {read: isYes},
	extra_filters: {read: readFilters},
} as const satisfies Readonly<Record<string, OrderRow>>;

type Table = typeof orderTable;

/** Fields of the form that are no fields of the request. */
const formOnly = [
	'type',
	'volume',
	'volume_id',
	'volume_size',
	'volume_path',
	'volume_name',
	'ends',
	'stuck',
	'access',
	'tries',
	'ceiling',
] as const;

export type OrderField =
	| (typeof formOnly)[number]
	| {[Name in keyof Table]: Table[Name] extends {form: infer Form} ? Form : Name}[keyof Table];

export const orderRows: ReadonlyArray<readonly [name: string, row: OrderRow]> =
	Object.entries(orderTable);

const formNames: ReadonlyMap<string, string> = new Map([
	...formOnly.map(id => [id, id] as const),
	...orderRows.map(([name, {form = name}]) => [form, form] as const),
	...orderRows.map(([name, {form = name}]) => [name, form] as const),
	['volume_info', 'volume'],
	['mount_path', 'volume_path'],
]);

/** Form field of an error in which the contract names a wire field. */
export function findRefusedFormField(message: string): string | undefined {
	const words = message.match(/[a-z_]+/g) ?? [];
	// The sentence is about users, not about a field.
	const word = words.find(name => formNames.has(name) && name !== 'user');
	return word === undefined ? undefined : formNames.get(word);
}

export class FieldError extends Error {
	override readonly name = 'FieldError';
}

/** @throws UsageError for a part that a service would drop */
function refuseUnreadEnv(line: string): string {
	const part = unreadEnvPart(line);
	if (part === undefined) return line;
	throw new UsageError(
		`--env takes flags such as '-e A=b -p 80:80', and "${part}" is none of them. Nothing was rented.`,
	);
}

function isYes(text: string): boolean {
	return text === 'yes';
}

export function readFilters(text: string): unknown {
	if (text.trim() === '') return undefined;
	const read = readExtraFilters(text);
	if ('problem' in read) throw new FieldError(`extra_filters: ${read.problem}`);
	return read.filters;
}
