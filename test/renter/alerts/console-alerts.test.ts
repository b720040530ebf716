import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test, vi} from 'vitest';
import type {Alert} from '../../../source/renter/words/alert.ts';
import {consoleAlerts} from '../../../source/renter/alerts/console-alerts.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {openFolder} from '../../helpers/folder.ts';

const alert: Alert = {
	id: 'a1',
	kind: 'lease-ending',
	at: '2026-11-22T12:00:00.000Z',
	title: '7 train ends in 10 min',
	text: '+ puts it off',
	profile: 'lab',
	instance: 7,
};

/** The alerts of a console whose user has set where they go. */
function openWorld({osc9 = false, isPractice = false} = {}) {
	const folder = openFolder();
	const [settings, bin] = [join(folder.path, 'settings'), join(folder.path, 'bin')];
	for (const place of [settings, bin]) mkdirSync(place);
	const sent: string[] = [];
	const {options, close} = consoleAlerts({
		folders: {settings, state: folder.path},
		of: {name: 'lab', url: 'https://market.example'},
		service: {isPractice},
		terminal: {send: text => sent.push(text)},
		settings: {get: () => ({...defaultSettings, notify: {bell: true, osc9}})},
		environment: {},
	});
	vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`);
	return {
		sent,
		elsewhere: options.elsewhere,
		/** What the user has written into alerts.json. */
		set: (text: string) => writeFileSync(join(settings, 'alerts.json'), text),
		/** Puts a folder in place of alerts.json. */
		block() {
			rmSync(join(settings, 'alerts.json'));
			mkdirSync(join(settings, 'alerts.json'));
		},
		/** Puts a program in front of all others that writes its words into a file. */
		install(name: string): string {
			const file = join(folder.path, 'words');
			writeFileSync(
				join(bin, name),
				`#!/bin/sh\nprintf '%s\\n' "$@" > ${file}.new\nmv ${file}.new ${file}\n`,
			);
			chmodSync(join(bin, name), 0o755);
			return file;
		},
		[Symbol.dispose]() {
			vi.unstubAllEnvs();
			close();
			folder[Symbol.dispose]();
		},
	};
}

test('the notification of the desktop gets title and text as words, and no options', async () => {
	using world = openWorld();
	const file = world.install('notify-send');
	world.set('{"desktop": true}');
	world.elsewhere?.send({...alert, title: '--icon=/etc/passwd'});
	await expect.poll(() => existsSync(file)).toBe(true);
	expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual([
		'--app-name=rentty',
		'--',
		'--icon=/etc/passwd',
		'+ puts it off',
	]);
	expect(world.elsewhere?.trouble.get()).toBeUndefined();
});

test.for([
	['osc9', '\u001B]9;7 train ends in 10 min: + puts it off\u0007'],
	['osc777', '\u001B]777;notify;7 train ends in 10 min;+ puts it off\u0007'],
] as const)(
	'the terminal is told by %s, which changes nothing on the screen',
	async ([kind, text]) => {
		using world = openWorld();
		world.set(JSON.stringify({terminal: kind}));
		world.elsewhere?.send(alert);
		await expect.poll(() => world.sent).toEqual([text]);
	},
);

test('what the console itself sends by OSC 9 is not told twice, and the file counts anew each time', async () => {
	using world = openWorld({osc9: true});
	const file = world.install('tell');
	world.set('{"terminal": "osc9", "program": ["tell", "first"]}');
	world.elsewhere?.send(alert);
	await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBe('first\n');
	world.set('{"terminal": "osc9", "program": ["tell", "then"], "mute": ["rent"]}');
	world.elsewhere?.send({...alert, id: 'a2', kind: 'rent'});
	world.elsewhere?.send({...alert, id: 'a3'});
	await expect.poll(() => readFileSync(file, 'utf8')).toBe('then\n');
	expect(world.sent).toEqual([]);
});

test('a way that fails, and a file that cannot be followed, are said once in the console', async () => {
	using world = openWorld();
	world.set('{"program": ["no-such-program"]}');
	world.elsewhere?.send(alert);
	await expect
		.poll(() => world.elsewhere?.trouble.get())
		.toBe('An alert was not sent by program: no-such-program is not installed.');
	world.set('{"mail": "me"}');
	world.elsewhere?.send(alert);
	await expect
		.poll(() => world.elsewhere?.trouble.get())
		.toBe('An alert was not sent by alerts.json: mail is not a setting of alerts.');
	world.block();
	world.elsewhere?.send(alert);
	await expect
		.poll(() => world.elsewhere?.trouble.get())
		.toMatch(/^An alert was not sent by alerts\.json: \S+ is no file: remove it\.$/);
});

test('nobody is told elsewhere without the file, nor of the practice market', () => {
	using world = openWorld();
	world.elsewhere?.send(alert);
	expect(world.elsewhere?.trouble.get()).toBeUndefined();
	using practice = openWorld({isPractice: true});
	expect(practice.elsewhere).toBeUndefined();
});
