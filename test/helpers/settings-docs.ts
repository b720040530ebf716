/** docs/settings.md, from the schema of the settings and a sentence about each of them. */
import * as z from 'zod/mini';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {settingsSchema} from '../../source/renter/settings/settings.ts';

/** What each setting is for, by its path; of a list, by its name and that of what is in it. */
const notes: Readonly<Record<string, string>> = {
	diskGb: 'The disk that every price includes, in GB.',
	hours: 'How long the usual job takes, in hours.',
	inGbPerHour: 'The traffic that the usual job receives.',
	outGbPerHour: 'The traffic that the usual job sends.',
	columns: 'How the columns of each list differ from the usual ones. `W` in a list sets it.',
	'columns.*.set': 'How many columns a list has.',
	'columns.*.visible': 'Columns shown although the set has them not (`true`), or hidden (`false`).',
	'columns.*.order': 'Columns from left to right; the others follow.',
	'columns.*.widths': 'Columns wider or narrower than usual.',
	searches: 'Searches kept under names. `b` in the offers sets it.',
	'searches.name': 'What it is called.',
	'searches.words': 'Words of the query line.',
	views: 'Views of the instances. `b` on Instances sets it.',
	'views.name': 'What it is called.',
	'views.words': 'Words that ask for instances, as in their filter; empty for all.',
	'views.order':
		'Columns that they are ordered by, the first one that decides, such as `["price", "-age"]`: a dash turns the order round.',
	'views.columns.set': 'How many columns it has. Without `views.columns` it has those of the list.',
	'views.columns.visible': 'Columns shown or hidden, as in `columns`.',
	'views.columns.order': 'Columns from left to right, as in `columns`.',
	'views.columns.widths': 'Widths of columns, as in `columns`.',
	'views.group': 'The field that they are grouped by; without it they are listed.',
	'views.key': 'The key that shows it on Instances, and all of them again.',
	startView: 'The name of the view that Instances begin with; empty for all of them.',
	watches: 'Offers that are waited for. `m` in the offers sets it.',
	'watches.words': 'Words of the query line; `id=7` for one offer.',
	'watches.below': 'Tells when one costs less than this, all in.',
	ssh: 'What connecting does: in this terminal, in a window of tmux, or only print the command.',
	'limits.nullSlowMinutes': 'An instance without a state is slow after so long.',
	'limits.nullStuckMinutes': 'The same, stuck.',
	'limits.loadingSlowMinutes': 'One that loads its image is slow after so long.',
	'limits.bootMinutes': 'How long a boot may take at most.',
	'limits.noSshMinutes': 'How long SSH of one that runs may stay silent.',
	'limits.idleMinutes': 'One that does nothing for so long idles.',
	'limits.idleBelowPercent': 'Below this use of its GPU it does nothing.',
	'notify.bell': 'Rings the bell of the terminal.',
	'notify.osc9': 'Sends notifications to the desktop, where the terminal passes them on.',
	'spend.askOverPerHour': 'From where on renting asks harder; `null` for nowhere.',
	'spend.fleetMaxPerHour': 'What all instances together may cost; `null` for any sum.',
	'fallback.tries': 'How many other offers are tried when one is gone.',
	'fallback.ceilingPercent': 'How much dearer than the first they may be.',
	templateHash: 'The template that is rented with unless another is chosen.',
	templateLeases:
		'When what is rented with a template ends by itself, by the hash of the template, in place of `lease`; `"none"` is no end. `L` on a template sets it, and it follows the template when that is edited here.',
	keepInstanceKeys:
		'Whether the key that an instance gets of itself is kept in a file of its user alone, and not only shown once.',
	lease:
		'When what is rented ends by itself, where nothing else is said: such as `for 6h idle 30m until $20 then stop`. Empty is no end.',
	glyphs: 'Whether lines and signs are drawn with more than ASCII.',
	colour: 'Whether colours are used. `NO_COLOR` in the environment says the same as `"never"`.',
	theme: 'Which looks text has. No colour is needed to tell anything apart.',
	keys: 'Keys of your own: the name of a binding, as docs/key-bindings.md has it, and a key or several.',
	runPatterns:
		'Patterns of your own for lines of logs that tell of a run: text as it stands, `*` for anything, and `{step}`, `{of}`, `{loss}`, `{lr}`, `{tokens}`, `{grad}`, `{seconds}`, `{epoch}`, `{done}`, `{checkpoint}` and `{eval}`. At most 10, of 200 characters each. `*` on the page Run sets it.',
	runFolders:
		"Folders in instances in which TensorBoard's event files are looked for, at most 10. Without any, the usual ones are searched where a log has no steps.",
	commands: 'Commands of your own for the row under the cursor. No shell reads them.',
	'commands.name': 'What it is called in help, actions and palette.',
	'commands.key': 'The key that runs it, if it has one.',
	'commands.screen': 'Where it can be run.',
	'commands.command':
		'The program and its arguments. `{id}` and other fields become what the row says.',
	'commands.runs': 'In this terminal, until it ends, or behind it.',
	'commands.asks':
		'Whether it asks before it runs. What asks counts as a change: read-only profiles refuse it.',
	mouse:
		'Whether the mouse clicks, drags and scrolls. Then dragging over text copies it, and Shift selects as without rentty. `"auto"`: where the terminal says that it has a mouse, and in tmux where its option `mouse` is on.',
};

type Schema = Readonly<Record<string, unknown>>;

/** A setting as its row in the table. */
type Row = {readonly path: string; readonly values: string; readonly usual: string};

export function settingsDocument(): string {
	const schema: unknown = z.toJSONSchema(settingsSchema, {io: 'input'});
	const rows = rowsOf('', isRecord(schema) ? schema : {});
	const known = rows.map(({path}) => path);
	const stale = Object.keys(notes).filter(path => !known.includes(path));
	if (stale.length > 0) throw new Error(`no such setting: ${stale.join(', ')}`);
	return [intro, table(rows), example].join('\n\n');
}

function table(rows: readonly Row[]): string {
	const lines = rows.map(({path, values, usual}) => {
		const note = notes[path];
		if (note === undefined) throw new Error(`${path} has no sentence in ${import.meta.filename}`);
		return `| \`${path}\` | ${values} | ${usual} | ${note} |`;
	});
	return ['| setting | values | default | what it is for |', '|---|---|---|---|', ...lines].join(
		'\n',
	);
}

function rowsOf(prefix: string, schema: Schema): readonly Row[] {
	return Object.entries(recordAt(schema, 'properties')).flatMap(([name, value]) => {
		const path = prefix + name;
		const part = isRecord(value) ? value : {};
		// A group has no row of its own.
		if (part['properties'] !== undefined) return rowsOf(`${path}.`, part);
		const inside = [
			...rowsOf(`${path}.`, recordAt(part, 'items')),
			...rowsOf(`${path}.*.`, recordAt(part, 'additionalProperties')),
		];
		const usual = part['default'] === undefined ? '' : `\`${JSON.stringify(part['default'])}\``;
		return [{path, values: valuesOf(part), usual}, ...inside];
	});
}

function recordAt(schema: Schema, name: string): Schema {
	const value = schema[name];
	return isRecord(value) ? value : {};
}

function valuesOf(schema: Schema): string {
	const {enum: words, anyOf, type, minimum} = schema;
	if (Array.isArray(words)) return words.map(word => `\`${JSON.stringify(word)}\``).join(', ');
	if (Array.isArray(anyOf)) {
		return anyOf.map((one: unknown) => (isRecord(one) ? valuesOf(one) : '')).join(' or ');
	}
	switch (type) {
		case 'null':
			return '`null`';
		case 'array':
			return recordAt(schema, 'items')['properties'] === undefined
				? `list of ${valuesOf(recordAt(schema, 'items'))}s`
				: 'list of objects';
		case 'object':
			return 'object';
		case 'boolean':
			return '`true`, `false`';
		case 'string':
			return 'text';
		default:
			return typeof minimum === 'number' ? `number, at least ${minimum}` : 'number';
	}
}

const intro = `# Settings

Made from the schema of the settings by \`npm run docs\`.

rentty reads one JSON file: \`settings.json\` in \`$XDG_CONFIG_HOME/rentty\` (usually
\`~/.config/rentty\`), or the file that \`--settings\` names. It is read again whenever it is saved. A
file with a mistake changes nothing: the line that is wrong is said, and what held before holds on.
What rentty itself is told to keep is written to the same file, which goes on holding everything else.

Where a value is set in several places, the first of these counts: the command line (\`--theme\`,
\`--ascii\`), the environment (\`RENTTY_THEME\`, \`RENTTY_ASCII\`, \`NO_COLOR\`), the profile in use, this file, the default.

Pages behind ports are links (OSC 8) where the terminal says that it has them, by \`TERM\`, \`TERM_PROGRAM\`, \`VTE_VERSION\`,
\`KONSOLE_VERSION\` or \`WT_SESSION\`; in tmux from 3.4 on, which passes links to terminals that have them. Else they are text.
\`FORCE_HYPERLINK\` in the environment says it otherwise: \`1\`, or \`0\` for none.`;

const example = `## Keys and commands of your own

\`\`\`json
{
	"theme": "colour-blind",
	"keys": {"offers.mark-all": "M", "refresh-now": ["R", "Ctrl-R"]},
	"commands": [
		{
			"name": "ping its host",
			"key": "F5",
			"screen": "instances",
			"command": ["ping", "-c", "3", "{ssh_host}"],
			"asks": true
		}
	]
}
\`\`\`

A key that something else has is refused with both names, and the binding keeps its usual keys. Ctrl-C,
Ctrl-L and Ctrl-Z always do what they do, and the answers of questions stay as they are.

A command has fields of the row in braces: \`{id}\`, \`{label}\`, \`{ssh_host}\` and whatever else the
service says of it. A field that the row does not have, or whose text begins with a dash, is refused: it
would be taken for an option. Each argument stays one argument, whatever is in it. What a command wrote
stays until Enter is pressed.
`;
