/** Connections between processes: each request has a fate, and takes its time on the way. */
import {befall} from '../tried.ts';
import type {Chance} from '../world/chance.ts';
import {current, here, textOf, world, type Process} from '../world/world.ts';

/** What may become of a request on its way. */
export const fates = [
	'fine',
	'slow',
	'unsent',
	'lost before',
	'lost after',
	'failed before',
	'failed after',
	'cut',
	'twice',
	'late',
] as const;
export type Fate = (typeof fates)[number];

export type Sent = {
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | null;
	readonly signal?: AbortSignal | undefined;
};

export type Received = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
};

/** Answers a request; the signal fires when whoever asked is gone. */
type Serve = (sent: Sent, signal: AbortSignal) => Promise<Received>;

export type Rates = {
	/** Share of requests that change something and do not go well. */
	changes: number;
	/** Share of orders that do not go well whose command is killed before it hears of it. */
	kills: number;
	/** The same of those that read. */
	reads: number;
};

export type Parting = 'from' | 'to' | 'both';

type Network = {
	/** Decides the fate of a request. */
	readonly rates: Rates;
	/** Machines from which nothing arrives, to which nothing does, or neither. */
	readonly parted: Map<string, Parting>;
	/** Those that share an address take its requests by chance. */
	readonly servers: Map<string, readonly Server[]>;
	readonly chance: Chance;
};

let network: Network | undefined;

export function openNetwork(): Network {
	network = {
		rates: {changes: 0, reads: 0, kills: 0},
		parted: new Map(),
		servers: new Map(),
		chance: world().chance('network'),
	};
	return network;
}

export function networkHere(): Network {
	if (network === undefined) throw new Error('there is no network');
	return network;
}

const failure = (code: string, message: string) => Object.assign(new Error(message), {code});

const serversAt = (origin: string) =>
	(networkHere().servers.get(origin) ?? []).filter(({owner}) => owner.isAlive);

/** Takes requests at an address until its process ends. */
export function serveAt(origin: string, serve: Serve): void {
	networkHere().servers.set(origin, [...serversAt(origin), {owner: here(), serve}]);
}

export function stopServing(origin: string): void {
	const others = serversAt(origin).filter(({owner}) => owner !== here());
	networkHere().servers.set(origin, others);
}

/** Milliseconds of one way. */
function wayMs(chance: Chance, fate: Fate): number {
	return fate === 'slow' ? 500 + chance.wait(4000) : 1 + chance.wait(20);
}

/** Fates after which nobody knows whether something was made: orders get these, and more of them. */
const doubtful = ['lost after', 'failed after', 'cut', 'twice', 'late', 'late'] as const;

const isOrder = ({method, path}: Pick<Sent, 'method' | 'path'>) =>
	method === 'PUT' && path.includes('/asks/');

/** Kills whoever has just sent an order, and does not know what became of it. */
function killSender({rates}: Network, chance: Chance): void {
	const sender = current();
	if (sender === undefined || !chance.happens(rates.kills)) return;
	world().outside(1 + chance.wait(500), () => {
		const {name} = sender.machine;
		if (!sender.isAlive || !befall('killed after its order', name, {machine: name})) return;
		world().tell(`${name}: whoever sent the order is killed`);
		world().end(sender);
	});
}

function drawFate({rates}: Network, chance: Chance, {method, path}: Sent): Fate {
	if (isOrder({method, path}) && chance.happens(rates.changes * 2)) return chance.pick(doubtful);
	const isReading = method === 'GET' || path.includes('/hosts/');
	if (!chance.happens(isReading ? rates.reads : rates.changes)) return 'fine';
	return chance.pick(fates.slice(1));
}

/** Fates as the story tells them. */
const words: Readonly<Record<Exclude<Fate, 'fine'>, string>> = {
	slow: 'is slow',
	unsent: 'finds no connection',
	'lost before': 'is lost on its way',
	'lost after': 'is done; its answer is lost',
	'failed before': 'is not done; a gateway answers 502',
	'failed after': 'is done; a gateway answers 502',
	cut: 'is done; its answer is cut',
	twice: 'arrives twice',
	late: 'arrives late',
};

function fateOf(net: Network, chance: Chance, sent: Sent): Fate {
	const fate = drawFate(net, chance, sent);
	if (fate === 'fine') return fate;
	const name = current()?.machine.name ?? 'somebody';
	const {method, path} = sent;
	const [, id] = /\/instances\/(?:prepay\/|bid_price\/)?(\d+)/.exec(path) ?? [];
	const about = {machine: name, id: id === undefined ? undefined : Number(id)};
	if (!befall(fate, name, about)) return 'fine';
	world().tell(`${name}: ${method} ${path.slice(0, 60)} ${words[fate]}`);
	return fate;
}

const pageOfGateway: Received = {
	status: 502,
	headers: {'content-type': 'text/html'},
	text: '<html><h1>502 Bad Gateway</h1></html>',
};

/**
 * Sends a request for the process whose code runs.
 *
 * @throws Error with the code of a connection's end
 */
export async function send(origin: string, sent: Sent): Promise<Received> {
	const net = networkHere();
	const chance = current()?.chance ?? net.chance;
	const fate = fateOf(net, chance, sent);
	if (isOrder(sent) && fate !== 'fine') killSender(net, chance);
	return new Promise<Received>((resolve, reject) => {
		const gone = new AbortController();
		let isSettled = false;
		const settle = (act: () => void) => {
			if (isSettled) return;
			isSettled = true;
			sent.signal?.removeEventListener('abort', leave);
			gone.abort();
			act();
		};
		const leave = () => settle(() => reject(sent.signal?.reason));
		if (sent.signal?.aborted === true) return leave();
		sent.signal?.addEventListener('abort', leave);
		const end = (error: Error) => settle(() => reject(error));
		const owner = current();
		const back = (act: () => void) => world().after(wayMs(chance, fate), act, owner);
		const answer = (received: Received) => back(() => settle(() => resolve(received)));
		const reset = () => back(() => end(failure('ECONNRESET', 'read ECONNRESET')));
		arrive(net, {chance, origin, sent, fate, signal: gone.signal, owner, end, answer, reset});
	});
}

type Arrival = {
	readonly chance: Chance;
	readonly origin: string;
	readonly sent: Sent;
	readonly fate: Fate;
	readonly signal: AbortSignal;
	readonly owner: Process | undefined;
	readonly end: (error: Error) => void;
	readonly answer: (received: Received) => void;
	readonly reset: () => void;
};

function arrive(net: Network, arrival: Arrival): void {
	const {chance, origin, fate, owner, signal, end, answer, reset} = arrival;
	const isParted = isPartedAt(net, owner, 'from');
	const refuse = () =>
		world().after(1, () => end(failure('ECONNREFUSED', 'connect ECONNREFUSED')), owner);
	if (fate === 'unsent') return void refuse();
	// A lost packet is heard of by nobody: the patience of whoever asks ends it.
	if (isParted || fate === 'lost before') return;
	if (fate === 'failed before') return answer(pageOfGateway);
	const servers = serversAt(origin);
	const server = servers.length > 1 ? chance.pick(servers) : servers[0];
	if (server === undefined) return void refuse();
	// The server hears of it in its own time, and not at all where it was killed meanwhile.
	const heard = new AbortController();
	signal.addEventListener('abort', () => {
		world().after(wayMs(chance, fate), () => heard.abort(), server.owner);
	});
	// Longer than anybody looks for what became of an order.
	const late = fate === 'late' ? 15_000 + chance.wait(isOrder(arrival.sent) ? 90_000 : 30_000) : 0;
	const times = fate === 'twice' ? 2 : 1;
	for (let time = 0; time < times; time++) {
		world().after(
			wayMs(chance, fate) + late + time * chance.wait(300),
			() => void serveOnce(net, server, {...arrival, signal: heard.signal}),
			server.owner,
		);
	}
	const patience = world().after(120_000, reset, owner);
	signal.addEventListener('abort', () => {
		patience.isCancelled = true;
	});
}

function isPartedAt(net: Network, owner: Process | undefined, way: 'from' | 'to'): boolean {
	const parting = owner === undefined ? undefined : net.parted.get(owner.machine.name);
	return parting === 'both' || parting === way;
}

type Server = {readonly owner: Process; readonly serve: Serve};

async function serveOnce(net: Network, {owner: server, serve}: Server, arrival: Arrival) {
	const {sent, fate, owner, answer, reset} = arrival;
	// Somebody between holds on to what whoever sent it has given up.
	const isHeld = fate === 'twice' || fate === 'late';
	const signal = isHeld ? new AbortController().signal : arrival.signal;
	try {
		const received = await serve(sent, signal);
		if (fate === 'lost after' || isPartedAt(net, owner, 'to')) return;
		if (fate === 'cut') reset();
		else answer(fate === 'failed after' ? pageOfGateway : received);
	} catch (error) {
		world().crashes.push(`${server.name} did not answer: ${textOf(error)}`);
		reset();
	}
}
