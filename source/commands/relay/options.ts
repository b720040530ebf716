import {RELAY_PORT} from '../../contract/nouns/relays.ts';
import {readServiceUrl} from '../../renter/profiles/target.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {readTls, readWhole, type MarketCommand} from '../market/options.ts';
import {helpFlag, marketFlags, usageText} from '../base/help-text.ts';
import {readCount, readFlags} from '../base/options.ts';

type RelayCommand = Pick<MarketCommand, 'address' | 'port' | 'tls'> & {
	readonly url: string;
	readonly keyFile: string;
	readonly caFile: string | undefined;
	readonly metricsPort: number | undefined;
};

const flags = {
	...marketFlags({market: 'the market that it belongs to', key: 'the key of the relay'}),
	host: {
		type: 'string',
		value: 'ADDRESS',
		about: 'the address to listen on, for agents and renters (default 0.0.0.0: all of them)',
	},
	port: {type: 'string', value: 'N', about: `the port that agents dial (default ${RELAY_PORT})`},
	'tls-cert': {
		type: 'string',
		value: 'FILE',
		about:
			'answer agents with TLS, by this certificate and those that lead to its authority, in PEM; a renewed file is taken into use within a minute',
	},
	'tls-key': {type: 'string', value: 'FILE', about: "the certificate's private key, in PEM"},
	'metrics-port': {
		type: 'string',
		value: 'N',
		about: "answer GET /metrics on this port of this machine, in Prometheus' form",
	},
	...helpFlag,
} as const;

export const relayUsage = usageText(
	`Usage: rentty relay --market URL --key-file FILE [options]

Leads renters to instances whose machines cannot be reached, beside a market on another machine.
The market's operator adds the relay with rentty market relays add, which makes its key and says
which ports it has. Runs until it is told to end (Ctrl-C, SIGTERM).`,
	flags,
	`It has no key of anybody: SSH goes through as it is, agents show a ticket of the market, and the
market alone says whose ports are whose.`,
);

/** @throws UsageError */
export function readRelayCommand(argv: readonly string[]): RelayCommand | 'help' {
	const values = readFlags(argv, flags, 'rentty relay');
	if (values.help === true) return 'help';
	const {market = '', 'key-file': keyFile = '', host = '0.0.0.0'} = values;
	if (market === '' || keyFile === '') {
		throw new UsageError('rentty relay needs --market and --key-file.');
	}
	if (host === '') throw new UsageError('--host needs an address.');
	return {
		url: readServiceUrl('--market', market),
		keyFile,
		caFile: values.ca,
		address: host,
		port: readWhole('--port', values.port ?? String(RELAY_PORT), 65_535),
		tls: readTls(values),
		metricsPort: readCount('--metrics-port', values['metrics-port'], 65_535),
	};
}
