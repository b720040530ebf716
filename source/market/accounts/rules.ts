import {isNumeric, isOn} from '../../contract/nouns/people.ts';

/** Fields whose texts are no secrets. The history has other fields without their texts. */
const plainTexts: ReadonlySet<string> = new Set(
	`
		action api_endpoint currency default_tag description dst_id dst_path duration email
		end_date event_types frequency fullname gpu_name hash_id id ids IDs image instance_id
		instance_ids kind label maintenance_category maintenance_reason message mount_path name
		parent_id problem recipient reference repo request_method role runtype sdate src_id
		src_path state tag target_state team_name template_hash_id user_id username verification
		why
	`
		.trim()
		.split(/\s+/),
);

/** Fields whose values never appear in the history. */
const secret = /^(key|value|api_?key|ssh_?key)$|pass|secret|token|captcha|invitation/i;

const LEFT_OUT = '…';
const MOST_TEXT = 200;
const MOST_NAME = 64;
const MOST_ITEMS = 50;
const MOST_FIELD = 1000;
const MOST_ARGUMENTS = 2000;
const DEEPEST = 6;

/** JSON of a change's arguments without possible secrets, cut to a length. */
export function printArguments(sent: Readonly<Record<string, unknown>>): string {
	const kept: Array<readonly [name: string, value: unknown]> = [];
	let length = 2;
	for (const [name, value] of Object.entries(sent)) {
		const whole = [nameOf(name), shown(name, value, 1)] as const;
		const field = lengthOf(whole) > MOST_FIELD ? ([whole[0], LEFT_OUT] as const) : whole;
		length += lengthOf(field);
		if (length > MOST_ARGUMENTS) {
			kept.push([LEFT_OUT, LEFT_OUT]);
			break;
		}
		kept.push(field);
	}
	return JSON.stringify(Object.fromEntries(kept));
}

/** Characters of a field with its colon and comma. */
function lengthOf(field: readonly [name: string, value: unknown]): number {
	return JSON.stringify(field).length;
}

/** Name of a field without a value in it, as in `-e NAME=value`. */
function nameOf(name: string): string {
	return shortened(name.replace(/=.*$/s, `=${LEFT_OUT}`), MOST_NAME);
}

function shown(name: string, value: unknown, depth: number): unknown {
	if (value === null || typeof value === 'boolean') return value;
	if (secret.test(name)) return LEFT_OUT;
	if (typeof value === 'number') return value;
	if (typeof value === 'string') {
		return plainTexts.has(name) ? shortened(value, MOST_TEXT) : LEFT_OUT;
	}
	if (typeof value !== 'object' || depth === DEEPEST) return LEFT_OUT;
	if (Array.isArray(value)) {
		const items = value.slice(0, MOST_ITEMS).map(item => shown(name, item, depth + 1));
		return value.length > MOST_ITEMS ? [...items, LEFT_OUT] : items;
	}
	const fields = Object.entries(value).slice(0, MOST_ITEMS);
	return Object.fromEntries(
		fields.map(([inner, of]) => [nameOf(inner), shown(inner, of, depth + 1)]),
	);
}

function shortened(text: string, most: number): string {
	return text.length > most ? `${text.slice(0, most)}${LEFT_OUT}` : text;
}

/** Facts that the owner has set, stored as texts, in their types. */
export function shownDetails(details: string | null): Readonly<Record<string, unknown>> {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	const kept = JSON.parse(details ?? '{}') as Readonly<Record<string, string>>;
	return Object.fromEntries<unknown>(
		Object.entries(kept).map(([name, text]) => [
			name,
			isNumeric(name) ? Number(text) : name === 'balance_threshold_enabled' ? isOn(text) : text,
		]),
	);
}
