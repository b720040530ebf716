import type {FieldType, Scalar} from '../../contract/grammar/filter.ts';
import {isEndlessInstance, leaseOf} from '../leases/held.ts';
import {shownLabel} from '../words/lease.ts';
import {
	findWordField,
	type Clause,
	type Lexicon,
	type TestWord,
	type Unit,
	type WordField,
} from '../words/clauses.ts';
import {comparingSigns, meantPerGpu, PER_GPU} from '../words/tests.ts';
import {costSoFar} from '../instance/cost.ts';
import {
	countedFrom,
	isAtRest,
	isProblem,
	isTrouble,
	type InstanceCondition,
} from '../instance/condition.ts';
import {healthWord} from '../instance/examined.ts';
import type {FleetRow} from './fleet-state.ts';
import {agentOf} from '../instance/agent-tag.ts';
import {endsAt, madeAt} from '../instance/times.ts';
import {HOUR_MS} from '../../contract/rules/durations.ts';

type Entry = {
	readonly type: FieldType;
	readonly unit?: Unit;
	readonly about: string;
	readonly aliases?: readonly string[];
	/** Reads an instance's value; undefined and null both mean "not known". */
	readonly read: (row: FleetRow) => Scalar | undefined;
};

const MB_PER_GB = 1024;

/** Name in `by=` of rents that no agent made. */
const YOU = 'you';

/**
 * The fields by their names, the most used first. Money and time have the names of their columns.
 */
const entries = {
	state: {
		type: 'text',
		about: 'what it does: running, idle, stuck, booting, trouble',
		aliases: ['status'],
		read: ({condition}) => condition,
	},
	gpu: {
		type: 'name',
		about: 'name of its GPUs',
		aliases: ['gpu_name'],
		read: ({instance}) => instance.gpu_name,
	},
	qty: {
		type: 'number',
		about: 'number of its GPUs',
		aliases: ['gpus', 'num_gpus'],
		read: ({instance}) => instance.num_gpus,
	},
	label: {
		type: 'text',
		about: 'your name for it',
		read: ({instance}) => shownLabel(instance.label),
	},
	by: {
		type: 'text',
		about: 'who rented it: agent for any agent, else the name of one',
		read: ({instance}) => agentOf(instance.label) ?? YOU,
	},
	price: {
		type: 'number',
		unit: 'dollars',
		about: '$ an hour at present',
		aliases: ['dph', 'rate'],
		read: ({rate}) => rate.now,
	},
	[PER_GPU]: {
		type: 'number',
		unit: 'dollars',
		about: '$ an hour for one of its GPUs: price<0.30/gpu',
		read: ({rate, instance: {num_gpus: gpus}}) =>
			rate.now === undefined || !gpus ? undefined : rate.now / gpus,
	},
	max: {
		type: 'number',
		unit: 'dollars',
		about: '$ an hour at most',
		read: ({rate}) => rate.atMost,
	},
	cost: {
		type: 'number',
		unit: 'dollars',
		about: '$ that it has cost so far without traffic, at most',
		aliases: ['spent'],
		read: row => costSoFar(row).atMost,
	},
	age: {
		type: 'number',
		unit: 'hours',
		about: 'time since it is rented, such as 3d',
		read: ({instance, observation, now}) =>
			(now - (madeAt(instance, now) ?? observation.firstSeenAt)) / HOUR_MS,
	},
	for: {
		type: 'number',
		unit: 'hours',
		about: 'time since it does what it does',
		aliases: ['since'],
		read: ({observation, now}) => (now - countedFrom(observation)) / HOUR_MS,
	},
	idle: {
		type: 'number',
		unit: 'hours',
		about: 'time since its GPUs do nothing, such as 30m',
		read: ({observation: {idleSince}, now}) =>
			idleSince === undefined ? undefined : (now - idleSince) / HOUR_MS,
	},
	ends: {
		type: 'number',
		unit: 'hours',
		about: 'time until its lease or its contract ends, such as 2h, or none',
		read: endsIn,
	},
	endless: {
		type: 'boolean',
		about: 'no lease ends it',
		read: ({instance}) => isEndlessInstance(instance),
	},
	util: {
		type: 'number',
		unit: 'percent',
		about: 'use of its GPUs in percent',
		aliases: ['use'],
		read: ({instance}) => instance.gpu_util,
	},
	host: {type: 'number', about: 'number of its host', read: ({instance}) => instance.host_id},
	machine: {
		type: 'number',
		about: 'number of its machine',
		read: ({instance}) => instance.machine_id,
	},
	id: {type: 'number', about: 'its number', read: ({instance}) => instance.id},
	image: {type: 'text', about: 'the image it runs', read: ({instance}) => instance.image_uuid},
	template: {
		type: 'text',
		about: 'the template it was made from',
		read: ({instance}) => instance.template_name ?? instance.template_hash_id,
	},
	loc: {
		type: 'place',
		about: 'countries, such as us,ca, or eu',
		aliases: ['country', 'geo', 'where'],
		read: ({instance}) => instance.geolocation,
	},
	disk: {
		type: 'number',
		unit: 'gigabytes',
		about: 'GB of its disk',
		read: ({instance}) => instance.disk_space,
	},
	vram: {
		type: 'number',
		unit: 'gigabytes',
		about: 'GB of memory of one GPU',
		read: ({instance: {gpu_ram: ram}}) => (ram == null ? ram : Math.round(ram / MB_PER_GB)),
	},
	message: {
		type: 'text',
		about: 'what the service says of it',
		aliases: ['msg'],
		read: ({instance}) => instance.status_msg,
	},
	health: {
		type: 'text',
		about: 'what its last examination found: healthy, watch, sick, lost, lacking, unknown',
		read: ({examined}) => examined && healthWord(examined),
	},
	bid: {type: 'boolean', about: 'it can be outbid', read: ({instance}) => instance.is_bid},
	lease: {
		type: 'boolean',
		about: 'it ends by itself',
		aliases: ['leased'],
		read: ({instance}) => leaseOf(instance).lease !== undefined,
	},
	ssh: {
		type: 'boolean',
		about: 'it answers by SSH',
		read: ({observation: {sshAnsweredAt, sshSilentSince}}) =>
			sshSilentSince === undefined && sshAnsweredAt !== undefined,
	},
} as const satisfies Readonly<Record<string, Entry>>;

export type FleetField = keyof typeof entries;

/** Hours until the instance ends by its lease or its contract. */
function endsIn({instance, now}: FleetRow): number | undefined {
	const lease = leaseOf(instance).lease?.endsAt;
	const contract = endsAt(instance, now);
	const at = Math.min(lease === undefined ? Infinity : lease * 1000, contract ?? Infinity);
	return at === Infinity ? undefined : (at - now) / HOUR_MS;
}

export const fleetFields = typesOf(entries);

function typesOf(table: Readonly<Record<string, Entry>>): Readonly<Record<string, FieldType>> {
	return Object.fromEntries(Object.entries(table).map(([name, {type}]) => [name, type]));
}

export function readFleetField(row: FleetRow, field: FleetField): Scalar | undefined {
	return entries[field].read(row);
}

/** A text searched for in all texts of an instance: a word without a field. */
export type FoundText = {
	readonly kind: 'text';
	readonly text: string;
	readonly isNegated: boolean;
};

export type FleetClause = Clause<FleetField> | FoundText;
export type FleetWord = WordField<FleetField>;

/** Words for several states at once. */
const groups: Readonly<Record<string, (condition: InstanceCondition) => boolean>> = {
	trouble: isTrouble,
	problem: isProblem,
	booting: condition => ['provisioning', 'loading', 'slow'].includes(condition),
	running: condition => ['running', 'idle', 'noSsh'].includes(condition),
	stopped: isAtRest,
};

const spelled: Readonly<Partial<Record<string, InstanceCondition>>> = {
	nossh: 'noSsh',
	'no-ssh': 'noSsh',
	'running-no-ssh': 'noSsh',
	'not-listed-yet': 'unlisted',
};

const conditions =
	'undead stuck dead failing failed slow provisioning loading destroying idle waiting unlisted gone'.split(
		' ',
	);

export const stateNames: readonly string[] = [...Object.keys(groups), ...conditions, 'no-ssh'];

export function isInState({condition, instance}: FleetRow, word: string): boolean {
	const wanted = word.toLowerCase();
	const group = Object.hasOwn(groups, wanted) ? groups[wanted] : undefined;
	if (group !== undefined) return group(condition);
	return condition === (spelled[wanted] ?? wanted) || instance.actual_status === wanted;
}

const fields = Object.entries(entries).map(([name, {type, about, ...more}]): FleetWord => ({
	name,
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are the names of the table
	field: name as FleetField,
	type,
	unit: 'unit' in more ? more.unit : 'none',
	about,
}));

export const fleetLexicon: Lexicon<FleetField> = {
	fields,
	byName: new Map(
		fields.flatMap(field => {
			const entry: Entry = entries[field.field];
			return [field.name, ...(entry.aliases ?? [])].map(name => [name, field] as const);
		}),
	),
	bareWords: stateNames,
	signs: [...comparingSigns, '~', '!~'],
	meant,
};

/**
 * Special values: `ends=none` matches instances without an end, `by=agent` any agent, and
 * `price<0.30/gpu` one GPU of several.
 */
function meant(word: TestWord): Pick<TestWord, 'name' | 'operator' | 'value'> {
	const {name, operator, value} = word;
	if (name.toLowerCase() === 'ends' && value.toLowerCase() === 'none') {
		return {name: 'endless', operator, value: 'yes'};
	}
	// Any renter except the user is an agent.
	if (name.toLowerCase() === 'by' && value.toLowerCase() === 'agent') {
		return {name, operator: operator.startsWith('!') ? '=' : '!=', value: YOU};
	}
	return meantPerGpu(word, written => findWordField(fleetLexicon, written)?.field === 'price');
}

export function findFleetWord(name: FleetField): FleetWord {
	const found = fields.find(({field}) => field === name);
	if (found === undefined) throw new Error(`${name} is missing from the words`);
	return found;
}
