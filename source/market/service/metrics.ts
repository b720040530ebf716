/** Metrics of a market in Prometheus' text format, without accounts, keys or ids. */
import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import {promisify} from 'node:util';
import type {MarketClock} from '../base/clock.ts';
import type {ChangeNumbers} from '../database/changes.ts';
import {stopServer} from '../http/listen.ts';
import type {LedgerWatch} from '../sweep/ledger.ts';
import type {Database} from '../database/database.ts';
import {oldestHeartbeat} from '../lifecycle/machines-store.ts';
import type {Relay, RelayFigures} from '../relay/relay.ts';
import type {Sweeper} from '../base/sweeper.ts';

/** Upper bounds of latency buckets in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export type Answered = {
	readonly method: string;
	/** The path with names in place of ids. */
	readonly path: string;
	/** The error word of a refusal; `ok` otherwise. */
	readonly outcome: string;
	readonly status: number;
	readonly seconds: number;
};

type Gauges = Readonly<Record<string, number | undefined>>;

export type Metrics = {
	readonly answered: (call: Answered) => void;
	readonly rented: (outcome: 'rented' | 'taken') => void;
	readonly write: (gauges: Gauges) => string;
};

type Latency = {readonly counts: number[]; sum: number; count: number};

export function createMetrics(): Metrics {
	const answers = new Map<string, number>();
	const latencies = new Map<string, Latency>();
	const rents = {rented: 0, taken: 0};
	return {
		answered({method, path, outcome, status, seconds}) {
			const endpoint = `endpoint="${method} ${path}"`;
			const answer = `${endpoint},status="${status}",outcome="${outcome}"`;
			answers.set(answer, (answers.get(answer) ?? 0) + 1);
			const latency = latencies.get(endpoint) ?? {counts: BUCKETS.map(() => 0), sum: 0, count: 0};
			latencies.set(endpoint, latency);
			const bucket = BUCKETS.findIndex(end => seconds <= end);
			if (bucket >= 0) latency.counts[bucket] = (latency.counts[bucket] ?? 0) + 1;
			latency.sum += seconds;
			latency.count += 1;
		},
		rented(outcome) {
			rents[outcome] += 1;
		},
		write(gauges) {
			const lines = [
				'# TYPE rentty_requests_total counter',
				...[...answers].map(([labels, count]) => `rentty_requests_total{${labels}} ${count}`),
				'# TYPE rentty_request_seconds histogram',
				...[...latencies].flatMap(([labels, latency]) => latencyLines(labels, latency)),
				'# TYPE rentty_rents_total counter',
				`rentty_rents_total ${rents.rented}`,
				'# TYPE rentty_rents_refused_as_taken_total counter',
				`rentty_rents_refused_as_taken_total ${rents.taken}`,
				...gaugeLines(gauges),
			];
			return `${lines.join('\n')}\n`;
		},
	};
}

export function gaugeLines(gauges: Gauges): readonly string[] {
	return Object.entries(gauges).flatMap(([name, value]) =>
		value === undefined ? [] : [`# TYPE rentty_${name} gauge`, `rentty_${name} ${value}`],
	);
}

/** Lines of a histogram, whose buckets are cumulative. */
function latencyLines(labels: string, {counts, sum, count}: Latency): readonly string[] {
	const name = 'rentty_request_seconds';
	let below = 0;
	return [
		...BUCKETS.map((end, index) => {
			below += counts[index] ?? 0;
			return `${name}_bucket{${labels},le="${end}"} ${below}`;
		}),
		`${name}_bucket{${labels},le="+Inf"} ${count}`,
		`${name}_sum{${labels}} ${sum}`,
		`${name}_count{${labels}} ${count}`,
	];
}

/** Answers `GET /metrics`, on a port of its own. */
export async function serveMetrics(
	write: () => Promise<string>,
	{port, address}: {readonly port: number; readonly address: string},
): Promise<Server> {
	const server = createServer({requestTimeout: 10_000}, ({method, url}, response) => {
		if (method !== 'GET' || url?.split('?')[0] !== '/metrics') {
			response.writeHead(404).end();
			return;
		}
		write().then(
			text => response.writeHead(200, {'content-type': 'text/plain; version=0.0.4'}).end(text),
			() => response.writeHead(503).end(),
		);
	});
	server.listen(port, address);
	await once(server, 'listening');
	return server;
}

type Measured = {
	readonly database: Database;
	readonly changes: ChangeNumbers;
	readonly clock: MarketClock;
	readonly sweeper: Sweeper;
	readonly server: Server;
	readonly ledger: Pick<LedgerWatch, 'faults'>;
	readonly relay?: Pick<Relay, 'figures'> | undefined;
};

export async function openFigures(
	metrics: Metrics | undefined,
	{
		metricsPort: port,
		address = '127.0.0.1',
	}: {readonly metricsPort?: number; readonly address?: string},
	{database, changes, clock, sweeper, server, ledger, relay}: Measured,
): Promise<Server | undefined> {
	if (metrics === undefined || port === undefined) return undefined;
	const write = async () => {
		const heardAt = await oldestHeartbeat(database);
		const pool = changes.connections();
		return metrics.write({
			sweep_lag_seconds: sweeper.lag(),
			ledger_faults: ledger.faults(),
			oldest_heartbeat_age_seconds: heardAt === undefined ? undefined : clock.now() - heardAt,
			connections: await promisify<number>(done => server.getConnections(done))(),
			...(relay && relayGauges(relay.figures())),
			database_connections_open: pool?.open,
			database_connections_used: pool?.lent,
			database_connections_waited_for: pool?.waiting,
		});
	};
	try {
		return await serveMetrics(write, {port, address});
	} catch (error) {
		// Without its metrics port, the market must not start.
		await stopServer(server);
		throw error;
	}
}

export function relayGauges({agents, connections, refused, sent, received}: RelayFigures): Gauges {
	return {
		relay_sessions: agents,
		relay_connections: connections,
		relay_refused: refused,
		relay_bytes_sent: sent,
		relay_bytes_received: received,
	};
}
