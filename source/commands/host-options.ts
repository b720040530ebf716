import {hostname} from 'node:os';
import {isIP} from 'node:net';
import {join, resolve} from 'node:path';
import {isRegistry, MOST_REGISTRIES} from '../contract/rules/image-name.ts';
import {readFlags} from './options.ts';
import {readServiceUrl} from '../renter/profiles/target.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import type {RuntimeKind} from './own-host.ts';

/** Options of `host`, parsed. */
export type HostCommand = {
	readonly url: string;
	readonly keyFile: string;
	/** Dollars an hour for one GPU. */
	readonly price: number;
	/** The command line gives the price: it is not the default. */
	readonly isPriced: boolean;
	readonly folder: string;
	readonly address: string;
	readonly name: string;
	readonly runtime: RuntimeKind;
	/** Renters may use images of this machine and of its network. */
	readonly allowsLocalImages: boolean;
	/** Registries that renters may push snapshots to. */
	readonly pushRegistries: readonly string[];
	/** The provider trusts the renters. */
	readonly isTrusted: boolean;
};

export const hostUsage = `Usage: rentty host --market URL --key-file FILE [options]

Offers this machine on a market and runs what is rented of it, until it is told to end (Ctrl-C,
SIGTERM). What runs goes on without it, and is found again when it is started again.

  --market URL        the market to offer it on
  --key-file FILE     a file that holds nothing but the API key of whoever provides the machine
  --price DOLLARS     for one GPU and hour, or for a machine without any (default: what was said
                      before, or 0.1)
  --folder DIR        where instances are kept (default: one for each market, in the user's data)
  --address IP        the address of this machine that instances are entered by
                      (default 127.0.0.1: from this machine alone)
  --name NAME         what the machine is called among those of its account (default: its own name)
  --runtime KIND      container: Docker or Podman; sandbox: bubblewrap; process: no walls at all;
                      auto, the default: the first of these that works here
  --local-images      renters may have images that are on this machine, by number too, and those of
                      registries in its network
  --push-to HOSTS     registries that renters may push snapshots of containers to, with commas
                      between: ghcr.io,docker.io
  --trusted           offers the machine although not all of its walls can be had: those who
                      rent it are people you trust with it
  --help              this text

rentty host list, price, maintain, unlist and earnings show and change what is offered already:
rentty host list --help.

Everybody is a stranger without --trusted. A machine is offered to strangers where instances have
walls (a container engine or bubblewrap), networks of their own (slirp4netns, ip and nft) and limits
for memory and processes (control groups). What else cannot be limited is said as it starts.

Use is measured where an instance runs: processor, memory, disk and GPUs. What goes over the
line is counted for containers alone. SSH leads into all of them, with scp, sftp, rsync, -L, -R
and -D; -R into containers asks for nsenter and the right to use it.
`;

const flags = {
	market: {type: 'string'},
	'key-file': {type: 'string'},
	price: {type: 'string'},
	folder: {type: 'string'},
	address: {type: 'string'},
	name: {type: 'string'},
	runtime: {type: 'string'},
	'local-images': {type: 'boolean'},
	'push-to': {type: 'string'},
	trusted: {type: 'boolean'},
	help: {type: 'boolean', short: 'h'},
} as const;

/**
 * Reads the words after `rentty host`.
 *
 * @param dataFolder Where the program keeps files that must not be lost.
 * @throws UsageError
 */
export function readHostCommand(argv: readonly string[], dataFolder: string): HostCommand | 'help' {
	const values = readFlags(argv, flags, 'rentty host');
	if (values.help === true) return 'help';
	const url = readServiceUrl('--market', needed('--market', values.market));
	return {
		url,
		keyFile: needed('--key-file', values['key-file']),
		price: readPrice(values.price ?? '0.1'),
		isPriced: values.price !== undefined,
		folder: resolve(values.folder ?? join(dataFolder, 'host', nameOfMarket(url))),
		address: readAddress(values.address ?? '127.0.0.1'),
		name: readName(values.name ?? hostname()),
		runtime: readRuntime(values.runtime ?? 'auto'),
		allowsLocalImages: values['local-images'] === true,
		pushRegistries: readRegistries(values['push-to'] ?? ''),
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

function readAddress(text: string): string {
	if (isIP(text) !== 0) return text;
	throw new UsageError('--address takes an IP address of this machine, such as 192.0.2.7.');
}

const LONGEST_NAME = 64;

function readName(text: string): string {
	if (text !== '' && text.length <= LONGEST_NAME && !/\p{C}/u.test(text)) return text;
	throw new UsageError(`--name takes from 1 to ${LONGEST_NAME} characters.`);
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
