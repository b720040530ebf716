/** Records of which every text is harmful, made from the schema of what they are in. */
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {harmfulText} from './harmful-text.ts';
import {sshKeyText} from '../host/ssh-keys.ts';

export type Json = Readonly<Record<string, unknown>>;

export function recordOf(value: unknown): Json {
	return isRecord(value) ? value : {};
}

/** The number of the first record of a list. */
export const FIRST = 1001;

const YESTERDAY = Math.floor(Date.now() / 1000) - 86_400;

/** Values by which a record is looked at more closely than with any other of their kind. */
const fixed: Readonly<Record<string, unknown>> = {
	next_token: null,
	deleted_at: null,
	success: true,
	rentable: true,
	start_date: YESTERDAY,
	end_date: YESTERDAY + 900_000,
	duration: 800_000,
	num_gpus: 1,
	machine_id: 7,
	gpu_frac: 1,
	disk_space: 500,
	recommended_disk_space: 16,
	cpu_cores_effective: 8,
	gpu_ram: 24_564,
	cpu_ram: 64_000,
	// One that no list shows before.
	new_contract: FIRST + 6000,
	creator_id: FIRST,
	user_id: 1,
};

/** States in which there is more to say than in one that nobody knows, now and then. */
const states: Readonly<Record<string, ReadonlyArray<string | undefined>>> = {
	actual_status: [undefined, 'running', 'loading', 'exited', 'offline', 'running'],
	intended_status: [undefined, 'running', undefined, 'stopped', 'running', undefined],
	ssh_host: [undefined, undefined, 'ssh4.example.com'],
};

/** How many there are of what a reply lists. */
const counts: ReadonlySet<string> = new Set([
	'instances_found',
	'total_instances',
	'templates_found',
	'total',
	'count',
]);

/** Where a value is: its name, the number of the record that it is in, and how deep in the reply. */
type Place = {readonly name: string; readonly at: number; readonly depth: number};
type Fill = (schema: Json, place: Place) => unknown;

/** Each field begins with another text, so that of one record not all are alike. */
function textOf(name: string, at: number): string {
	return harmfulText(at + Array.from(name).reduce((sum, letter) => sum + letter.charCodeAt(0), 0));
}

/** Fills schemas: lists are so long, and the address is where logs are. */
export function filler(length: number, address: string): Fill {
	const special = (name: string, at: number): unknown => {
		if (name === 'id') return FIRST + at;
		if (name === 'result_url') return address;
		if (counts.has(name)) return length;
		// Every other key is one that can be read, with a comment that cannot.
		if (name === 'key' && at % 2 === 1) return sshKeyText(at % 256, textOf('comment', at));
		return states[name]?.[at % (states[name]?.length ?? 1)] ?? fixed[name];
	};

	const fill: Fill = (schema, {name, at, depth}) => {
		const value = special(name, at);
		if (value !== undefined) return value;
		const kinds = [schema['type']].flat();
		if (kinds.includes('string')) return textOf(name, at);
		if (kinds.includes('array')) return fillArray(recordOf(schema['items']), at, depth);
		if (kinds.includes('object')) return fillObject(schema, {name, at, depth});
		if (kinds.includes('boolean')) return schema['const'] ?? true;
		if (kinds.includes('number') || kinds.includes('integer')) return 1;
		const choices: readonly unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
		const [first] = choices;
		return first === undefined ? textOf(name, at) : fill(recordOf(first), {name, at, depth});
	};

	function fillArray(items: Json, at: number, depth: number) {
		// A list in a record of a list stays short.
		const count = depth > 1 ? 2 : length;
		return Array.from({length: count}, (_, index) =>
			fill(items, {name: 'item', at: at * count + index, depth: depth + 1}),
		);
	}

	function fillObject(schema: Json, {at, depth}: Place): Json {
		const {properties, propertyNames, additionalProperties} = schema;
		const known = Object.entries(recordOf(properties)).map(
			([name, of]) => [name, fill(recordOf(of), {name, at, depth: depth + 1})] as const,
		);
		// Names of a record, and fields that nobody knows, are text of the service as well.
		const isOpen = propertyNames !== undefined || isRecord(additionalProperties);
		const unknown = {name: 'unknown', at, depth: depth + 1};
		const more = isOpen
			? [[textOf('a name', at), fill(recordOf(additionalProperties), unknown)] as const]
			: [];
		return Object.fromEntries<unknown>([...known, ...more]);
	}
	return fill;
}
