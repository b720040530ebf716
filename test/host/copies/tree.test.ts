/** What a copy takes of the machine that it is made to, whoever answers at its source. */
import {once} from 'node:events';
import {mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import ssh2 from 'ssh2';
import {expect, test} from 'vitest';
import {createCopyNames} from '../../../source/host/copies/names.ts';
import {createCopySpace, copyTree} from '../../../source/host/copies/tree.ts';
import {sourceHere} from '../../../source/host/copies/source.ts';
import {folderInside} from '../../../source/host/inside/inside.ts';
import {systemScheduler, type Scheduler} from '../../../source/host/base/scheduler.ts';
import {makeHostKey, publicHalf} from '../../../source/host/ssh/server.ts';
import {ownFiles} from '../../../source/host/inside/own-files.ts';
import {
	makeCopyKey,
	openRemoteFiles,
	type RemoteFiles,
} from '../../../source/host/ssh/remote-files.ts';
import {openFolder} from '../../helpers/folder.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';

const FOLDER = {mode: 0o40755, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0};
const FILE = {...FOLDER, mode: 0o100644};

/** A source that has one folder, whose names are what the test says. */
async function openSource(names: (reply: (count: number) => void) => void) {
	const hostKey = makeHostKey();
	const server = new ssh2.Server({hostKeys: [hostKey]}, client => {
		client.on('error', () => undefined);
		client.on('authentication', context => context.accept());
		client.on('session', accept => {
			accept().on('sftp', acceptFiles => {
				const sftp = acceptFiles();
				let count = 0;
				sftp.on('STAT', id => sftp.attrs(id, FOLDER));
				sftp.on('OPENDIR', id => sftp.handle(id, Buffer.from('1')));
				sftp.on('READDIR', id =>
					names(most => {
						const all = Array.from({length: most}, () => {
							count += 1;
							return {filename: `${count}`.padStart(4000, 'x'), longname: '', attrs: FILE};
						});
						sftp.name(id, all);
					}),
				);
			});
		});
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const port = Number(Reflect.get(Object(server.address()), 'port'));
	const ending = new AbortController();
	const files = await openRemoteFiles(
		{host: '127.0.0.1', port, hostKey: publicHalf(hostKey), ...makeCopyKey()},
		ending.signal,
	);
	return {
		files,
		async [Symbol.asyncDispose]() {
			files.close();
			const closed = once(server, 'close');
			server.close();
			await closed;
		},
	};
}

type Given = {readonly scheduler?: Scheduler; readonly space?: ReturnType<typeof createCopySpace>};

async function copyInto(folder: string, from: RemoteFiles, given: Given = {}) {
	const {scheduler = systemScheduler, space = createCopySpace(1e6)} = given;
	const to = ownFiles(folderInside(folder));
	const names = createCopyNames()();
	const rest = {mostBytes: 1e6, space, names, scheduler, report: () => undefined};
	return copyTree(from, to, {source: '/', target: '/', ...rest});
}

test('a folder without end is not read on, and takes a bounded amount of memory', async () => {
	using target = openFolder();
	await using source = await openSource(reply => reply(60));
	const before = process.memoryUsage().rss;
	await expect(copyInto(target.path, source.files)).rejects.toThrow('more names of files than fit');
	expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
	expect(readdirSync(target.path)).toEqual([]);
});

test('a source that says nothing of its files, or nothing new, is given up', async () => {
	using target = openFolder();
	for (const names of [() => undefined, (reply: (count: number) => void) => reply(0)]) {
		await using source = await openSource(names);
		const scheduler = createHandScheduler();
		const copied = copyInto(target.path, source.files, {scheduler});
		copied.catch(() => undefined);
		await expect.poll(scheduler.planned).toBe(1);
		await scheduler.pass(16 * 60);
		await expect(copied).rejects.toThrow('longer than a quarter of an hour');
	}
});

/** A source here whose file cannot be read beyond some bytes, and is another one each time. */
function brokenSource(folder: string, mtime: number): RemoteFiles {
	const files = sourceHere(ownFiles(folderInside(folder)));
	return {
		...files,
		async *list(path) {
			for await (const some of files.list(path)) yield some.map(file => ({...file, mtime}));
		},
		async read(path, range, take) {
			await files.read(path, {...range, to: Math.min(range.to, range.from + 300_000)}, take);
			throw new Error('the line is broken');
		},
	};
}

test('a copy into an instance that is gone by then ends', async () => {
	using folder = openFolder();
	const source = join(folder.path, 'source');
	mkdirSync(source);
	writeFileSync(join(source, 'data'), 'data');
	const gone = copyInto(join(folder.path, 'gone'), sourceHere(ownFiles(folderInside(source))));
	await expect(gone).rejects.toThrow(/ENOENT|no such/i);
});

test('parts of files count to the size of a volume, and are taken away', async () => {
	using folder = openFolder();
	const [source, target] = [join(folder.path, 'source'), join(folder.path, 'target')];
	mkdirSync(source);
	mkdirSync(target);
	writeFileSync(join(source, 'data'), Buffer.alloc(900_000));
	// Left by an agent before, of the file as it was, and something of the renter's own.
	writeFileSync(join(target, '.data.5-1.part'), 'old');
	writeFileSync(join(target, '.mine.5-1.part'), 'own');
	const space = createCopySpace(1e6);
	for (const mtime of [1, 2, 3, 4, 5, 6]) {
		const copied = copyInto(target, brokenSource(source, mtime), {space});
		await expect(copied).rejects.toThrow('the line is broken');
		const shown = readdirSync(target).toSorted();
		expect(shown).toEqual([`.data.900000-${mtime}.part`, '.mine.5-1.part']);
	}
	// The same file as before: its part goes on.
	await expect(copyInto(target, brokenSource(source, 6), {space})).rejects.toThrow('broken');
	await expect(copyInto(target, brokenSource(source, 6), {space})).rejects.toThrow('broken');
	expect(readFileSync(join(target, '.data.900000-6.part'))).toHaveLength(900_000);
	await space.clear(ownFiles(folderInside(target)));
	expect(readdirSync(target)).toEqual(['.mine.5-1.part']);
	await copyInto(target, sourceHere(ownFiles(folderInside(source))), {space});
	expect(readdirSync(target).toSorted()).toEqual(['.mine.5-1.part', 'data']);
});

test('parts of files from before 1970 are found, and taken away', async () => {
	using folder = openFolder();
	const [source, target] = [join(folder.path, 'source'), join(folder.path, 'target')];
	mkdirSync(source);
	mkdirSync(target);
	writeFileSync(join(source, 'data'), Buffer.alloc(900_000));
	await expect(copyInto(target, brokenSource(source, -5))).rejects.toThrow('the line is broken');
	expect(readdirSync(target)).toEqual(['.data.900000--5.part']);
	// By the next agent, the file is another one.
	await copyInto(target, sourceHere(ownFiles(folderInside(source))));
	expect(readdirSync(target)).toEqual(['data']);
});

test('files with names as long as may be are copied, each by a part of its own', async () => {
	using folder = openFolder();
	const [source, target] = [join(folder.path, 'source'), join(folder.path, 'target')];
	mkdirSync(source);
	mkdirSync(target);
	const names = [
		'字'.repeat(85),
		`${'😀'.repeat(62)}one`,
		`${'x'.repeat(250)}1`,
		`${'x'.repeat(250)}2`,
	];
	for (const name of names) writeFileSync(join(source, name), Buffer.alloc(200_000, name.at(-1)));
	const [first = ''] = readdirSync(source).filter(name => name.startsWith('x'));
	const broken = brokenSource(source, 5);
	const of = (name: string): RemoteFiles => ({
		...broken,
		async *list(path) {
			for await (const some of broken.list(path)) yield some.filter(file => file.name === name);
		},
	});
	await expect(copyInto(target, of(first))).rejects.toThrow('the line is broken');
	rmSync(join(source, first));
	await copyInto(target, sourceHere(ownFiles(folderInside(source))));
	for (const name of readdirSync(source)) {
		expect(readFileSync(join(target, name)).equals(readFileSync(join(source, name)))).toBe(true);
	}
});

test('files that are whole count over all tries of a copy', async () => {
	using folder = openFolder();
	const [source, target] = [join(folder.path, 'source'), join(folder.path, 'target')];
	mkdirSync(source);
	mkdirSync(target);
	const space = createCopySpace(1e6);
	const files = sourceHere(ownFiles(folderInside(source)));
	writeFileSync(join(source, 'one'), Buffer.alloc(600_000));
	await copyInto(target, files, {space});
	await copyInto(target, files, {space});
	renameSync(join(source, 'one'), join(source, 'two'));
	await expect(copyInto(target, files, {space})).rejects.toThrow(
		'more than the target has room for',
	);
	await space.clear(ownFiles(folderInside(target)));
	expect(readdirSync(target)).toEqual(['one']);
	rmSync(join(source, 'two'));
	writeFileSync(join(source, 'two'), Buffer.alloc(400_000));
	await copyInto(target, files, {space});
	expect(readdirSync(target)).toEqual(['one', 'two']);
});

test('names of files are bounded over all copies, and each has some of its own', async () => {
	const open = createCopyNames({most: 1000, own: 100});
	const [one, other] = [open(), open()];
	one.take(1100);
	other.take(60);
	other.take(40);
	expect(() => other.take(1)).toThrow('more names of files than fit');
	expect(() => one.take(1)).toThrow('more names of files than fit');
	one.giveBack();
	one.giveBack();
	expect(() => one.take(1)).toThrow('more names of files than fit');
	other.take(1000);
	expect(() => other.take(1)).toThrow('more names of files than fit');
	other.giveBack();
	open().take(1100);
});
