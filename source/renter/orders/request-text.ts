/** The exact request as text: to be read, and to be copied as a command. No secret is in any of them. */
import {printOrder, type InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {printEnv, readEnvObject} from '../../contract/rules/env.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {shownRequest} from './redaction.ts';

/** The request on one line: "PUT asks/7311203  disk 60  env{RUN_ID}". */
export function requestLine(offerId: number, order: InstanceOrder): string {
	const fields = Object.entries(shownRequest(printOrder(order))).map(([name, value]) => {
		if (name === 'env' && isRecord(value)) return `env{${Object.keys(value).join(',')}}`;
		if (name === 'onstart') return `onstart ${String(value).length} characters`;
		return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
	});
	return [`PUT asks/${offerId}`, ...fields].join('  ');
}

export function requestJson(order: InstanceOrder): string {
	return JSON.stringify(shownRequest(printOrder(order)));
}

/** Address and key stand in variables, which is where `rentty` looks for them, too. */
export function asCurl(offerId: number, order: InstanceOrder): string {
	return [
		'curl -X PUT "$RENTTY_URL/api/v0/asks/',
		`${offerId}/" -H "Authorization: Bearer $RENTTY_API_KEY" `,
		`-H 'content-type: application/json' -d ${quote(requestJson(order))}`,
	].join('');
}

/** The same as a command of rentty: an option for each field that has one, the rest as JSON. */
export function asCommand(offerId: number, order: InstanceOrder): string {
	const request = shownRequest(printOrder(order));
	const written = Object.entries(request).map(([name, value]) => ({
		name,
		value,
		option: optionFor(name, value),
	}));
	const others = written.filter(({option}) => option === undefined);
	const also = Object.fromEntries(others.map(({name, value}) => [name, value]));
	return [
		'rentty rent',
		offerId,
		...written.flatMap(({option}) => option ?? []),
		...(others.length === 0 ? [] : [`--also ${quote(JSON.stringify(also))}`]),
	].join(' ');
}

const plainOptions: Readonly<Record<string, string>> = {
	template_hash_id: 'template',
	image: 'image',
	disk: 'disk',
	label: 'label',
	price: 'bid',
	onstart: 'onstart',
	args_str: 'args',
	jupyter_dir: 'jupyter-dir',
	user: 'user',
};

/** Of these only yes can be said. */
const switches: Readonly<Record<string, string>> = {
	use_jupyter_lab: 'jupyter-lab',
	cancel_unavail: 'or-nothing',
	vm: 'vm',
	force: 'force',
};

/** A field as an option of `rentty rent`; undefined where it has none. */
function optionFor(name: string, value: unknown): string | undefined {
	const plain = plainOptions[name];
	// A text that begins with @ would be taken for the name of a file.
	const isText = plain !== undefined && !String(value).startsWith('@');
	if (isText) return `--${plain} ${quote(String(value))}`;
	const isSwitch = switches[name];
	if (isSwitch !== undefined && value === true) return `--${isSwitch}`;
	return otherOptions[name]?.(value);
}

type Written = (value: unknown) => string | undefined;

const otherOptions: Readonly<Record<string, Written>> = {
	target_state: value => (value === 'stopped' ? '--stopped' : undefined),
	runtype: value => (typeof value === 'string' ? `--launch ${value}` : undefined),
	image_login: () => '--login-file FILE',
	env(value) {
		const line = isRecord(value) ? printEnv(readEnvObject(value)) : undefined;
		return line === undefined ? undefined : `--env ${quote(line)}`;
	},
};

/** A word as a shell takes it, whatever is in it. */
export function quote(word: string): string {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
