/** A relay beside a market, in the process of a test. */
import {openClient} from '../../../source/client/client.ts';
import {openBesideMarket} from '../../../source/commands/relay/beside.ts';

type Adding = {
	readonly host: string;
	readonly first: number;
	readonly last: number;
	readonly name?: string;
};

type Operated = {
	readonly url: string;
	readonly createOperatorKey: (name: string) => Promise<string>;
};

/** Adds a relay, and runs it at the port behind its range. */
export async function openBeside(market: Operated, {name = 'near', host, first, last}: Adding) {
	const key = await market.createOperatorKey(`operator of ${name}`);
	const client = openClient({url: market.url, key, paceScale: 0});
	const port = last + 1;
	const added = await client.operator.addRelay({
		name,
		host,
		first_port: first,
		last_port: last,
		url: `http://${host}:${port}`,
	});
	const lines: string[] = [];
	const open = async () =>
		openBesideMarket({
			url: market.url,
			key: added.api_key,
			address: host,
			port,
			log: line => lines.push(line),
		});
	let relay = await open();
	return {
		id: added.id,
		key: added.api_key,
		operator: client.operator,
		lines,
		relay: () => relay,
		restart: async () => void (relay = await relay.close().then(open)),
		async close() {
			await relay.close();
			await client.close();
		},
	};
}
