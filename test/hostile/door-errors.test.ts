/** Errors of what serves one connection, each of them made, end that connection alone. */
import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {readFileSync} from 'node:fs';
import {PassThrough} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import type {Child, Inside} from '../../source/host/inside/inside.ts';
import {openSshServer, makeHostKey} from '../../source/host/ssh/server.ts';
import {TROUBLE} from '../../source/host/ssh/trouble.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';
import {best, openInstance} from '../helpers/host/ssh-server.ts';

function fail(): never {
	throw new Error('made up');
}

async function failLater(): Promise<never> {
	return fail();
}

/** Something that runs, and of which everything fails. */
function brokenChild(): Child {
	const stream = () => Object.assign(new PassThrough(), {resume: fail, write: fail, on: fail});
	return {
		input: stream(),
		output: stream(),
		complaint: stream(),
		end: fail,
		abandon: fail,
		resize: fail,
		kill: fail,
		ended: new Promise(() => undefined),
	};
}

async function startBroken(): Promise<Child> {
	return brokenChild();
}

const usual = {home: '/root', folders: ['/nowhere'], outside: () => '/nowhere'};

/** Rooms in each of which something else fails. */
const insides: Readonly<Record<string, Partial<Inside>>> = {
	'starting at once': {start: fail},
	'starting later': {start: failLater},
	'what runs': {start: startBroken},
	'reaching a port at once': {connect: fail},
	'reaching a port later': {connect: failLater},
	'listening at once': {connect: failLater, listen: fail},
	'listening later': {connect: failLater, listen: failLater},
	files: {
		outside: fail,
		get home(): string {
			return fail();
		},
	},
};

const uses: ReadonlyArray<readonly string[]> = [
	['root@127.0.0.1', 'true'],
	['-tt', 'root@127.0.0.1'],
	['-W', '127.0.0.1:80', 'root@127.0.0.1'],
	['-R', '0:127.0.0.1:80', 'root@127.0.0.1', 'true'],
	['-s', 'root@127.0.0.1', 'sftp'],
];

test.skipIf(noOpenSsh !== undefined).for(Object.keys(insides))(
	'an error of %s ends no other connection',
	async name => {
		await using healthy = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, key} = healthy;
		const stays = healthy.ssh('cat', Buffer.from('still here'));
		const told: string[] = [];
		const hear = (message: unknown) => void told.push(String(message));
		subscribe(TROUBLE, hear);
		onTestFinished(() => void unsubscribe(TROUBLE, hear));
		const inside: Inside = Object.defineProperties(
			{start: startBroken, ...usual},
			Object.getOwnPropertyDescriptors(insides[name] ?? {}),
		);
		const sshServer = await openSshServer({
			inside,
			hostKey: makeHostKey(),
			address: '127.0.0.1',
			port: 0,
			publicKeys: [readFileSync(`${key}.pub`, 'utf8')],
		});
		for (const args of uses) {
			await user.run('ssh', [...user.options, '-p', String(sshServer.port), '-i', key, ...args]);
		}
		await sshServer.close();
		expect((await stays).out).toBe('still here');
		expect(new Set(told).size).toBe(told.length);
	},
);
