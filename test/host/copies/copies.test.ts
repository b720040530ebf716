import {once} from 'node:events';
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import ssh2 from 'ssh2';
import {removeFolder} from '../../helpers/remove-folder.ts';
import {expect, test} from 'vitest';
import type {SourceListener, CopyWork} from '../../../source/contract/nouns/copies.ts';
import type {HostCalls} from '../../../source/host/agent/agent.ts';
import {createCopies} from '../../../source/host/copies/copies.ts';
import {createCopyListeners} from '../../../source/host/copies/listeners.ts';
import {addressOf} from '../../../source/host/copies/source.ts';
import {folderInside} from '../../../source/host/inside/inside.ts';
import {MOST_COPIES} from '../../../source/host/ssh/connection-limits.ts';
import {systemScheduler} from '../../../source/host/base/scheduler.ts';
import {makeHostKey, publicHalf} from '../../../source/host/ssh/server.ts';
import {makeCopyKey} from '../../../source/host/ssh/remote-files.ts';
import {noteRest} from '../../helpers/host/at-rest.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {openSftp} from '../../helpers/host/sftp-client.ts';
import {listening} from '../../helpers/market/tested-machine.ts';

/** The market, as the hosts of a copy report to it. */
function openCalls() {
	const doors: SourceListener[] = [];
	const told: Array<{readonly message: string; readonly failed?: boolean | undefined}> = [];
	const keys: string[] = [];
	const calls: Pick<HostCalls, 'reportCopy' | 'reportCopyDoor'> = {
		async reportCopyDoor(_id, {door}) {
			if (door !== undefined) doors.push(door);
			return {success: true};
		},
		async reportCopy(_id, {message, failed, ended, public_key: key}) {
			if (key !== undefined) keys.push(key);
			if (ended) told.push({message, failed});
			return {success: true};
		},
	};
	return {...calls, doors, told, keys};
}

const volume = (id: number) => ({volume_id: id, machine_id: id, size: 1});

/** Volume 1 of a host that is copied from, and volume 2 of another; the market stands between them. */
function openHosts(scheduler = systemScheduler) {
	const rest = noteRest();
	const folder = mkdtempSync(join(tmpdir(), 'rentty-copies-'));
	const places = [1, 2].map(id => join(folder, String(id)));
	for (const place of places) mkdirSync(place);
	writeFileSync(join(folder, 'secret'), 'of the host');
	const ending = new AbortController();
	const patience = {scheduler, random: () => 0, log: () => undefined, signal: ending.signal};
	const files = {
		address: '127.0.0.1',
		inside: async (place: object) =>
			folderInside(places[('volume_id' in place ? Number(place.volume_id) : 0) - 1] ?? ''),
	};
	const runtime = {files};
	const said = openCalls();
	const from = createCopyListeners({calls: said, runtime}, patience);
	const into = createCopies({calls: said, runtime}, patience);
	const work: CopyWork = {
		id: 5,
		wanted: 'done',
		target: volume(2),
		path: '/',
		source_path: '/',
	};
	return {
		source: places[0] ?? '',
		target: places[1] ?? '',
		work,
		...said,
		into,
		from,
		/** Has the source's host open a door for a key, and answers it. */
		async open(publicKey: string): Promise<SourceListener> {
			const before = said.doors.length;
			from.want([{id: 5, wanted: 'done', source: volume(1), public_key: publicKey}]);
			await expect.poll(() => said.doors.length).toBe(before + 1);
			return said.doors.at(-1) ?? expect.fail('no door was opened');
		},
		/** The key that the target's host has made for the copy. */
		async key(): Promise<string> {
			await expect.poll(() => said.keys.length).toBe(1);
			return said.keys[0] ?? '';
		},
		async end() {
			await expect.poll(() => said.told.length).toBe(1);
			return said.told[0];
		},
		async [Symbol.asyncDispose]() {
			ending.abort();
			removeFolder(folder);
			await rest.end();
		},
	};
}

test('a copy goes from host to host by a door of its own, and links lead out of neither', async () => {
	await using hosts = openHosts();
	const {source, target, into, work} = hosts;
	mkdirSync(join(source, 'data'), {mode: 0o700});
	writeFileSync(join(source, 'data', '-a b\n:c'), 'kept');
	writeFileSync(join(source, 'empty'), '');
	symlinkSync('../secret', join(source, 'out'));
	symlinkSync('/secret', join(source, 'root'));
	into.want([work]);
	const key = await hosts.key();
	const door = await hosts.open(key);
	into.want([{...work, door: {...door, public_key: key, may_be_private: true}}]);
	expect(await hosts.end()).toEqual({message: 'Copy done: 2 files, 0.0 MB.', failed: undefined});
	expect(readdirSync(target).toSorted()).toEqual(['data', 'empty', 'out', 'root']);
	expect(readFileSync(join(target, 'data', '-a b\n:c'), 'utf8')).toBe('kept');
});

test('a host copies from nobody but whom the market names, and from no private address', async () => {
	const hand = createHandScheduler();
	await using hosts = openHosts(hand);
	const {target, into, work, told} = hosts;
	into.want([work]);
	const key = await hosts.key();
	const {host, port} = await hosts.open(key);
	const wrong = {host, port, host_key: publicHalf(makeHostKey()), public_key: key};
	into.want([{...work, door: {...wrong, may_be_private: true}}]);
	await expect.poll(async () => hand.pass(5).then(() => told)).toHaveLength(1);
	expect(await hosts.end()).toEqual({
		message: "Copy failed: another host answers than the source's.",
		failed: true,
	});
	expect(readdirSync(target)).toEqual([]);
	const asked: string[] = [];
	const inside = async (name: string) => {
		asked.push(name);
		return ['192.0.2.200', '10.0.0.7'];
	};
	for (const name of ['127.0.0.1', '::1', '169.254.169.254', '::ffff:10.0.0.1', 'db.example']) {
		const address = addressOf({host: name, may_be_private: false}, inside);
		await expect(address).rejects.toThrow("the source's host is at a private address");
	}
	expect(asked).toEqual(['db.example']);
	expect(await addressOf({host: '8.8.8.8', may_be_private: false}, inside)).toBe('8.8.8.8');
	expect(await addressOf({host: 'x', may_be_private: true}, inside)).toBe('192.0.2.200');
});

test('a source whose agent was started again is copied from by its new door, also at the same port', async () => {
	await using hosts = openHosts();
	const {source, target, into, work} = hosts;
	writeFileSync(join(source, 'file'), 'kept');
	into.want([work]);
	const key = await hosts.key();
	const door = {...(await hosts.open(key)), public_key: key, may_be_private: true};
	const {promise: turnedAway, resolve: turnAway} = Promise.withResolvers<void>();
	await using here = await listening(socket => {
		socket.pipe(connect(door.port, door.host)).pipe(socket);
		socket.once('close', () => turnAway());
	});
	into.want([{...work, door: {...door, port: here.port, host_key: publicHalf(makeHostKey())}}]);
	await turnedAway;
	into.want([{...work, door}]);
	expect((await hosts.end())?.message).toBe('Copy done: 1 files, 0.0 MB.');
	expect(readFileSync(join(target, 'file'), 'utf8')).toBe('kept');
});

test('the door of a copy takes its own connection, and few beside', async () => {
	await using hosts = openHosts();
	const {privateKey, publicKey} = makeCopyKey();
	const {port} = await hosts.open(publicKey);
	const outcomes: boolean[] = [];
	const clients: ssh2.Client[] = [];
	for (let count = 0; count < 6; count++) {
		const client = new ssh2.Client().on('error', () => undefined);
		client.connect({host: '127.0.0.1', port, username: 'root', privateKey});
		const opens = once(client, 'ready').then(
			() => true,
			() => false,
		);
		outcomes.push(await opens);
		clients.push(client);
	}
	expect(outcomes).toEqual([true, true, true, true, false, false]);
	for (const client of clients) client.destroy();
});

test('the door of a copy lets its key read files, and nothing else', async () => {
	await using hosts = openHosts();
	const {source} = hosts;
	writeFileSync(join(source, 'file'), 'kept');
	symlinkSync('../secret', join(source, 'out'));
	const {privateKey, publicKey} = makeCopyKey();
	const {port} = await hosts.open(publicKey);
	const keyFile = join(source, '..', 'key');
	writeFileSync(keyFile, privateKey);
	using sftp = await openSftp(port, keyFile);
	expect(await sftp.read('/file')).toBe('kept');
	for (const path of ['/out', '/../secret', '/etc/passwd', '/proc/self/environ']) {
		expect(await sftp.read(path)).toBeUndefined();
	}
	expect(await sftp.write('/file', 'changed')).toBe(false);
	expect(await sftp.write('/new', 'made')).toBe(false);
	expect(await sftp.remove('/file')).toBe(false);
	expect(await sftp.makeFolder('/folder')).toBe(false);
	expect(await sftp.rename('/file', '/other')).toBe(false);
	expect(await sftp.chmod('/file', 0o777)).toBe(false);
	expect(await sftp.truncate('/file')).toBe(false);
	expect(await sftp.link('/', '/link')).toBe(false);
	expect(readdirSync(source).toSorted()).toEqual(['file', 'out']);
	expect(readFileSync(join(source, 'file'), 'utf8')).toBe('kept');
	const {client} = sftp;
	const code = await new Promise(resolve => {
		client.exec('id', (_error, channel) => channel.on('exit', resolve).resume());
	});
	expect(code).toBe(1);
	const isForwarded = await new Promise(resolve => {
		client.forwardOut('127.0.0.1', 1, '127.0.0.1', port, error => resolve(error === undefined));
	});
	expect(isForwarded).toBe(false);
	const isListening = await new Promise(resolve => {
		client.forwardIn('127.0.0.1', 0, error => resolve(error === undefined));
	});
	expect(isListening).toBe(false);

	const stranger = new ssh2.Client();
	const denied = Promise.withResolvers<unknown>();
	stranger.on('error', denied.resolve);
	stranger.connect({
		host: '127.0.0.1',
		port,
		username: 'root',
		privateKey: makeCopyKey().privateKey,
	});
	await denied.promise;
	stranger.destroy();
	client.on('error', () => undefined);
	hosts.from.want([{id: 5, wanted: 'gone', source: volume(1), public_key: publicKey}]);
	await once(client, 'close');
});

test('what is larger than a volume is not begun, and what is on the same machine needs no door', async () => {
	await using hosts = openHosts();
	const {source, target, into, work, doors} = hosts;
	writeFileSync(join(source, 'file'), 'x'.repeat(2000));
	into.want([{...work, source: volume(1), target: {...volume(2), size: 1e-6}}]);
	expect(await hosts.end()).toEqual({
		message: 'Copy failed: there is more than the target has room for.',
		failed: true,
	});
	expect(readdirSync(target)).toEqual([]);
	hosts.told.length = 0;
	into.want([{...work, id: 6, source: volume(1)}]);
	expect((await hosts.end())?.message).toBe('Copy done: 1 files, 0.0 MB.');
	expect(readFileSync(join(target, 'file'), 'utf8')).toBe('x'.repeat(2000));
	expect(doors).toEqual([]);
});

const troubles = [
	['EIO', 'machine'],
	['EMFILE', 'machine'],
	['ENOSPC', undefined],
	['ENOENT', undefined],
] as const;

test.for(troubles)(
	'a host that fails with %s says that the fault is: %s',
	async ([code, fault]) => {
		const told: unknown[] = [];
		const calls: Pick<HostCalls, 'reportCopy'> = {
			async reportCopy(_, one) {
				told.push(one);
				return {success: true};
			},
		};
		const {promise: inside, reject} = Promise.withResolvers<never>();
		reject(Object.assign(new Error('trouble'), {code}));
		const files = {address: '127.0.0.1', inside: async () => inside};
		const patience = {random: () => 0, log: () => undefined, signal: new AbortController().signal};
		const copies = createCopies(
			{calls, runtime: {files}},
			{...patience, scheduler: systemScheduler},
		);
		const place = {path: '/', source_path: '/', source: volume(1), target: volume(2)};
		copies.want([{id: 5, wanted: 'done', ...place}]);
		await expect.poll(() => told).toMatchObject([{failed: true, ended: true, fault}]);
	},
);

test('one copy more than an agent makes at once is refused, by its own fault', async () => {
	const told: unknown[] = [];
	const calls: Pick<HostCalls, 'reportCopy'> = {
		async reportCopy(id, one) {
			told.push([id, one]);
			return {success: true};
		},
	};
	const ending = new AbortController();
	const files = {address: '127.0.0.1', inside: async () => Promise.withResolvers<never>().promise};
	const patience = {random: () => 0, log: () => undefined, signal: ending.signal};
	const copies = createCopies({calls, runtime: {files}}, {...patience, scheduler: systemScheduler});
	const place = {path: '/', source_path: '/', source: volume(1), target: volume(2)};
	copies.want(Array.from({length: MOST_COPIES + 1}, (_, id) => ({id, wanted: 'done', ...place})));
	const message = 'Copy failed: too many copies are made into this host.';
	const refused = {message, failed: true, ended: true, fault: 'machine'};
	await expect.poll(() => told).toMatchObject([[MOST_COPIES, refused]]);
	ending.abort();
});
