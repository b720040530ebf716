import {messageOf} from '../../contract/rules/thrown.ts';
import type {PseudoTtyInfo, ServerChannel, Session, X11Info} from 'ssh2';
import type {Beginning, Child, ProcessEnding, TerminalSize, Inside} from '../inside/inside.ts';
import {serveFiles} from './file-transfer.ts';
import type {SshConnection} from './connection.ts';
import {forgetSession, controlFlow} from './channel-flow.ts';
import {lead} from './forwards.ts';

/** Variables that clients may set, without those that change how programs are found or loaded. */
const SETTABLE = /^(?:LANG|LC_[A-Z]{1,30}|TZ|COLORTERM)$/;
const MOST_VARIABLES = 32;
const LONGEST_VARIABLE = 1024;

type SessionPlan = {
	readonly connection: SshConnection;
	readonly inside: Inside;
	/** Opens a socket to the client's agent; returns its path inside. */
	readonly agent: () => Promise<string | undefined>;
	/** Opens a display that leads to the client's X server; returns its name inside. */
	readonly display: (asked: X11Info) => Promise<string | undefined>;
	/** Releases the session's slots. */
	readonly giveBack: () => void;
};

/** Session's requests so far, and its running program. */
type Started = {
	terminal: Beginning['terminal'];
	readonly variables: Record<string, string>;
	child: Child | undefined;
	/** Socket of the client's agent, if the client has requested one. */
	agent: Promise<string | undefined> | undefined;
	/** Display of the client, if the client has requested one. */
	display: Promise<string | undefined> | undefined;
	/** Fulfils when no start is in progress. */
	starting: Promise<unknown>;
};

type SessionChannel = {
	readonly channel: ServerChannel;
	readonly gone: Promise<void>;
	readonly isGone: () => boolean;
};

type StartProgram = (place: SessionChannel) => Promise<ProcessEnding>;

export function serveSession(session: Session, plan: SessionPlan): void {
	const {connection, inside, giveBack} = plan;
	const started: Started = {
		terminal: undefined,
		variables: {},
		child: undefined,
		agent: undefined,
		display: undefined,
		starting: Promise.resolve(),
	};
	let isStarted = false;
	nameClass(session);
	// The library emits no event for the end of a session in which no program was started.
	const stay = connection.onEnd(giveBack);
	connection.guard.listeners(session);
	listenForSettings(session, started);
	session.on('auth-agent', accept => {
		started.agent = plan.agent();
		// Reply only to clients that want one.
		accept?.();
	});
	session.on('x11', (accept, _reject, asked) => {
		started.display = plan.display(asked);
		accept?.();
	});

	/** Begins the session's shell, command or transfer, of which there is only one. */
	function open(accept: () => ServerChannel, begin: StartProgram): void {
		if (isStarted) return;
		isStarted = true;
		const channel = accept();
		const {promise: gone, resolve: go} = Promise.withResolvers<void>();
		let isGone = false;
		controlFlow(channel, connection, () => {
			isGone = true;
			go();
			leave(channel, started.child);
			// A client that comes and goes during a start keeps its place until the start is done.
			void started.starting.finally(giveBack).catch(() => undefined);
		});
		stay();
		connection.guard.action(async () => {
			const ending = await endingOf(channel, async () =>
				begin({channel, gone, isGone: () => isGone}),
			);
			if (!isGone) finish(channel, ending);
		})();
	}

	session.on('shell', accept => open(accept, async opened => run(started, plan, opened)));
	session.on('exec', (accept, _reject, {command}) =>
		open(accept, async opened => run(started, plan, opened, command)),
	);
	session.on('subsystem', (accept, reject, {name}) => {
		if (name !== 'sftp') return reject?.();
		return open(accept, async ({channel, gone}) => {
			await serveFiles({
				channel,
				inside,
				gone,
				guard: connection.guard,
				holdings: connection.holdings,
			});
			return {code: 0, signal: undefined};
		});
	});
	session.on('close', () => {
		if (isStarted) return;
		forgetSession(session, connection);
		stay();
		giveBack();
	});
}

/** Runs a command, or a shell, in a session, and returns how it ended. */
async function run(
	started: Started,
	{connection, inside}: SessionPlan,
	{channel, isGone}: SessionChannel,
	command?: string,
): Promise<ProcessEnding> {
	const {terminal} = started;
	const start = async () => {
		const [agent, display] = await Promise.all([started.agent, started.display]);
		const variables = {
			...started.variables,
			...(agent !== undefined && {SSH_AUTH_SOCK: agent}),
			...(display !== undefined && {DISPLAY: display}),
		};
		return inside.start(command, {variables, terminal});
	};
	const starting = start();
	started.starting = starting.then(async ({begun}) => begun).catch(() => undefined);
	const child = await starting;
	started.child = child;
	const size = started.terminal?.size;
	if (size !== undefined && size !== terminal?.size) child.resize(size);
	// The client disconnected before the program had started.
	if (isGone()) leave(channel, child);
	else connect(channel, child, connection);
	const ending = await child.ended;
	// A command that ended by itself may have left background processes, which stay.
	started.child = undefined;
	return ending;
}

function listenForSettings(session: Session, started: Started): void {
	const {variables} = started;
	session.on('pty', (accept, _reject, info) => {
		started.terminal = {name: terminalName(info), size: sizeOf(info)};
		accept?.();
	});
	session.on('window-change', (accept, _reject, info) => {
		const size = sizeOf(info);
		if (started.terminal !== undefined) started.terminal = {...started.terminal, size};
		started.child?.resize(size);
		// Reply only to clients that want one.
		accept?.();
	});
	session.on('env', (accept, _reject, {key, val}) => {
		const isBounded =
			Object.keys(variables).length < MOST_VARIABLES && val.length <= LONGEST_VARIABLE;
		if (SETTABLE.test(key) && isBounded && !val.includes('\0')) variables[key] = val;
		accept?.();
	});
	session.on('signal', (accept, _reject, {name}) => {
		const signal = signals.get(name);
		if (signal !== undefined) started.child?.kill(signal);
		accept?.();
	});
}

/** Restores the name of the session's class, which the library reads and the bundler shortens. */
function nameClass(session: Session): void {
	Object.defineProperty(session.constructor, 'name', {value: 'Session'});
}

const signals: ReadonlyMap<string, NodeJS.Signals> = new Map([
	['HUP', 'SIGHUP'],
	['INT', 'SIGINT'],
	['QUIT', 'SIGQUIT'],
	['TERM', 'SIGTERM'],
	['KILL', 'SIGKILL'],
]);

/** Ending of a program; a failed start is written to the error stream. */
async function endingOf(
	channel: ServerChannel,
	begin: () => Promise<ProcessEnding>,
): Promise<ProcessEnding> {
	try {
		return await begin();
	} catch (error) {
		const why = messageOf(error);
		channel.stderr.write(`It could not be started: ${why}\r\n`);
		return {code: 1, signal: undefined};
	}
}

/** Connects a channel and a program in both directions, with backpressure. */
function connect(channel: ServerChannel, child: Child, connection: SshConnection): void {
	lead(child.output, channel, connection);
	if (child.complaint !== undefined) lead(child.complaint, channel.stderr, connection);
	lead(channel, child.input, connection);
	channel.on('end', child.end);
}

/** Sends SIGHUP to the program of a disconnected client, and drops its streams. */
function leave(channel: ServerChannel, child: Child | undefined): void {
	child?.kill('SIGHUP');
	child?.abandon();
	channel.removeAllListeners('data').resume();
}

function finish(channel: ServerChannel, {code, signal}: ProcessEnding): void {
	if (signal === undefined) channel.exit(code ?? 0);
	else channel.exit(signal.replace(/^SIG/, ''));
	channel.stderr.end(() => channel.end());
}

const MOST_SIZE = 1000;

function sizeOf({cols, rows}: {readonly cols: number; readonly rows: number}): TerminalSize {
	return {columns: within(cols, 80), rows: within(rows, 24)};
}

/** Bounded size; the default for 0, from a terminal that does not know its size. */
function within(size: number, usual: number): number {
	return size < 1 ? usual : Math.min(size, MOST_SIZE);
}

/** Terminal kind, a plain word, because it is looked up as a file name. */
function terminalName(info: PseudoTtyInfo): string {
	const {term} = info as PseudoTtyInfo & {readonly term?: string};
	return term !== undefined && /^[\w.+-]{1,64}$/.test(term) ? term : 'xterm';
}
