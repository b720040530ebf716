/** Sends alerts by every configured route: one alert per event, and no route blocks another. */
import {codeOf, messageOf} from '../../contract/rules/thrown.ts';
import {spawn} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {setTimeout as wait} from 'node:timers/promises';
import {harmlessLine} from '../../contract/grammar/harmless-text.ts';
import {isAlertSent, type Alert, type AlertSettings} from '../words/alert.ts';
import {wordedAt} from './guard-alerts.ts';
import type {Environment} from '../../client/exchange/connections.ts';

type DeliveryOptions = {
	readonly settings: AlertSettings;
	readonly signal: AbortSignal;
	/** Environment that names proxies. */
	readonly environment: Environment;
	/** Writes to the terminal; undefined if there is none. */
	readonly write?: ((text: string) => void) | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: () => number;
	/** @default real pauses */
	readonly pause?: (ms: number) => Promise<void>;
	/** Attempts at a webhook or a topic of ntfy. @default as many as fit into an hour */
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

const loadHttpRoutes = async () => import('./http-routes.ts');

function routesOf(options: DeliveryOptions, alert: Alert): readonly Route[] {
	const {
		settings,
		signal,
		environment,
		write,
		mostTries,
		now = Date.now,
		pause = async ms => wait(ms, undefined, {signal}),
	} = options;
	const sending = {environment, now, pause, mostTries, signal};
	const {program, ntfy, webhook, desktop, terminal} = settings.routes;
	const all: ReadonlyArray<Route | undefined> = [
		program && ['program', async () => runProgram(program, JSON.stringify(alert), signal)],
		ntfy === undefined
			? undefined
			: ['ntfy', async () => (await loadHttpRoutes()).sendNtfy(alert, {...sending, url: ntfy})],
		webhook && [
			'webhook',
			async () => {
				const secret = (await readFile(webhook.secretFile, 'utf8')).trim();
				await (await loadHttpRoutes()).sendWebhook(alert, {...sending, url: webhook.url, secret});
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
