import {isIP} from 'node:net';
import {isHost} from '../../contract/nouns/ssh-command.ts';
import {PORTS_OF_RELAYED} from '../../contract/rules/relay.ts';
import {plainImageName} from '../../contract/rules/image-name.ts';
import {helpFlag, usageText} from '../base/help-text.ts';
import {readFlags, readPorts} from '../base/options.ts';
import {UsageError} from '../../renter/text/usage-error.ts';

export type MarketCommand = {
	readonly port: number;
	readonly address: string;
	/** Files of its certificate and of that's private key; undefined for HTTP without TLS. */
	readonly tls: {readonly cert: string; readonly key: string} | undefined;
	readonly metricsPort?: number;
	/** File, or address of a PostgreSQL database. */
	readonly file: string;
	/** Number of made-up offers, with simulated hosts. */
	readonly offers: number;
	readonly seed: number;
	/** Rates of failures on simulated hosts; undefined for the usual ones. */
	readonly trouble: string | undefined;
	/** Credit of the first account, in dollars. */
	readonly credit: number;
	/** File for the first account's key; undefined prints it. */
	readonly keyFile: string | undefined;
	/** Factor for the waits between calls. */
	readonly paceScale: number;
	/** Webhooks may be at private addresses, and without TLS. */
	readonly webhookTargets: 'public' | 'any';
	/** Proxies whose word about callers' addresses is trusted. */
	readonly trustedProxies: readonly string[];
	/** Relay: the host shown to renters, and its ports. */
	readonly relay:
		| {readonly host: string; readonly first: number; readonly last: number}
		| undefined;
	/** The market's share of what providers earn, from 0 to 1. */
	readonly share: number;
	/** People who may open an account without the operator. */
	readonly signUp: 'closed' | 'invited' | 'open';
	/** File with the secret that a payment service signs with. */
	readonly paymentSecretFile: string | undefined;
	/** Image that tests of machines run; undefined for the usual ones. */
	readonly testImage: string | undefined;
	/** Agents are served at `/mcp`. */
	readonly mcp: boolean;
};

const flags = {
	data: {
		type: 'string',
		value: 'FILE',
		about: 'where the market keeps everything; made where there is none',
	},
	database: {
		type: 'string',
		value: 'ADDRESS',
		about:
			'keep it on a PostgreSQL instead, with any number of processes like this one: postgres://user@host/name, or several hosts with commas between them, of which one can be written. A password is in PGPASSWORD, PGPASSFILE or ~/.pgpass, and never in the address',
	},
	port: {
		type: 'string',
		value: 'N',
		about: 'the port to listen on; 0 is any free one (default 8747)',
	},
	host: {
		type: 'string',
		value: 'ADDRESS',
		about: 'the address to listen on (default 127.0.0.1: this machine alone)',
	},
	'tls-cert': {
		type: 'string',
		value: 'FILE',
		about:
			'answer with TLS, by this certificate and those that lead to its authority, in PEM; a renewed file is taken into use within a minute',
	},
	'tls-key': {type: 'string', value: 'FILE', about: "the certificate's private key, in PEM"},
	'metrics-port': {
		type: 'string',
		value: 'N',
		about: "answer GET /metrics on this port, in Prometheus' form, without a key",
	},
	offers: {
		type: 'string',
		value: 'N',
		about:
			'make up so many offers, on hosts that are simulated (default 0); what is rented of them is kept in FILE.instances, and entered by SSH from this machine, where the market is for this machine alone',
	},
	seed: {type: 'string', value: 'N', about: 'the same number makes up the same offers (default 1)'},
	trouble: {
		type: 'string',
		value: 'RATES',
		about:
			'how often what goes wrong on simulated hosts: stuck=0.1,crash=0.05 (slow, stuck, crash, silence, disconnect; each from 0 to 1)',
	},
	'key-file': {
		type: 'string',
		value: 'FILE',
		about: 'a new file to keep the API key of the first time in, instead of printing it',
	},
	credit: {
		type: 'string',
		value: 'DOLLARS',
		about: 'what the first account may spend (default 1000)',
	},
	pace: {
		type: 'string',
		value: 'N',
		about: 'how strictly callers are paced: 0 not at all, 1 as usual (default 1)',
	},
	'webhook-targets': {
		type: 'string',
		value: 'WHICH',
		about:
			'public: webhooks are at public addresses with https:// (as usual); any: they may be at private ones and use http:// too, for a network of your own',
	},
	'trusted-proxy': {
		type: 'string',
		multiple: true,
		value: 'ADDRESS',
		about: 'a proxy whose X-Forwarded-For says who calls; may be given several times',
	},
	relay: {
		type: 'string',
		value: 'HOST',
		about:
			'lead renters to instances whose machines cannot be reached, and where renters are not let out: HOST is the name or address of this machine that renters are told, for good. Agents offer connections for it by themselves',
	},
	'relay-ports': {
		type: 'string',
		value: 'A-B',
		about: 'the ports of the relay, eight for each instance (default 42000-49999)',
	},
	share: {
		type: 'string',
		value: 'PERCENT',
		about: "the market's share of what providers earn (default 0)",
	},
	'sign-up': {
		type: 'string',
		value: 'WHO',
		about:
			'who may open an account without the operator: closed, nobody (as usual); invited, who has an invitation; open, everybody',
	},
	'payment-secret-file': {
		type: 'string',
		value: 'FILE',
		about: 'a file with the secret that a payment service signs with',
	},
	'test-image': {
		type: 'string',
		value: 'IMAGE',
		about:
			'the image that tests of machines run, with Python and for GPUs PyTorch (as usual the slim Python image, and on GPUs that of PyTorch)',
	},
	mcp: {
		type: 'boolean',
		about:
			'serve agents at /mcp, by the Model Context Protocol: with a key of an account as bearer token they read, and with one that has a cap they rent within it',
	},
	...helpFlag,
} as const;

export const marketUsage = usageText(
	`Usage: rentty market (--data FILE | --database ADDRESS) [options]
       rentty market copy --from PLACE --to PLACE
       rentty market check (--data FILE | --database ADDRESS)
       rentty market accounts WHAT (--data FILE | --market URL --key-file FILE)
       rentty market machines WHAT (--data FILE | --market URL --key-file FILE)
       rentty market relays WHAT (--data FILE | --market URL --key-file FILE)

Runs the marketplace service by itself, until it is told to end (Ctrl-C, SIGTERM). The first
time, it makes an API key, which is printed once, or kept in a file for you alone.`,
	flags,
	`One line of JSON on standard error tells of every call. It holds no keys.`,
);

export function readMarketCommand(argv: readonly string[]): MarketCommand | 'help' {
	const values = readFlags(argv, flags, 'rentty market');
	if (values.help === true) return 'help';
	if (values['key-file'] === '') throw new UsageError('--key-file needs a file.');
	if (values.host === '') throw new UsageError('--host needs an address.');
	return {
		file: readDataLocation(values),
		port: readWhole('--port', values.port ?? '8747', 65_535),
		address: values.host ?? '127.0.0.1',
		tls: readTls(values),
		...(values['metrics-port'] !== undefined && {
			metricsPort: readWhole('--metrics-port', values['metrics-port'], 65_535),
		}),
		offers: readWhole('--offers', values.offers ?? '0', 1_000_000),
		seed: readWhole('--seed', values.seed ?? '1', 2 ** 32 - 1),
		trouble: values.trouble,
		keyFile: values['key-file'],
		credit: readAmount('--credit', values.credit ?? '1000'),
		paceScale: readAmount('--pace', values.pace ?? '1'),
		webhookTargets: readTargets(values['webhook-targets']),
		trustedProxies: readAddresses(values['trusted-proxy']),
		relay: readRelay(values.relay, values['relay-ports']),
		share: readShare(values.share ?? '0'),
		signUp: readSignUp(values['sign-up']),
		paymentSecretFile: values['payment-secret-file'],
		testImage: readImage(values['test-image']),
		mcp: values.mcp === true,
	};
}

type DataOptions = {readonly data?: string | undefined; readonly database?: string | undefined};

/** @throws UsageError */
export function readDataLocation(
	{data = '', database}: DataOptions,
	program = 'rentty market',
): string {
	if (database === undefined) {
		if (data !== '') return data;
		throw new UsageError(`${program} needs --data with the file that everything is kept in.`);
	}
	if (data !== '') throw new UsageError(`${program} takes --data or --database, not both.`);
	if (/^postgres(ql)?:\/\//i.test(database)) return database;
	throw new UsageError('--database takes an address like postgres://user@host/name.');
}

export function readWhole(flag: string, text: string, most: number): number {
	if (/^\d{1,10}$/.test(text) && Number(text) <= most) return Number(text);
	throw new UsageError(`${flag} takes a whole number from 0 to ${most}.`);
}

type Tls = Readonly<Partial<Record<'tls-cert' | 'tls-key' | 'offers', string | undefined>>>;

export function readTls({'tls-cert': cert = '', 'tls-key': key = '', offers = '0'}: Tls) {
	if (cert === '' && key === '') return undefined;
	if (cert === '' || key === '') {
		throw new UsageError('--tls-cert and --tls-key are given together.');
	}
	if (offers !== '0') throw new UsageError('--offers makes up no offers on a market with TLS.');
	return {cert, key};
}

function readRelay(host: string | undefined, ports: string | undefined): MarketCommand['relay'] {
	if (host === undefined) {
		if (ports === undefined) return undefined;
		throw new UsageError('--relay-ports needs --relay with the host that is shown to renters.');
	}
	if (!isHost(host)) throw new UsageError('--relay takes a host, such as relay.example.org.');
	return {host, ...readPorts('--relay-ports', ports ?? '42000-49999', PORTS_OF_RELAYED)};
}

function readTargets(text = 'public'): MarketCommand['webhookTargets'] {
	if (text === 'public' || text === 'any') return text;
	throw new UsageError('--webhook-targets takes public or any.');
}

function readShare(text: string): number {
	if (/^\d{1,2}(\.\d{1,4})?$/.test(text)) return Number(text) / 100;
	throw new UsageError('--share takes a percentage from 0 to less than 100.');
}

function readSignUp(text = 'closed'): MarketCommand['signUp'] {
	if (text === 'closed' || text === 'invited' || text === 'open') return text;
	throw new UsageError('--sign-up takes closed, invited or open.');
}

function readImage(text: string | undefined): string | undefined {
	if (text === undefined || plainImageName(text) !== undefined) return text;
	throw new UsageError('--test-image takes the name of an image, such as python:3.13-slim.');
}

function readAddresses(texts: readonly string[] = []): readonly string[] {
	if (texts.every(text => isIP(text) !== 0)) return texts;
	throw new UsageError('--trusted-proxy takes the IP address of a proxy.');
}

function readAmount(flag: string, text: string): number {
	if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Number(text);
	throw new UsageError(`${flag} takes a number of at least 0.`);
}
