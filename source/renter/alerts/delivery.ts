/** Sends alerts by every configured route: one alert per event, and no route blocks another. */
import {codeOf, messageOf} from '../../contract/rules/thrown.ts';
import {spawn} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {setTimeout as wait} from 'node:timers/promises';
import {harmlessLine} from '../../contract/grammar/harmless-text.ts';
import {isAlertSent, type Alert, type AlertSettings} from '../words/alert.ts';
import {wordedAt} from './guard-alerts.ts';
import {createHmac} from 'node:crypto';

type Sending = {
	readonly url: string;
	readonly secret: string;
	/** Seconds since 1970. */
	readonly now: () => number;
	readonly pause: (ms: number) => Promise<void>;
	readonly mostTries: number;
	readonly signal: AbortSignal;
};

const PATIENCE_MS = 10_000;
const FIRST_PAUSE_MS = 1000;

/** An hour in all: the backoff doubles each time. */
const MOST_TRIES = 12;

/** Signature of a request: HMAC-SHA256 over the timestamp, a full stop and the body. */
export function signatureOf(secret: string, timestamp: number, body: string): string {
	return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/** Sends an alert until it is accepted; @throws if that fails, or is refused for good */
async function sendWebhook(alert: Alert, sending: Sending): Promise<void> {
	for (let tries = 1; ; tries++) {
		const body = JSON.stringify(wordedAt(alert, sending.now() * 1000));
		const problem = await trySending(alert.id, body, sending);
		if (problem === undefined) return;
		if (problem.isFinal || tries >= sending.mostTries) throw new Error(problem.message);
		await sending.pause(FIRST_PAUSE_MS * 2 ** (tries - 1));
	}
}

type Problem = {readonly message: string; readonly isFinal: boolean};

async function trySending(
	id: string,
	body: string,
	{url, secret, now, signal}: Sending,
): Promise<Problem | undefined> {
	const timestamp = Math.floor(now());
	try {
		const {status, body: answer} = await fetch(url, {
			method: 'POST',
			body,
			redirect: 'error',
			signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
			headers: {
				'content-type': 'application/json',
				'x-rentty-id': id,
				'x-rentty-timestamp': String(timestamp),
				'x-rentty-signature': `sha256=${signatureOf(secret, timestamp, body)}`,
			},
		});
		await answer?.cancel();
		if (status >= 200 && status < 300) return undefined;
		// A message refused for its content would be refused again.
		const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
		return {message: `the webhook answered ${status}`, isFinal};
	} catch {
		signal.throwIfAborted();
		// The address may hold a secret, so no message repeats it.
		return {message: 'the webhook cannot be reached', isFinal: false};
	}
}

type DeliveryOptions = {
	readonly settings: AlertSettings;
	readonly signal: AbortSignal;
	/** Writes to the terminal; undefined if there is none. */
	readonly write?: ((text: string) => void) | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: () => number;
	/** @default real pauses */
	readonly pause?: (ms: number) => Promise<void>;
	/** Attempts at a webhook. @default as many as fit into an hour */
	readonly mostTries?: number;
	readonly onTrouble: (route: string, why: string) => void;
};

type Delivered = {readonly route: string; readonly problem: string | undefined};

/** Events that are remembered, so that none is sent twice. */
const MOST_REMEMBERED = 1000;

const PROGRAM_MS = 30_000;

export function createDelivery(options: DeliveryOptions) {
	const {settings, onTrouble, now = Date.now} = options;
	const sent = new Set<string>();

	async function deliver(alert: Alert): Promise<readonly Delivered[]> {
		const hour = new Date(now()).getHours();
		if (sent.has(alert.id) || !isAlertSent(settings, alert.kind, hour)) return [];
		sent.add(alert.id);
		for (const id of sent) if (sent.size > MOST_REMEMBERED) sent.delete(id);
		return Promise.all(
			routesOf(options, wordedAt(alert, now())).map(async ([route, send]) => {
				const problem = await send().then(() => undefined, messageOf);
				if (problem !== undefined) onTrouble(route, problem);
				return {route, problem};
			}),
		);
	}

	return {deliver};
}

type Route = readonly [name: string, send: () => Promise<void>];

function routesOf(options: DeliveryOptions, alert: Alert): readonly Route[] {
	const {
		settings,
		signal,
		write,
		mostTries = MOST_TRIES,
		now = Date.now,
		pause = async ms => wait(ms, undefined, {signal}),
	} = options;
	const sending = {now: () => now() / 1000, pause, mostTries, signal};
	const {program, ntfy, webhook, desktop, terminal} = settings.routes;
	const all: ReadonlyArray<Route | undefined> = [
		program && ['program', async () => runProgram(program, JSON.stringify(alert), signal)],
		ntfy === undefined ? undefined : ['ntfy', async () => sendNtfy(ntfy, alert, signal)],
		webhook && [
			'webhook',
			async () => {
				const secret = (await readFile(webhook.secretFile, 'utf8')).trim();
				await sendWebhook(alert, {...sending, url: webhook.url, secret});
			},
		],
		desktop === true
			? ['desktop', async () => runProgram(desktopCommand(alert), '', signal)]
			: undefined,
		terminal && write && ['terminal', async () => write(terminalText(terminal, alert))],
	];
	return all.filter(route => route !== undefined);
}

function desktopCommand({title, text}: Alert): readonly string[] {
	return ['notify-send', '--app-name=rentty', '--', harmlessLine(title), harmlessLine(text)];
}

/**
 * Escape sequence for a terminal's notification. No text of an alert can end it, or start another
 * command.
 */
export function terminalText(kind: 'osc9' | 'osc777', {title, text}: Alert): string {
	const [first, second] = [harmlessLine(title), harmlessLine(text)];
	if (kind === 'osc9') return `\u001B]9;${first}: ${second}\u0007`;
	return `\u001B]777;notify;${first.replaceAll(';', ',')};${second}\u0007`;
}

/** Runs a program without a shell; rejects if the program fails. */
async function runProgram(
	[file = '', ...args]: readonly string[],
	input: string,
	stop: AbortSignal,
): Promise<void> {
	const signal = AbortSignal.any([stop, AbortSignal.timeout(PROGRAM_MS)]);
	return new Promise((resolve, reject) => {
		const child = spawn(file, args, {stdio: ['pipe', 'ignore', 'ignore'], signal});
		child.on('error', error => {
			const isMissing = codeOf(error) === 'ENOENT';
			reject(isMissing ? new Error(`${file} is not installed`) : error);
		});
		child.on('close', code =>
			code === 0 ? resolve() : reject(new Error(`${file} ended with ${code}`)),
		);
		child.stdin.on('error', () => undefined);
		child.stdin.end(input);
	});
}

const NTFY_MS = 10_000;

async function sendNtfy(url: string, {title, text, kind}: Alert, stop: AbortSignal): Promise<void> {
	const signal = AbortSignal.any([stop, AbortSignal.timeout(NTFY_MS)]);
	const headers = {title: asciiLine(title), tags: kind};
	const sent = fetch(url, {method: 'POST', body: text, redirect: 'error', signal, headers});
	const {status, body} = await sent.catch(() => {
		throw new Error('the ntfy server cannot be reached');
	});
	await body?.cancel();
	if (status < 200 || status >= 300) throw new Error(`the ntfy server answered ${status}`);
}

/** Text as one line of ASCII, for a header. */
function asciiLine(text: string): string {
	return harmlessLine(text).replaceAll(/[^\x20-\x7E]/g, '?');
}
