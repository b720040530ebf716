/** `rentty relay`: a relay beside a market. */
import process from 'node:process';
import {harmlessLine} from '../../contract/grammar/harmless-text.ts';
import {parseApiKey} from '../../renter/profiles/target.ts';
import {readNamedFile} from '../../renter/text/usage-error.ts';
import {trustAuthority} from '../base/authority.ts';
import {isOpenWithoutTls} from '../market/market.ts';
import {openLineWriter} from '../base/output.ts';
import {openBesideMarket} from './beside.ts';
import {readRelayCommand, relayUsage} from './options.ts';

const openWithoutTls =
	'The relay listens beyond this machine without TLS, so that tickets of agents can be read on their way: give --tls-cert and --tls-key.';

/** Runs until a signal or a refusal of the market ends it, and returns the exit code. */
export async function runRelay(argv: readonly string[]): Promise<number> {
	const command = readRelayCommand(argv);
	if (command === 'help') {
		process.stdout.write(relayUsage);
		return 0;
	}
	if (command.caFile !== undefined) trustAuthority(command.caFile);
	const asked = signalled();
	const key = parseApiKey(command.keyFile, readNamedFile(command.keyFile));
	const relay = await openBesideMarket({...command, key, log});
	if (isOpenWithoutTls({...command, trustedProxies: []})) log(openWithoutTls);
	const {name, first, last} = relay;
	const say = openLineWriter(process.stdout);
	say(`rentty relay ${name} leads ports ${first}-${last}, and takes agents at ${relay.url}`);
	if (relay.metricsUrl !== undefined) say(`It counts at ${relay.metricsUrl}/metrics`);
	const reason = await Promise.race([asked, relay.ended]);
	await relay.close();
	return reason === undefined ? 0 : 1;
}

function log(line: string): void {
	process.stderr.write(`rentty: ${harmlessLine(line)}\n`);
}

/** Fulfils when a signal asks the process to end. */
async function signalled(): Promise<undefined> {
	const {promise, resolve} = Promise.withResolvers<undefined>();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.once(signal, () => resolve(undefined));
	return promise;
}
