import {randomBytes} from 'node:crypto';
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {noOpenSsh, noRsync} from '../helpers/host/open-ssh.ts';
import {openPracticeWorld} from '../helpers/commands/practice-world.ts';

/** Two instances of one renter, with their home folders as they are here and as they are inside. */
async function openWorld() {
	const world = await openPracticeWorld();
	const {user, client, instances} = world;
	const key = user.makeKey('laptop');
	await client.sshKeys.create(key.publicKey);
	async function rent(label: string) {
		const id = await world.rent(label);
		const port = Number((await client.instances.show(id))?.ssh_port);
		const {out} = await user.ssh(port, key.file, ['pwd']);
		return {id, home: out.trim(), folder: join(instances, String(id), 'home')};
	}
	const [a, b] = [await rent('train-a'), await rent('train-b')];
	const said = async () => (await client.instances.show(b.id))?.status_msg ?? '';
	return {...world, a, b, said};
}

/** Fills a volume from the first instance, clones it, and copies from the clone into the second one. */
async function copyVolumes(world: Awaited<ReturnType<typeof openWorld>>, whole: Buffer) {
	const {a, b, client} = world;
	const cp = commandsOf(world);
	const [from, to] = (await client.volumes.search({limit: 2})).offers;
	if (from === undefined || to === undefined) return expect.fail('there is no room');
	const name = await client.volumes.create({offerId: from.id, sizeGb: 10, name: 'data'});
	const filled = await cp('cp', `train-a:${a.home}/data`, `${name}:/`);
	expect(filled).toMatchObject({code: 0});
	const id = Number(name.slice(2));
	const room = String(to.id);
	const unasked = await cp('volumes', 'clone', name, '--offer', room);
	expect(unasked).toMatchObject({code: 2});
	expect(unasked.err).toContain('a month, charged from now on until you delete it.');
	const made = await cp('volumes', 'clone', name, '--offer', room, '--size', '12', '--yes');
	expect(made.out).toMatch(/^Volume V\.\d+ is a clone of V\.\d+, and is whole\.\n$/);
	const clone = Number(/V\.(\d+)/.exec(made.out)?.[1]);
	const found = (await client.volumes.list()).volumes.find(volume => volume.id === clone);
	const shown = {status: 'created', clone_of: id, label: 'data', disk_space: 12};
	expect(found).toMatchObject(shown);
	expect((await cp('volumes')).out).toContain(`\n${clone}\tdata\t12\t`);
	const records = jsonOf(await cp('volumes', '--json'));
	const names = ['id', 'label', 'size_gb', 'price_per_hour', 'status', 'machine', 'message'];
	expect(records.map(record => Object.keys(record))).toEqual([names, names]);
	const record = {id: clone, label: 'data', size_gb: 12, status: 'created', machine: to.machine_id};
	expect(records).toContainEqual(expect.objectContaining(record));
	for (const wrong of [
		['clone'],
		['clone', name, '--size', '9'],
		['clone', name, '--size', '0x20'],
		['shrink', name],
	]) {
		expect(await cp('volumes', ...wrong)).toMatchObject({code: 2});
	}
	expect(await cp('volumes', 'clone', '999')).toMatchObject({code: 4});
	const out = await cp('cp', `V.${clone}:/data/model.bin`, `train-b:${b.home}/from-clone`);
	expect(out).toMatchObject({code: 0});
	expect(readFileSync(join(b.folder, 'from-clone')).equals(whole)).toBe(true);
	expect(await cp('cp', 'V.999:/x', `train-b:${b.home}/y`)).toMatchObject({code: 4});
	expect(await cp('cp', 'here', `${name}:/y`)).toMatchObject({code: 2});
}

test.skipIf(noOpenSsh !== undefined)(
	'the host of an instance fetches files of another one, and goes on with a part of a file',
	async () => {
		await using world = await openWorld();
		const {a, b, client, said} = world;
		const whole = randomBytes(3_000_000);
		mkdirSync(join(a.folder, 'data', 'inner'), {recursive: true});
		writeFileSync(join(a.folder, 'data', 'model.bin'), whole);
		utimesSync(join(a.folder, 'data', 'model.bin'), 1_700_000_000, 1_700_000_000);
		writeFileSync(join(a.folder, 'data', 'inner', "a b'c;é"), 'kept', {mode: 0o755});
		symlinkSync('model.bin', join(a.folder, 'data', 'link'));
		// What an earlier try has left is not fetched again: these bytes are known by their value.
		mkdirSync(join(b.folder, 'copied', 'data'), {recursive: true});
		const part = Buffer.alloc(1_000_000, 7);
		writeFileSync(join(b.folder, 'copied', 'data', '.model.bin.3000000-1700000000.part'), part);

		await client.copies.start(
			{kind: 'instance', id: a.id, path: `${a.home}/data`},
			{kind: 'instance', id: b.id, path: `${b.home}/copied`},
		);
		await expect.poll(said).toBe('Copy done: 2 files, 3.0 MB.');
		const copied = join(b.folder, 'copied', 'data');
		const expected = Buffer.concat([part, whole.subarray(part.length)]);
		expect(readFileSync(join(copied, 'model.bin')).equals(expected)).toBe(true);
		expect(readFileSync(join(copied, 'link')).equals(expected)).toBe(true);
		expect(readFileSync(join(copied, 'inner', "a b'c;é"), 'utf8')).toBe('kept');
		expect(statSync(join(copied, 'inner', "a b'c;é")).mode & 0o777).toBe(0o755);
		expect(readdirSync(copied).toSorted()).toEqual(['inner', 'link', 'model.bin']);

		const cp = commandsOf(world);
		const again = await cp('cp', `${a.id}:${a.home}/data/`, `train-b:${b.home}/deep/again`);
		expect(again).toMatchObject({code: 0});
		expect(again.out).toMatch(/^Copied \d+:/);
		const copiedAgain = readFileSync(join(b.folder, 'deep', 'again', 'model.bin'));
		expect(copiedAgain.equals(whole)).toBe(true);

		await copyVolumes(world, whole);
		const missing = await cp('cp', `train-a:${a.home}/nothing`, `train-b:${b.home}/copied`);
		expect(missing).toMatchObject({code: 1, out: ''});
		expect(missing.err).toContain('was not copied to train-b:');
	},
);

test.skipIf(noOpenSsh !== undefined)(
	'copies that cannot be are refused, each with a sentence',
	async () => {
		await using world = await openWorld();
		const {a, b, url, key, client} = world;
		async function ask(body: Readonly<Record<string, unknown>>, method: 'PUT' | 'DELETE' = 'PUT') {
			const reply = await fetch(`${url}/api/v0/commands/copy_direct/`, {
				method,
				headers: {authorization: `Bearer ${key}`, 'content-type': 'application/json'},
				body: JSON.stringify({client_id: 'me', ...body}),
			});
			const answer: unknown = await reply.json();
			return {status: reply.status, answer: JSON.stringify(answer)};
		}
		const good = {src_id: `C.${a.id}`, src_path: '/root/x', dst_id: b.id, dst_path: '/root/y'};
		const refused: ReadonlyArray<
			readonly [Readonly<Record<string, unknown>>, number, string, string]
		> = [
			[{dst_path: '/root/'}, 400, 'invalid_args', 'Invalid dst_path.'],
			[{src_path: ''}, 400, 'invalid_args', 'Invalid src_path.'],
			[{src_id: 999_999}, 404, 'no_such_instance', 'Instance 999999 not found.'],
			[{src_id: null, dst_id: 'local'}, 400, 'invalid_args', 'Invalid dst_id.'],
			[{src_id: 'V.1', dst_id: null}, 400, 'invalid_args', 'A volume is copied to and'],
			[{src_id: 's3.101'}, 400, 'not_supported', 'Cloud connections are not available'],
			[{src_id: 'V.1'}, 404, 'no_such_volume', 'Volume with that ID does not exist.'],
			[{dst_id: 'V.1', dst_path: '/'}, 404, 'no_such_volume', 'Volume with that ID'],
		];
		for (const [wrong, status, error, msg] of refused) {
			const reply = await ask({...good, ...wrong});
			expect(reply.status).toBe(status);
			expect(reply.answer).toContain(`"error":"${error}"`);
			expect(reply.answer).toContain(`"msg":"${msg}`);
		}
		expect(await ask({dst_id: b.id}, 'DELETE')).toMatchObject({status: 200});
		await client.instances.stop(a.id);
		await expect
			.poll(async () => (await client.instances.show(a.id))?.actual_status)
			.not.toBe('running');
		const stopped = await ask(good);
		expect(stopped.status).toBe(400);
		expect(stopped.answer).toContain(`Instance ${a.id} does not run: start it first.`);
	},
);

/** Asks for a copy as existing clients do, and runs the rsync that they run with the answer. */
async function copyAsOthersDo(
	{url, key, user}: Awaited<ReturnType<typeof openWorld>>,
	{call, body, rsync}: {call: string; body: object; rsync: (remote: string) => readonly string[]},
) {
	const headers = {authorization: `Bearer ${key}`, 'content-type': 'application/json'};
	const sent = {method: 'PUT', headers, body: JSON.stringify({client_id: 'me', ...body})};
	const reply: unknown = await (await fetch(`${url}/api/v0/commands/${call}/`, sent)).json();
	const found = isRecord(reply) ? reply : {};
	expect(found).toMatchObject({success: true});
	const [address, port] = [
		found['dst_addr'] ?? found['src_addr'],
		found['dst_port'] ?? found['src_port'],
	];
	const shell = ['ssh', '-i', join(user.folder, 'laptop'), ...user.options, '-p', String(port)];
	return user.run('rsync', [
		'-arz',
		'-e',
		shell.join(' '),
		...rsync(`vastai_kaalia@${String(address)}::`),
	]);
}

test.skipIf(noOpenSsh !== undefined || noRsync !== undefined)(
	'an existing client copies between this machine and an instance with rsync',
	{timeout: 120_000},
	async () => {
		await using world = await openWorld();
		const {a, user} = world;
		const [mine, back] = [join(user.folder, 'mine'), join(user.folder, 'back')];
		mkdirSync(join(mine, 'inner'), {recursive: true});
		writeFileSync(join(mine, 'inner', 'note'), 'kept');
		const sent = await copyAsOthersDo(world, {
			call: 'copy_direct',
			body: {src_id: 'local', dst_id: `C.${a.id}`, src_path: mine, dst_path: `${a.home}/work`},
			rsync: remote => [`${mine}/`, `${remote}C.${a.id}/${a.home}/work`],
		});
		expect(sent).toMatchObject({code: 0, complaint: ''});
		expect(readFileSync(join(a.folder, 'work', 'inner', 'note'), 'utf8')).toBe('kept');
		const fetched = await copyAsOthersDo(world, {
			call: 'rsync',
			body: {src_id: String(a.id), dst_id: null, src_path: `${a.home}/work`, dst_path: back},
			rsync: remote => [`${remote}${a.id}/${a.home}/work/`, back],
		});
		expect(fetched).toMatchObject({code: 0, complaint: ''});
		expect(readFileSync(join(back, 'inner', 'note'), 'utf8')).toBe('kept');
	},
);
