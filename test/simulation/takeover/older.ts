/** A market of an older version, or of another maker: it has no calls beyond the API document, and no leases. */
import {contract} from '../../../source/contract/index.ts';
import type {Endpoint} from '../../../source/contract/grammar/endpoint.ts';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {befall, requestForm} from '../tried.ts';
import {here, type Process} from '../world/world.ts';
import type {Received, Sent} from './network.ts';

const older = new WeakSet<Process>();

/** Makes the process whose code runs an older one. */
export const beOlder = () => void older.add(here());

/** Calls that renters and providers make; those of hosts, relays and operators are between a market and its own. */
const beyond = Object.values(contract)
	.flatMap((endpoints: Readonly<Record<string, Endpoint>>) => Object.values(endpoints))
	.filter(({extension, path}) => extension === true && /\/(?:instances|machines)\//.test(path))
	.filter(({path}) => !/\/(?:hosts|operator)\//.test(path));

const forms = beyond.map(requestForm);

/** A path that no version knows. */
const UNKNOWN = '/api/v0/unknown/';

/** A request as the program of a process reads it. */
export function asRead(sent: Sent, process: Process): Sent {
	if (!older.has(process)) return sent;
	const {method, path, body} = sent;
	if (!forms.some(form => form.test(`${method} ${path}`))) {
		return {...sent, body: body && withoutLease(body)};
	}
	const [, id] = /\/instances\/(\d+)/.exec(path) ?? [];
	const about = id === undefined ? {} : {id: Number(id)};
	return befall('older market', process.machine.name, about) ? {...sent, path: UNKNOWN} : sent;
}

/** Its answer. */
export function asWritten(received: Received, process: Process): Received {
	if (!older.has(process)) return received;
	return {...received, text: withoutLease(received.text)};
}

const paths: ReadonlySet<string> = new Set(beyond.map(({path}) => path));

function withoutLease(text: string): string {
	if (!/^[{[]/.test(text) || !/"lease"|"x-extension"/.test(text)) return text;
	return JSON.stringify(
		JSON.parse(text, (key, value: unknown) => {
			if (key === 'lease') return undefined;
			if (key !== 'paths' || !isRecord(value)) return value;
			return Object.fromEntries(Object.entries(value).filter(([path]) => !paths.has(path)));
		}),
	);
}
