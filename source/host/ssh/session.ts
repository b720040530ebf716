/** One session of somebody inside: a shell, a command, or the transfer of files. */
import type {PseudoTtyInfo, ServerChannel, Session} from 'ssh2';
import type {Beginning, Child, Ending, TerminalSize} from '../rooms/child.ts';
import type {Inside} from '../rooms/room.ts';
import {serveFiles} from './file-transfer.ts';

/** What clients may set: nothing that changes how programs are found or loaded. */
const SETTABLE = /^(?:LANG|LC_[A-Z]+|TZ|COLORTERM)$/;

export function serveSession(session: Session, room: Inside): void {
	let terminal: Beginning['terminal'];
	let child: Child | undefined;
	const variables: Record<string, string> = {};

	async function run(channel: ServerChannel, command?: string): Promise<void> {
		let isGone = false;
		channel.once('close', () => (isGone = true));
		const begun = terminal;
		const started = await room.start(command, {variables, terminal});
		child = started;
		if (terminal !== undefined && terminal !== begun) started.resize(terminal.size);
		connect(channel, started);
		// Nobody waited for what took long to start.
		if (isGone) started.kill('SIGHUP');
	}

	session.on('pty', (accept, _reject, info) => {
		terminal = {name: nameOf(info), size: sizeOf(info)};
		accept();
	});
	session.on('window-change', (accept, _reject, info) => {
		const size = sizeOf(info);
		if (terminal !== undefined) terminal = {...terminal, size};
		child?.resize(size);
		// Not every client wants to hear of it.
		accept?.();
	});
	session.on('env', (accept, _reject, {key, val}) => {
		if (SETTABLE.test(key)) variables[key] = val;
		accept?.();
	});
	session.on('signal', (accept, _reject, {name}) => {
		const signal = signals.get(name);
		if (signal !== undefined) child?.kill(signal);
		accept?.();
	});
	session.on('shell', accept => void start(accept(), async channel => run(channel)));
	session.on(
		'exec',
		(accept, _reject, {command}) => void start(accept(), async channel => run(channel, command)),
	);
	session.on('sftp', accept => serveFiles(accept(), room));
}

const signals: ReadonlyMap<string, NodeJS.Signals> = new Map([
	['HUP', 'SIGHUP'],
	['INT', 'SIGINT'],
	['QUIT', 'SIGQUIT'],
	['TERM', 'SIGTERM'],
	['KILL', 'SIGKILL'],
]);

/** A channel on which nothing can be started says so, and ends. */
async function start(
	channel: ServerChannel,
	begin: (channel: ServerChannel) => Promise<void>,
): Promise<void> {
	channel.on('error', () => undefined);
	try {
		await begin(channel);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		channel.stderr.write(`It could not be started: ${why}\r\n`);
		finish(channel, {code: 1, signal: undefined});
	}
}

/** Joins a channel with what runs, in both directions, none faster than the other side takes it. */
function connect(channel: ServerChannel, child: Child): void {
	const holdBack = () => {
		child.pause();
		channel.once('drain', child.resume);
	};
	child.onOutput(bytes => {
		if (!channel.write(bytes)) holdBack();
	});
	child.onComplaint(bytes => void channel.stderr.write(bytes));
	channel.on('data', (bytes: Buffer) => child.write(bytes));
	channel.on('end', child.end);
	const leave = () => child.kill('SIGHUP');
	// Whoever goes takes along what they started: its terminal is gone.
	channel.on('close', leave);
	// What has ended by itself may have left something behind, which stays.
	void child.ended.then(ending => finish(channel.off('close', leave), ending));
}

function finish(channel: ServerChannel, {code, signal}: Ending): void {
	if (signal === undefined) channel.exit(code ?? 0);
	else channel.exit(signal.replace(/^SIG/, ''));
	channel.end();
}

const MOST_SIZE = 1000;

function sizeOf({cols, rows}: {readonly cols: number; readonly rows: number}): TerminalSize {
	return {columns: within(cols, 80), rows: within(rows, 24)};
}

/** A size of nothing is that of a terminal that does not know its own. */
function within(size: number, usual: number): number {
	return size < 1 ? usual : Math.min(size, MOST_SIZE);
}

/** The kind of a terminal is a word: it is looked up as the name of a file. */
function nameOf(info: PseudoTtyInfo): string {
	const {term} = info as PseudoTtyInfo & {readonly term?: string};
	return term !== undefined && /^[\w.+-]{1,64}$/.test(term) ? term : 'xterm';
}
