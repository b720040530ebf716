import {chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {randomBytes} from 'node:crypto';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {noOpenSsh, noRsync} from '../helpers/host/open-ssh.ts';
import {openPracticeWorld} from '../helpers/commands/practice-world.ts';

const without = noOpenSsh ?? noRsync;

/** A folder of programs that come before those of the machine. */
function programsIn(folder: string, programs: Readonly<Record<string, string>>): string {
	mkdirSync(folder, {recursive: true});
	for (const [name, script] of Object.entries(programs)) {
		writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`);
		chmodSync(join(folder, name), 0o755);
	}
	return `${folder}:${process.env['PATH'] ?? ''}`;
}

async function openWorld() {
	const world = await openPracticeWorld();
	const {folder, makeKey} = world.user;
	mkdirSync(join(folder, '.ssh'));
	await world.client.sshKeys.create(makeKey('.ssh/fleet').publicKey);
	const id = await world.rent('train-a');
	const run = (PATH: string) => commandsOf(world, {environment: {HOME: folder, PATH}});
	return {
		...world,
		id,
		folder,
		home: join(world.instances, String(id), 'home'),
		run,
		cp: run(process.env['PATH'] ?? ''),
	};
}

const MEGABYTE = 1_000_000;

test.skipIf(without !== undefined)(
	'files go into an instance and out of it, whatever is in their names',
	async () => {
		await using world = await openWorld();
		const {cp, folder, home, id} = world;
		const odd = `a b'c"$(touch run);*é`;
		mkdirSync(join(folder, 'data', 'inner'), {recursive: true});
		writeFileSync(join(folder, 'data', 'inner', odd), 'kept');
		expect(await cp('cp', `${folder}/data`, 'train-a:copied')).toMatchObject({
			code: 0,
			out: `Copied ${folder}/data to train-a:copied.\n`,
		});
		expect(readFileSync(join(home, 'copied', 'data', 'inner', odd), 'utf8')).toBe('kept');
		const back = await cp('cp', `C.${id}:copied/data/inner/${odd}`, `local:${folder}/$(back)`);
		expect(back).toMatchObject({code: 0});
		expect(readFileSync(join(folder, '$(back)'), 'utf8')).toBe('kept');
		expect([folder, home].flatMap(place => readdirSync(place))).not.toContain('run');

		const missing = await cp('cp', `${id}:nothing`, folder);
		expect(missing).toMatchObject({code: 1, out: ''});
		expect(missing.err).toContain('No such file');
		const whole = await cp('cp', `${folder}/data/`, `${id}:/root`);
		expect(whole).toMatchObject({code: 2});
		const printed = await cp('cp', '--print', `${id}:x`, 'y');
		expect(printed.out).toMatch(/^rsync -s .* -e 'ssh .*' -- root@127\.0\.0\.1:x y\n$/);
	},
);

test.skipIf(without !== undefined)(
	'names of cp are those of exec, and a place that does not last is named',
	async () => {
		await using world = await openWorld();
		const {cp, folder, home, id, instances} = world;
		const other = await world.rent('train-b');
		writeFileSync(join(folder, 'x'), 'kept');
		for (const [at, names] of ['train-a, train-b', 'train-a train-b', 'label~train'].entries()) {
			// oxlint-disable-next-line no-await-in-loop -- one after the other, as people type them
			const ran = await cp('cp', `${folder}/x`, `${names}:into-${at}`);
			expect(ran).toMatchObject({
				code: 0,
				out: [id, other].map(to => `Copied ${folder}/x to ${to}:into-${at}.\n`).join(''),
			});
			for (const place of [home, join(instances, String(other), 'home')]) {
				expect(readFileSync(join(place, `into-${at}`), 'utf8')).toBe('kept');
			}
		}
		const out = await cp('cp', 'label~train:into-0', folder);
		expect(out).toMatchObject({code: 2, out: ''});
		expect(out.err).toContain(`would replace each other: say which of ${id}, ${other}.`);

		expect(await cp('cp', `${folder}/x`, 'train-a:/tmp/x')).toMatchObject({code: 0});
		const lost = await cp('cp', `${folder}/x`, 'train-a:/run/x');
		expect(lost).toMatchObject({code: 1, out: ''});
		expect(lost.err).toContain('a new session there does not see it');
	},
);

test.skipIf(without !== undefined)(
	'a copy whose line breaks goes on where it was, by itself',
	async () => {
		await using world = await openWorld();
		const {folder, home, id} = world;
		const whole = randomBytes(24 * MEGABYTE);
		writeFileSync(join(home, 'model.bin'), whole);
		// The first line breaks after 15 MB; of the second, bytes are counted.
		const breaking = `
			const {spawn} = require('node:child_process');
			const {existsSync, writeFileSync} = require('node:fs');
			process.env.PATH = process.env.PATH.replace(/^[^:]*:/, '');
			const isFirst = !existsSync('${folder}/first');
			writeFileSync('${folder}/first', '');
			const ssh = spawn('ssh', process.argv.slice(2), {stdio: ['inherit', 'pipe', 'inherit']});
			let bytes = 0;
			ssh.stdout.on('data', data => {
				bytes += data.length;
				if (isFirst && bytes > ${15 * MEGABYTE}) {
					ssh.kill('SIGKILL');
					process.exit(255);
				}
				if (!process.stdout.write(data)) {
					ssh.stdout.pause();
					process.stdout.once('drain', () => ssh.stdout.resume());
				}
			});
			ssh.on('close', code => {
				writeFileSync('${folder}/second', String(bytes));
				process.exitCode = code;
			});
		`;
		writeFileSync(join(folder, 'breaking.cjs'), breaking);
		const path = programsIn(join(folder, 'programs'), {
			ssh: `exec ${process.execPath} ${folder}/breaking.cjs "$@"`,
		});
		const ran = await world.run(path)('cp', '--json', `${id}:model.bin`, `${folder}/model.bin`);
		expect(ran.err).toContain('The line is broken: it goes on where it was in 1 s.');
		expect(ran.code).toBe(0);
		expect(jsonOf(ran).at(-1)).toMatchObject({program: 'rsync', breaks: 1});
		expect(jsonOf(ran).filter(({percent}) => percent !== undefined)).not.toEqual([]);
		expect(readFileSync(join(folder, 'model.bin')).equals(whole)).toBe(true);
		const counted = Number(readFileSync(join(folder, 'second'), 'utf8'));
		expect(counted).toBeGreaterThan(0);
		expect(counted).toBeLessThan(20 * MEGABYTE);
	},
);

test.skipIf(without !== undefined)('scp copies where there is no rsync, and says so', async () => {
	await using world = await openWorld();
	const {folder, home, id} = world;
	const path = programsIn(join(folder, 'programs'), {rsync: 'exit 1'});
	mkdirSync(join(folder, 'data'));
	writeFileSync(join(folder, 'data', 'a b;c'), 'kept');
	const ran = await world.run(path)('cp', `${folder}/data/`, `${id}:there`);
	expect(ran).toMatchObject({code: 0});
	expect(ran.err).toContain('This machine has no rsync of 3.1 or later');
	expect(readFileSync(join(home, 'there', 'a b;c'), 'utf8')).toBe('kept');
});
