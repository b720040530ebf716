/** Runs the open tests of machines step by step, from state in the database. */
import {once, setMaxListeners} from 'node:events';
import type {Access} from '../../contract/nouns/host-work.ts';
import type {Log} from '../base/log.ts';
import type {MarketClock} from '../base/clock.ts';
import {hostsReason} from '../lifecycle/rules.ts';
import {askHost} from '../tasks/ask.ts';
import {
	beginDueTests,
	finishTest,
	instanceOf,
	type Finished,
	type Testing,
} from './machine-tests.ts';
import {claimedColumns} from './gpu-models.ts';
import {proveMachine, type MachineProof} from './proof-of-machine.ts';
import {createMeetings} from './meetings.ts';
import {type MachineCheck, readTestLines, TEST_WORD} from './rules.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {openTests} from './store.ts';
import {offersById} from '../offers/store.ts';
import type {MachineTestRow} from '../database/provider-tables.ts';
import {findAnswer} from '../tasks/store.ts';
import type {ChangeNumbers} from '../database/changes.ts';
import {instanceAddressesOf} from '../instances/columns-rules.ts';
import {
	createReach,
	type ReachFinding,
	type HostAndPort,
	type ReachTest,
	type ReachOptions,
} from './reach.ts';

const EVERY_MS = 1000;
/** Time limit of a test's start, and of its report. */
const START_SECONDS = 900;
const REPORT_SECONDS = 1800;
const ANSWER_SECONDS = 60;
/** Lines of the log that are requested. */
const TAIL = 200;

type Options = {
	readonly testing: Testing;
	readonly clock: Pick<MarketClock, 'now' | 'steady'>;
	/** Addresses to which the market may connect. */
	readonly reach: ReachOptions | undefined;
	readonly log: Log;
	readonly changes: Pick<ChangeNumbers, 'leads'>;
};

type TestRunner = {
	/** Advances all open tests, and begins due ones. */
	readonly step: () => Promise<void>;
	readonly start: () => void;
	readonly stop: () => Promise<void>;
};

/** Open request to a host for the lines of a test. */
type Question = {readonly token: string; readonly askedAt: number};

/** All of a test but the proof of its GPUs. */
type Begun = Seen & {readonly lines: ReturnType<typeof readTestLines>};

/** Reads the lines of tests, with requests to the host until all have arrived. */
function createReader(
	{testing, clock, reach: allowed}: Pick<Options, 'testing' | 'clock' | 'reach'>,
	signal: AbortSignal,
) {
	const {database, workSignal} = testing;
	const reach = createReach(allowed, signal);
	const questions = new Map<number, Question>();
	const begun = new Map<number, Begun>();
	const meetings = createMeetings(async () => openTests(database));

	/** Lines of the instance, once all have arrived. */
	async function read(test: MachineTestRow, instance: InstanceRow) {
		const now = clock.now();
		const question = questions.get(test.id);
		const answer = question && (await findAnswer(database, question.token, now));
		if (answer !== undefined) {
			questions.delete(test.id);
			const lines = readTestLines(answer);
			if (lines.some(({name}) => name === 'end')) return lines;
		} else if (question !== undefined && now - question.askedAt < ANSWER_SECONDS) {
			return undefined;
		}
		const request = {kind: 'logs', tail: TAIL, filter: TEST_WORD} as const;
		const {id: instanceId, account_id: accountId} = instance;
		const asked = await askHost(database, {instanceId, accountId, request, now});
		if ('obstacle' in asked) return undefined;
		questions.set(test.id, {token: asked.token, askedAt: now});
		workSignal.send(asked.hostAccountId);
		return undefined;
	}

	async function findAllButProof(test: MachineTestRow, instance: InstanceRow) {
		const lines = await read(test, instance);
		return lines && {lines, ...(await look(reach, instance, test.secret))};
	}

	/** Findings before the proof; undefined until all machines of its moment are ready for that. */
	async function begin(test: MachineTestRow, instance: InstanceRow): Promise<Begun | undefined> {
		const found = begun.get(test.id) ?? (await findAllButProof(test, instance));
		if (found === undefined) return undefined;
		begun.set(test.id, found);
		return (await meetings.isJoined(test, clock.now())) ? found : undefined;
	}

	/** Result of a test; undefined while it goes on. */
	async function resultOf(test: MachineTestRow): Promise<Finished | undefined> {
		const instance = await instanceOf(database, test);
		const seconds = clock.now() - test.started_at;
		const ended = endOf(instance, seconds);
		if (ended !== undefined || instance?.reported !== 'running') return ended;
		const found = await begin(test, instance);
		if (found === undefined) return undefined;
		const {lines, seen, place} = found;
		const columns = ['id', 'isolation', 'num_gpus', ...claimedColumns] as const;
		const [offer] = await offersById(database, columns, [instance.ask_id]);
		const meet = async () => meetings.arrive(test);
		const asked = {models: testing.gpuModels, steady: clock.steady, meet};
		const isProvable = offer !== undefined && place !== undefined && offer.num_gpus > 0;
		const proof: MachineProof = isProvable
			? await proveMachine({...asked, said: offer, cards: offer.num_gpus}, async (card, speak) =>
					reach.card(place, {secret: test.secret, card}, speak),
				)
			: {checks: []};
		// Checks fail on an instance that is taken away meanwhile, such as by whoever rents its GPUs.
		const endedSince = endOf(await instanceOf(database, test), seconds);
		if (endedSince !== undefined) return endedSince;
		const told = lines.filter(({name}) => name !== 'end');
		const untold = lines.find(({name, outcome}) => name === 'end' && outcome === 'skipped');
		return {
			checks: [
				...told.map(({name, ...line}) => checkOf(name, 'host', line)),
				checkOf('image', 'host', {outcome: 'passed', detail: instance.image, value: null}),
				checkOf('isolation', 'host', isolationOf(offer?.isolation ?? null)),
				...seen,
				...proof.checks,
			],
			measured: proof.measured,
			...(untold !== undefined && {brokenOff: `Not all could be checked: ${untold.detail}.`}),
		};
	}

	return {
		resultOf,
		/** Begins meetings that only waited for tests that have ended. */
		look: meetings.look,
		forget: ({id}: MachineTestRow) => {
			questions.delete(id);
			begun.delete(id);
		},
	};
}

export function createTestRunner({log, changes, ...options}: Options): TestRunner {
	const {testing, clock} = options;
	const {database} = testing;
	const stopping = new AbortController();
	// Each test and each of its connections listens.
	setMaxListeners(0, stopping.signal);
	const {resultOf, forget, look: lookAround} = createReader(options, stopping.signal);
	const underWay = new Map<number, Promise<void>>();
	let timer: NodeJS.Timeout | undefined;

	/** A machine that does not answer keeps no market open: its next run begins the checks again. */
	async function unlessStopped<Value>(found: Promise<Value>): Promise<Value | undefined> {
		const over = new AbortController();
		const stopped = once(stopping.signal, 'abort', {signal: over.signal});
		try {
			return await Promise.race([found, stopped.then(() => undefined)]);
		} finally {
			over.abort();
		}
	}

	async function goOn(test: MachineTestRow): Promise<void> {
		const finished = await unlessStopped(resultOf(test));
		if (finished === undefined || stopping.signal.aborted) return;
		forget(test);
		await finishTest(testing, test, finished, clock.now());
		await lookAround();
	}

	async function step(): Promise<void> {
		if (!(await changes.leads())) return;
		await beginDueTests(testing, clock.now());
		for (const test of await openTests(database)) {
			if (underWay.has(test.id) || stopping.signal.aborted) continue;
			const done = goOn(test)
				.catch((error: unknown) => log(`test of machine ${test.machine_id}: ${String(error)}`))
				.finally(() => underWay.delete(test.id));
			underWay.set(test.id, done);
		}
		await Promise.all(underWay.values());
	}

	return {
		step,
		start() {
			timer = setInterval(() => {
				step().catch((error: unknown) => log(`tests of machines: ${String(error)}`));
			}, EVERY_MS).unref();
		},
		async stop() {
			clearInterval(timer);
			stopping.abort();
			await Promise.all(underWay.values());
		},
	};
}

/** Result of a test that ends before its instance has run. */
function endOf(instance: InstanceRow | undefined, seconds: number): Finished | undefined {
	if (instance === undefined || instance.current === 'unloaded') {
		return {checks: [], brokenOff: 'Its instance was destroyed.'};
	}
	if (instance.contact === 'lost') return {checks: [], brokenOff: 'Its host went away.'};
	if (instance.current !== 'running') {
		if (instance.intended === 'running') {
			return {checks: [], brokenOff: 'Its GPUs were rented meanwhile.'};
		}
		return instance.message === null
			? {checks: [], brokenOff: 'Its instance was stopped.'}
			: failed(hostsReason(instance.message));
	}
	if (instance.reported === 'exited') return failed('it ended by itself');
	if (seconds > REPORT_SECONDS) return failed('nothing was heard of what it does');
	const isLate = instance.reported !== 'running' && seconds > START_SECONDS;
	return isLate ? failed('it did not run within 15 minutes') : undefined;
}

function failed(detail: string): Finished {
	return {checks: [checkOf('image', 'host', {outcome: 'failed', detail, value: null})]};
}

function checkOf(
	name: string,
	saidBy: MachineCheck['said_by'],
	finding: Omit<MachineCheck, 'name' | 'said_by'>,
) {
	return {name, said_by: saidBy, ...finding};
}

function isolationOf(isolation: string | null): ReachFinding {
	if (isolation === null) {
		return {
			outcome: 'skipped',
			detail: 'its host does not say how instances are kept apart',
			value: null,
		};
	}
	const isNone = isolation.startsWith('none');
	return {outcome: isNone ? 'failed' : 'passed', detail: isolation, value: null};
}

type Seen = {
	readonly seen: readonly MachineCheck[];
	/** Address at which the instance answers; undefined if it does not. */
	readonly place?: HostAndPort | undefined;
};

/** The market's own checks of an instance. */
async function look(reach: ReachTest, instance: InstanceRow, secret: string): Promise<Seen> {
	const nowhere: ReachFinding = {outcome: 'failed', detail: 'its host names no port', value: null};
	if (instance.access === null) return {seen: [checkOf('ssh_door', 'market', nowhere)]};
	const access = instanceAddressesOf({...instance, public_ipaddr: null});
	const {ssh_host: door, ssh_port, machine_dir_ssh_port: direct, public_ipaddr: told} = access;
	const host = told === '' ? door : told;
	const seen: MachineCheck[] = [];
	const add = (name: string, finding: ReachFinding) => seen.push(checkOf(name, 'market', finding));
	add('ssh_door', await reach.ssh({host: door, port: ssh_port}));
	if (direct > 0) add('ssh_direct', await reach.ssh({host, port: direct}));
	const place = placeOf(access, host);
	if (place === undefined) add('port', nowhere);
	else {
		const answer = await reach.port(place, secret);
		add('port', answer);
		if (answer.outcome !== 'passed') return {seen};
		add('inet_up', await reach.line(place, secret, 'out'));
		add('inet_down', await reach.line(place, secret, 'in'));
	}
	return {seen, place};
}

/** Address of the test's own port, not of SSH. */
function placeOf({ports = {}}: Pick<Access, 'ports'>, host: string): HostAndPort | undefined {
	for (const [inside, [outside]] of Object.entries(ports)) {
		const port = Number(outside?.HostPort);
		if (inside !== '22/tcp' && inside.endsWith('/tcp') && port > 0) return {host, port};
	}
	return undefined;
}
