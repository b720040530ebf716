/** `rentty market relays`: relays beside the market. */
import process from 'node:process';
import type {OperatedRelay} from '../../contract/nouns/relays.ts';
import {RELAY_PORT} from '../../contract/nouns/relays.ts';
import {isHost} from '../../contract/nouns/ssh-command.ts';
import {PORTS_OF_RELAYED} from '../../contract/rules/relay.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {answerFlags, whereFlags, runOperator, type Act} from './operator.ts';
import {usageText} from '../base/help-text.ts';
import {readOptionsAndArguments, readPorts} from '../base/options.ts';

const flags = {
	relay: {
		type: 'string',
		value: 'HOST',
		about: "the name or address of the relay's machine that renters are told, for good",
	},
	'relay-ports': {
		type: 'string',
		value: 'A-B',
		about: 'its ports, eight for each instance (default 42000-49999)',
	},
	'dialled-at': {
		type: 'string',
		value: 'URL',
		about: `where agents dial it (default https://HOST:${RELAY_PORT})`,
	},
	...whereFlags,
	...answerFlags,
} as const;

const marketRelaysUsage = usageText(
	`Usage: rentty market relays WHAT [RELAY] WHERE [options]

  list                relays beside the market, and what they count since their start
  add NAME            add one, with --relay and --relay-ports; its key is shown once
  close RELAY         give it no new instances; those that it has stay
  open RELAY          give it new instances again
  renew RELAY         make a new key for it, which ends the old one
  remove RELAY        end its key: its instances are reached there no longer`,
	flags,
	`A relay goes by its number or its name. rentty relay --help says how one is run.`,
);

type Values = ReturnType<typeof readOptionsAndArguments<typeof flags>>['values'];

export async function runMarketRelays(argv: readonly string[]): Promise<number> {
	const {values, words} = readOptionsAndArguments(argv, flags, 'rentty market relays');
	if (values.help === true) {
		process.stdout.write(marketRelaysUsage);
		return 0;
	}
	await runOperator(values, 'rentty market relays', readAct(words, values));
	return 0;
}

type Named = (name: string, values: Values) => Act;

const acts: ReadonlyMap<string, Named> = new Map<string, Named>([
	['add', add],
	['close', name => change(name, {is_open: false})],
	['open', name => change(name, {is_open: true})],
	['renew', name => change(name, {new_key: true})],
	['remove', remove],
]);

/** @throws UsageError */
function readAct([what = '', name, ...more]: readonly string[], values: Values): Act {
	const named = acts.get(what);
	if (what === 'list' && name === undefined) return listAll;
	if (named === undefined || more.length > 0) {
		const known = ['list', ...acts.keys()].join(', ');
		throw new UsageError(`rentty market relays takes one of ${known}; --help says more.`);
	}
	if (name === undefined || name === '') throw new UsageError(`${what} needs the name of a relay.`);
	return named(name, values);
}

const listAll: Act = async operator => {
	const {relays} = await operator.relays();
	return {record: relays, lines: relays.map(lineOf)};
};

function lineOf(relay: OperatedRelay): readonly string[] {
	const {id, name, host, first_port: first, last_port: last, is_open: isOpen} = relay;
	const {heard_at: at, instances, agents, connections, sent, received} = relay;
	return [
		String(id),
		name ?? '-',
		`${host ?? '-'} ${first ?? '-'}-${last ?? '-'}`,
		isOpen === true ? 'open' : 'closed',
		typeof at === 'number' ? `heard ${new Date(at * 1000).toISOString()}` : 'never heard',
		`${instances ?? 0} instances`,
		`${agents ?? 0} sessions of agents`,
		`${connections ?? 0} connections`,
		`${megabytes(sent)} MB in, ${megabytes(received)} MB out`,
	];
}

function megabytes(bytes: number | null | undefined): string {
	return ((bytes ?? 0) / 1e6).toFixed(1);
}

function add(name: string, values: Values): Act {
	const {relay: host = '', 'relay-ports': range = '42000-49999', 'dialled-at': url} = values;
	if (!isHost(host)) {
		throw new UsageError('add needs --relay with a host, such as relay.example.org.');
	}
	const {first, last} = readPorts('--relay-ports', range, PORTS_OF_RELAYED);
	return async operator => {
		const ports = {first_port: first, last_port: last};
		const record = await operator.addRelay({name, host, ...ports, ...(url !== undefined && {url})});
		const line = `Relay ${name} is number ${record.id}. Its key, shown this once: ${record.api_key}`;
		return {record, lines: [[line]]};
	};
}

type Fields = {readonly is_open?: boolean; readonly new_key?: boolean};

function change(name: string, fields: Fields): Act {
	return async operator => {
		const id = await numberOf(operator, name);
		const record = await operator.changeRelay({id, ...fields});
		const {msg, api_key: key} = record;
		const shown = key === undefined ? [] : [[`Its key, shown this once: ${key}`]];
		return {record, lines: [[msg], ...shown]};
	};
}

function remove(name: string): Act {
	return async operator => {
		const record = await operator.removeRelay(await numberOf(operator, name));
		return {record, lines: [[record.msg]]};
	};
}

async function numberOf(operator: Parameters<Act>[0], name: string): Promise<number> {
	const {relays} = await operator.relays();
	const meant = relays.find(relay => relay.name === name || String(relay.id) === name);
	if (meant !== undefined) return meant.id;
	throw new UsageError(`There is no relay ${name}.`);
}
