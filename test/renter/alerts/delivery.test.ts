import {UserFileError} from '../../../source/renter/text/usage-error.ts';
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {
	isAlertSent,
	noAlerts,
	type Alert,
	type AlertSettings,
} from '../../../source/renter/words/alert.ts';
import {readAlertSettings} from '../../../source/renter/alerts/alert-settings.ts';
import {alertOf} from '../../../source/renter/alerts/guard-alerts.ts';
import {createDelivery, terminalText} from '../../../source/renter/alerts/delivery.ts';
import {signatureOf} from '../../../source/renter/alerts/http-routes.ts';
import {openFolder} from '../../helpers/folder.ts';

const alert: Alert = {
	id: 'a1',
	kind: 'lease-ended',
	at: '2026-11-22T12:00:00.000Z',
	title: '7 train has ended',
	text: 'gone: lease deadline',
	profile: 'lab',
	instance: 7,
};

type Asked = {readonly headers: IncomingHttpHeaders; readonly body: string};

/** A server that answers with each of these, and then with 200. */
async function openServer(...statuses: readonly number[]) {
	const asked: Asked[] = [];
	const server = createServer((request, response) => void answer(request, response));
	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await text(request);
		const status = statuses[asked.length] ?? 200;
		asked.push({headers: request.headers, body});
		response.writeHead(status).end();
	}
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}/secret-path`,
		asked,
		[Symbol.asyncDispose]: async () => new Promise<void>(resolve => server.close(() => resolve())),
	};
}

function telling(settings: Partial<AlertSettings>, {passes = 0, environment = {}} = {}) {
	const troubles: string[] = [];
	const written: string[] = [];
	const pauses: number[] = [];
	let now = Date.UTC(2026, 10, 22, 12);
	const {deliver} = createDelivery({
		settings: {...noAlerts, ...settings},
		signal: new AbortController().signal,
		environment,
		write: sequence => written.push(sequence),
		now: () => now,
		async pause(ms) {
			pauses.push(ms);
			now += passes;
		},
		onTrouble: (route, why) => troubles.push(`${route}: ${why}`),
	});
	return {tell: deliver, troubles, written, pauses};
}

test('a program gets an alert as JSON on its standard input, and no shell reads its words', async () => {
	using folder = openFolder();
	const program = join(folder.path, 'take');
	writeFileSync(program, '#!/bin/sh\ncat > "$1"\n');
	chmodSync(program, 0o755);
	const file = join(folder.path, 'got $(id) it');
	const {tell} = telling({routes: {program: [program, file]}});
	expect(await tell(alert)).toEqual([{route: 'program', problem: undefined}]);
	expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(alert);
});

test('a webhook is signed, and asked again with growing pauses under the same id', async () => {
	using folder = openFolder();
	const secretFile = join(folder.path, 'secret');
	writeFileSync(secretFile, 's3cret\n');
	await using server = await openServer(500, 429, 503);
	const {tell, pauses} = telling({routes: {webhook: {url: server.url, secretFile}}});
	expect(await tell(alert)).toEqual([{route: 'webhook', problem: undefined}]);
	expect(pauses).toEqual([1000, 2000, 4000]);
	expect(server.asked.map(({headers}) => headers['x-rentty-id'])).toEqual(['a1', 'a1', 'a1', 'a1']);
	const [{headers, body} = {headers: {}, body: ''}] = server.asked;
	const timestamp = Number(headers['x-rentty-timestamp']);
	expect(headers['x-rentty-signature']).toBe(`sha256=${signatureOf('s3cret', timestamp, body)}`);
	expect(JSON.parse(body)).toEqual(alert);
});

test('what a webhook gets late says how it is then, under the same id', async () => {
	using folder = openFolder();
	const secretFile = join(folder.path, 'secret');
	writeFileSync(secretFile, 's3cret');
	await using server = await openServer(500, 500);
	const {tell} = telling({routes: {webhook: {url: server.url, secretFile}}}, {passes: 60_000});
	const event = {kind: 'ending', id: 7, label: '', seconds: 90, due: '60 abc'} as const;
	const ending = alertOf(event, 'lab', Date.UTC(2026, 10, 22, 12));
	await tell(ending);
	const bodies = server.asked.map(({body}): unknown => JSON.parse(body));
	expect(bodies).toMatchObject([
		{id: ending.id, title: '7 ends in 2 min'},
		{id: ending.id, title: '7 ends in 1 min'},
		{id: ending.id, title: '7 was to end 30 s ago'},
	]);
});

test('a webhook that refuses is not asked again, and what is said names no address', async () => {
	using folder = openFolder();
	const secretFile = join(folder.path, 'secret');
	writeFileSync(secretFile, 's3cret');
	await using server = await openServer(404);
	const {tell, troubles} = telling({routes: {webhook: {url: server.url, secretFile}}});
	await tell(alert);
	expect(troubles).toEqual(['webhook: the webhook answered 404']);
	expect(server.asked).toHaveLength(1);
});

test('a topic of ntfy gets the text, and a broken route does not hold up another', async () => {
	await using server = await openServer();
	const {tell, troubles} = telling({routes: {ntfy: server.url, program: ['/no/such/program']}});
	await tell({...alert, title: 'zähe\nBits'});
	expect(server.asked[0]).toMatchObject({body: alert.text, headers: {tags: 'lease-ended'}});
	expect(server.asked[0]?.headers['title']).toMatch(/^z\?he.Bits$/);
	expect(troubles).toEqual(['program: /no/such/program is not installed']);
});

test('a topic of ntfy that cannot be reached at first gets the alert later', async () => {
	await using server = await openServer(502, 429);
	const {tell, pauses} = telling({routes: {ntfy: server.url}});
	expect(await tell(alert)).toEqual([{route: 'ntfy', problem: undefined}]);
	expect(pauses).toEqual([1000, 2000]);
	expect(server.asked).toHaveLength(3);
});

test.each([
	['ann:p%40ss%25', 'ann:p@ss%'],
	[':tk_1', ':tk_1'],
	['ann%zz:x', 'ann%zz:x'],
])(
	'a name and a password in the address, %j, are sent as basic authorization',
	async (written, meant) => {
		await using server = await openServer();
		const url = server.url.replace('//', `//${written}@`);
		const {tell} = telling({routes: {ntfy: url}});
		expect(await tell(alert)).toEqual([{route: 'ntfy', problem: undefined}]);
		const authorization = `Basic ${Buffer.from(meant).toString('base64')}`;
		expect(server.asked[0]?.headers).toMatchObject({authorization, tags: 'lease-ended'});
	},
);

test('alerts go through the proxy of the environment, as calls of the service do', async () => {
	await using proxy = await openServer();
	const environment = {http_proxy: new URL(proxy.url).origin};
	const {tell} = telling({routes: {ntfy: 'http://ntfy.invalid/topic'}}, {environment});
	expect(await tell(alert)).toEqual([{route: 'ntfy', problem: undefined}]);
	expect(proxy.asked).toMatchObject([{body: alert.text, headers: {host: 'ntfy.invalid'}}]);
});

test('an event is told once, a muted kind never, and in quiet hours only what failed', async () => {
	const {tell, written} = telling({routes: {terminal: 'osc9'}, mute: ['lease-ending']});
	await tell(alert);
	await tell(alert);
	await tell({...alert, id: 'a2', kind: 'lease-ending'});
	expect(written).toHaveLength(1);
	const quiet = {...noAlerts, quietHours: [22, 7] as const};
	expect([21, 22, 3, 7].map(hour => isAlertSent(quiet, 'lease-ended', hour))).toEqual([
		true,
		false,
		false,
		true,
	]);
	expect(isAlertSent(quiet, 'lease-failed', 3)).toBe(true);
});

test('nothing of an alert can end the notification of a terminal, or be another', () => {
	const nasty = {...alert, title: 'a\u0007\u001B]0;x', text: 'b;c\u001B\\'};
	for (const kind of ['osc9', 'osc777'] as const) {
		expect(terminalText(kind, nasty).slice(1, -1)).not.toMatch(/\p{Cc}/u);
	}
});

test('the same event of two guards has the same id', () => {
	const event = {kind: 'ending', id: 7, label: 'train', seconds: 590, due: '600 abc'} as const;
	const first = alertOf(event, 'lab', 1000);
	expect(alertOf({...event, seconds: 580}, 'lab', 9000).id).toBe(first.id);
	expect(alertOf({...event, due: '60 abc'}, 'lab', 1000).id).not.toBe(first.id);
	expect(first.title).toContain('ends in 10 min');
	expect(first.text).toBe('rentty lease 7 --extend 1h puts it off.');
});

test('a file of alerts is read, or refused by the name of what is wrong', () => {
	const whole = {
		program: ['/bin/x'],
		desktop: true,
		terminal: 'osc777',
		mute: ['budget'],
		quietHours: [22, 7],
	};
	expect(readAlertSettings(JSON.stringify(whole))).toEqual({
		routes: {program: ['/bin/x'], desktop: true, terminal: 'osc777'},
		mute: ['budget'],
		quietHours: [22, 7],
	});
	expect(readAlertSettings(undefined)).toBe(noAlerts);
	const wrong = [
		'[',
		'{"ntfy": "ftp://x"}',
		'{"ntfy": "https://me:pw@x"}',
		'{"program": "rm -rf /"}',
		'{"webhook": {"url": "https://x"}}',
		'{"quietHours": [25, 1]}',
		'{"mute": ["all"]}',
		'{"mail": "me"}',
	];
	for (const file of wrong) expect(() => readAlertSettings(file)).toThrow(UserFileError);
});
