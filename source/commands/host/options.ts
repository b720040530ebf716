import {isIP} from 'node:net';
import {join, resolve} from 'node:path';
import {countryOf} from '../../contract/grammar/filter-match.ts';
import {isRegistry, MOST_REGISTRIES, plainImageName} from '../../contract/rules/image-name.ts';
import {listenFor, type PortAddresses} from '../../host/machine/port-choice.ts';
import {helpFlag, marketFlags, usageText} from '../base/help-text.ts';
import {readCount, readDollars, readFlags, readPorts} from '../base/options.ts';
import {readServiceUrl} from '../../renter/profiles/target.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import type {RuntimeKind} from './own-folder.ts';
import type {HostTerms} from './own-host.ts';

export type HostCommand = {
	readonly url: string;
	readonly keyFile: string;
	/** File with the certificate of a private authority, of the market's certificate. */
	readonly caFile: string | undefined;
	/** Dollars an hour for one GPU. */
	readonly price: number;
	/** The command line gives the price: it is not the default. */
	readonly isPriced: boolean;
	readonly terms: HostTerms;
	readonly folder: string;
	readonly reach: PortAddresses;
	/** Undefined for the one that its folder knows, or its own. */
	readonly name: string | undefined;
	/** City and country that renters read; undefined if it is not said. */
	readonly place: string | undefined;
	readonly runtime: RuntimeKind;
	/** Renters may use images of this machine and of its network. */
	readonly allowsLocalImages: boolean;
	/** Registries that renters may push snapshots to. */
	readonly pushRegistries: readonly string[];
	/** Images that are pulled before they are rented. */
	readonly warm: readonly string[];
	/** Port for figures of the GPUs; undefined for none. */
	readonly metricsPort: number | undefined;
	/** The provider trusts the renters. */
	readonly isTrusted: boolean;
};

const flags = {
	...marketFlags({
		market: 'the market to offer it on',
		key: 'the API key of whoever provides the machine',
	}),
	price: {
		type: 'string',
		value: 'DOLLARS',
		about:
			'for one GPU and hour, or for a machine without any (default: what was said before, or 0.1)',
	},
	disk: {
		type: 'string',
		value: 'DOLLARS',
		about: 'for a GB and month (default: what was said before, or 0.1)',
	},
	up: {type: 'string', value: 'DOLLARS', about: 'for a GB out of the machine (default: 0)'},
	down: {type: 'string', value: 'DOLLARS', about: 'for a GB into it (default: 0)'},
	bid: {
		type: 'string',
		value: 'DOLLARS',
		about: 'the least bid for a GPU and hour (default: half of the price)',
	},
	parts: {
		type: 'string',
		value: 'N',
		about: 'the least number of GPUs that are rented together: 1, 2, 4, 8, 16 or 32',
	},
	folder: {
		type: 'string',
		value: 'DIR',
		about: "where instances are kept (default: one for each market, in the user's data)",
	},
	address: {
		type: 'string',
		value: 'IP',
		about:
			'the address shown to renters, also that of a router which leads here (default 127.0.0.1, from this machine alone; of a market elsewhere, renters then enter by its relay)',
	},
	listen: {
		type: 'string',
		value: 'IP',
		about:
			'the address of this machine that ports are bound to (default: --address where this machine has it, and all addresses where a router has)',
	},
	ports: {
		type: 'string',
		value: 'A-B',
		about:
			'the only ports of this machine that instances get, such as 40000-40999: open them in the firewall, or forward them in the router (default: any free ones)',
	},
	name: {
		type: 'string',
		value: 'NAME',
		about:
			'what the machine is called among those of its account (default: what it was called before from its folder, or its own name)',
	},
	place: {
		type: 'string',
		value: 'PLACE',
		about:
			"the city and the country as two letters, such as 'Stockholm, SE': renters search by it (default: none)",
	},
	runtime: {
		type: 'string',
		value: 'KIND',
		about:
			'container: Docker or Podman; sandbox: bubblewrap; process: no walls at all; auto, the default: what keeps the rentals in the folder, else the first of these that works here',
	},
	'local-images': {
		type: 'boolean',
		about:
			'renters may have images that are on this machine, by number too, and those of registries in its network',
	},
	'push-to': {
		type: 'string',
		value: 'HOSTS',
		about:
			'registries that renters may push snapshots of containers to, with commas between: ghcr.io,docker.io',
	},
	warm: {
		type: 'string',
		value: 'IMAGES',
		about:
			'images that are pulled as it starts, with commas between, and kept; others that it has pulled go, the longest unused first, where the disk is nearly full',
	},
	'metrics-port': {
		type: 'string',
		value: 'N',
		about:
			"answer GET /metrics on this port of this machine, in Prometheus' form: how its GPUs are",
	},
	trusted: {
		type: 'boolean',
		about:
			'offers the machine although not all of its walls can be had: those who rent it are people you trust with it',
	},
	...helpFlag,
} as const;

export const hostUsage = usageText(
	`Usage: rentty host --market URL --key-file FILE [options]

Offers this machine on a market and runs what is rented of it, until it is told to end (Ctrl-C,
SIGTERM). What runs goes on without it, and is found again when it is started again.`,
	flags,
	`rentty host list, price, maintain, unlist, drain and earnings show and change what is offered already:
rentty host list --help. rentty host install has systemd run the agent: rentty host install --help.

Everybody is a stranger without --trusted. A machine is offered to strangers where instances have
walls (a container engine or bubblewrap), networks of their own (slirp4netns, ip and nft) and limits
for memory and processes (control groups). What else cannot be limited is said as it starts.

Use is measured where an instance runs: processor, memory, disk and GPUs. What goes over the
line is counted for containers alone. SSH leads into all of them, with scp, sftp, rsync, -A, -L, -R
and -D; -R into containers asks for nsenter and the right to use it.`,
);

type Values = ReturnType<typeof readFlags<typeof flags>>;

/**
 * Reads the words after `rentty host`.
 *
 * @param dataFolder folder of files that must not be lost.
 * @throws UsageError
 */
export function readHostCommand(argv: readonly string[], dataFolder: string): HostCommand | 'help' {
	const values = readFlags(argv, flags, 'rentty host');
	if (values.help === true) return 'help';
	const url = readServiceUrl('--market', needed('--market', values.market));
	return {
		url,
		keyFile: needed('--key-file', values['key-file']),
		caFile: values.ca,
		price: readPrice(values.price ?? '0.1'),
		isPriced: values.price !== undefined,
		terms: readTerms(values),
		folder: resolve(values.folder ?? join(dataFolder, 'host', nameOfMarket(url))),
		reach: readReach(url, values),
		name: values.name === undefined ? undefined : readName(values.name),
		place: values.place === undefined ? undefined : readPlace(values.place),
		runtime: readRuntime(values.runtime ?? 'auto'),
		allowsLocalImages: values['local-images'] === true,
		pushRegistries: readRegistries(values['push-to'] ?? ''),
		warm: readImages(values.warm ?? ''),
		metricsPort: readCount('--metrics-port', values['metrics-port'], 65_535),
		isTrusted: values.trusted === true,
	};
}

function readRegistries(text: string): readonly string[] {
	const names = text.split(',').filter(name => name !== '');
	const isFit = names.length <= MOST_REGISTRIES && names.every(isRegistry);
	if (isFit) return names;
	throw new UsageError(
		`--push-to takes at most ${MOST_REGISTRIES} registries with commas between, such as ghcr.io,docker.io.`,
	);
}

function readImages(text: string): readonly string[] {
	const names = text.split(',').filter(name => name !== '');
	if (names.every(name => plainImageName(name) !== undefined)) return names;
	throw new UsageError('--warm takes names of images with commas between, such as ubuntu:24.04.');
}

function needed(flag: string, value: string | undefined): string {
	if (value !== undefined && value !== '') return value;
	throw new UsageError(`rentty host needs ${flag}. rentty host --help says what for.`);
}

/** Highest price of a GPU. */
const HIGHEST_PRICE = 100;

function readPrice(text: string): number {
	if (/^\d{1,3}(\.\d{1,6})?$/.test(text) && Number(text) <= HIGHEST_PRICE) return Number(text);
	throw new UsageError(`--price takes dollars an hour, from 0 to ${HIGHEST_PRICE}.`);
}

/** Sizes in which GPUs are rented together. */
const CHUNKS = [1, 2, 4, 8, 16, 32];

function readTerms({disk, up, down, bid, parts}: Values): HostTerms {
	const chunk = readCount('--parts', parts);
	if (chunk !== undefined && !CHUNKS.includes(chunk)) {
		throw new UsageError('--parts takes one of 1, 2, 4, 8, 16 and 32.');
	}
	const given = {
		price_disk: readDollars('--disk', disk),
		price_inetu: readDollars('--up', up),
		price_inetd: readDollars('--down', down),
		price_min_bid: readDollars('--bid', bid),
		min_chunk: chunk,
	};
	return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function readReach(url: string, {address: told = HERE, listen, ports}: Values): PortAddresses {
	const address = readAddress('--address', told);
	return {
		address,
		listen: listen === undefined ? listenFor(address) : readAddress('--listen', listen),
		portRange: ports === undefined ? undefined : readPorts('--ports', ports, LEAST_PORTS),
		isDirect: !isLoopback(address) || isLoopback(new URL(url).hostname),
	};
}

const HERE = '127.0.0.1';

/** Fewest ports of a machine: each instance has one for SSH, and the market checks one. */
const LEAST_PORTS = 2;

function isLoopback(host: string): boolean {
	return /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);
}

function readAddress(flag: string, text: string): string {
	if (isIP(text) !== 0) return text;
	throw new UsageError(`${flag} takes an IP address, such as 192.0.2.7.`);
}

const LONGEST_NAME = 64;

function readName(text: string): string {
	if (text !== '' && text.length <= LONGEST_NAME && !/\p{C}/u.test(text)) return text;
	throw new UsageError(`--name takes from 1 to ${LONGEST_NAME} characters.`);
}

function readPlace(text: string): string {
	const isFit = text.length <= 64 && countryOf(text) !== null && !/\p{C}/u.test(text);
	if (isFit) return text.trim();
	throw new UsageError(
		"--place takes a city and its country as two letters, such as 'Stockholm, SE'.",
	);
}

function readRuntime(text: string): RuntimeKind {
	switch (text) {
		case 'auto':
		case 'sandbox':
		case 'process':
		case 'container':
			return text;
		default:
			throw new UsageError('--runtime is one of auto, container, sandbox and process.');
	}
}

/** A folder name for a market, so that the files of two markets do not mix. */
function nameOfMarket(url: string): string {
	return new URL(url).host.replaceAll(/[^\w.-]/g, '_');
}
