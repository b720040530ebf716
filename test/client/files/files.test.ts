import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {
	createFile,
	openFileWriter,
	replaceFile,
	replaceFileNow,
} from '../../../source/client/files/files.ts';

function openFolder() {
	const path = mkdtempSync(join(tmpdir(), 'rentty-files-'));
	return {
		path,
		file: join(path, 'a', 'file.json'),
		list: () => readdirSync(path, {recursive: true}).map(String).toSorted(),
		[Symbol.dispose]: () => rmSync(path, {recursive: true, force: true}),
	};
}

const writes = [
	['replaceFile', replaceFile],
	[
		'replaceFileNow',
		async (...given: Parameters<typeof replaceFileNow>) => replaceFileNow(...given),
	],
	['createFile', createFile],
] as const;
const replaces = writes.filter(([name]) => name !== 'createFile');

test.each(writes)(
	'%s makes a folder and a file that their owner alone can read',
	async (_, write) => {
		using folder = openFolder();
		await write(folder.file, 'text');
		expect(readFileSync(folder.file, 'utf8')).toBe('text');
		expect(statSync(folder.file).mode & 0o777).toBe(0o600);
		expect(statSync(join(folder.file, '..')).mode & 0o777).toBe(0o700);
		expect(folder.list()).toEqual(['a', 'a/file.json']);
	},
);

test.each(replaces)(
	'%s puts a text for its owner alone in the place of another',
	async (_, write) => {
		using folder = openFolder();
		const file = join(folder.path, 'file');
		writeFileSync(file, 'something longer', {mode: 0o644});
		await write(file, 'text', {isDurable: true});
		expect(readFileSync(file, 'utf8')).toBe('text');
		expect(statSync(file).mode & 0o777).toBe(0o600);
	},
);

test.each(replaces)('%s gives a file the mode that is asked for', async (_, write) => {
	using folder = openFolder();
	const before = process.umask(0o077);
	try {
		await write(folder.file, 'text', {mode: 0o644});
	} finally {
		process.umask(before);
	}
	expect(statSync(folder.file).mode & 0o777).toBe(0o644);
});

test.each(replaces)('a link stays a link for %s, also one to nothing', async (_, write) => {
	using folder = openFolder();
	const [link, lost] = [join(folder.path, 'link'), join(folder.path, 'lost')];
	writeFileSync(join(folder.path, 'kept'), 'old');
	symlinkSync(join(folder.path, 'kept'), link);
	symlinkSync(join(folder.path, 'nothing'), lost);
	await write(link, 'new');
	await expect(write(lost, 'new')).rejects.toThrow('ENOENT');
	expect(readFileSync(join(folder.path, 'kept'), 'utf8')).toBe('new');
	expect([link, lost].every(file => lstatSync(file).isSymbolicLink())).toBe(true);
	expect(folder.list()).toEqual(['kept', 'link', 'lost']);
});

test.each(writes)(
	'%s that fails leaves what was there, and nothing beside it',
	async (_, write) => {
		using folder = openFolder();
		const file = join(folder.path, 'file');
		writeFileSync(file, 'old');
		await expect(write(join(file, 'below', 'it'), 'new')).rejects.toThrow('ENOTDIR');
		mkdirSync(join(folder.path, 'folder', 'inner'), {recursive: true});
		await expect(write(join(folder.path, 'folder'), 'new')).rejects.toThrow(/EISDIR|EEXIST/);
		expect(readFileSync(file, 'utf8')).toBe('old');
		expect(folder.list()).toEqual(['file', 'folder', 'folder/inner']);
	},
);

test.each(replaces)('a link to what is no file is not written through by %s', async (_, write) => {
	using folder = openFolder();
	const [pipe, link] = [join(folder.path, 'pipe'), join(folder.path, 'link')];
	expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
	symlinkSync(pipe, link);
	await expect(async () => write(link, 'new')).rejects.toThrow(`${pipe} is no file`);
	expect([lstatSync(pipe).isFIFO(), lstatSync(link).isSymbolicLink()]).toEqual([true, true]);
	expect(folder.list()).toEqual(['link', 'pipe']);
});

test('a new file takes the place of none, and of no link either', async () => {
	using folder = openFolder();
	const [file, link] = [join(folder.path, 'file'), join(folder.path, 'link')];
	writeFileSync(file, 'old');
	symlinkSync(join(folder.path, 'nothing'), link);
	await expect(createFile(file, 'new')).rejects.toMatchObject({code: 'EEXIST'});
	await expect(createFile(link, 'new')).rejects.toMatchObject({code: 'EEXIST'});
	expect(readFileSync(file, 'utf8')).toBe('old');
	expect(folder.list()).toEqual(['file', 'link']);
});

/** Runs lines of a program that has the module as `files`. */
function programOf(code: string, ...args: readonly string[]) {
	const source = new URL('../../../source/client/files/files.ts', import.meta.url).href;
	const text = `const files = await import(${JSON.stringify(source)});\n${code}`;
	return [process.execPath, '--input-type=module', '-e', text, ...args] as const;
}

test.each(writes.map(([name]) => name))(
	'where the disk takes a part of the text only, %s leaves no part of it',
	name => {
		using folder = openFolder();
		const file = join(folder.path, 'file');
		if (name !== 'createFile') writeFileSync(file, 'old');
		const code = `
			const write = async () => files[process.argv[1]](process.argv[2], 'x'.repeat(100_000));
			await write().catch(error => console.log(error.code));`;
		// A limit on the size of files is what a full disk is for whoever writes.
		const {stdout, stderr} = spawnSync(
			'sh',
			['-c', 'ulimit -f 8; exec "$@"', 'sh', ...programOf(code, name, file)],
			{encoding: 'utf8'},
		);
		expect({stdout, stderr}).toEqual({stdout: 'EFBIG\n', stderr: ''});
		expect(folder.list()).toEqual(name === 'createFile' ? [] : ['file']);
		if (name !== 'createFile') expect(readFileSync(file, 'utf8')).toBe('old');
	},
);

const SIZE = 1_000_000;

test('of two programs that write the same file at once, one whole text is always there', async () => {
	using folder = openFolder();
	const code = `
		const [, file, letter] = process.argv;
		const write = files.openFileWriter(file);
		for (let n = 0; n < 60; n++) await write(() => letter.repeat(${SIZE}));`;
	const started = ['a', 'b'].map(letter => {
		const [program, ...args] = programOf(code, folder.file, letter);
		return spawn(program, args, {stdio: ['ignore', 'ignore', 'inherit']});
	});
	const ended = Promise.all(started.map(async child => once(child, 'exit')));
	const seen = new Set<string>();
	while (started.some(({exitCode}) => exitCode === null)) {
		// oxlint-disable-next-line no-await-in-loop -- so that their ends are noticed
		await new Promise(setImmediate);
		seen.add(shapeOf(folder.file));
	}
	seen.delete('none');
	expect(await ended).toEqual([
		[0, null],
		[0, null],
	]);
	const whole = [`a ${SIZE}`, `b ${SIZE}`];
	expect([...seen].filter(shape => !whole.includes(shape))).toEqual([]);
	expect(whole).toContain(shapeOf(folder.file));
	expect(folder.list()).toEqual(['a', 'a/file.json']);
});

/** The letters that are in a file, and how many there are. */
function shapeOf(file: string): string {
	try {
		const text = readFileSync(file, 'utf8');
		return `${[...new Set(text)].join('')} ${text.length}`;
	} catch {
		return 'none';
	}
}

test('a program that is killed in the middle of writing leaves the old text', async () => {
	using folder = openFolder();
	await replaceFile(folder.file, 'o'.repeat(SIZE));
	const code = `await files.replaceFile(process.argv[1], 'n'.repeat(${SIZE * 256}));`;
	const [program, ...args] = programOf(code, folder.file);
	const child = spawn(program, args, {stdio: ['ignore', 'ignore', 'inherit']});
	const exited = once(child, 'exit');
	const isHalfWritten = (name: string) => {
		const size = statSync(join(folder.file, '..', name), {throwIfNoEntry: false})?.size ?? 0;
		return size > 0 && size < SIZE * 256 && size !== SIZE;
	};
	while (!readdirSync(join(folder.file, '..')).some(isHalfWritten)) {
		if (child.exitCode !== null) throw new Error('it was through before it could be killed');
		// oxlint-disable-next-line no-await-in-loop -- so that its end is noticed
		await new Promise(setImmediate);
	}
	child.kill('SIGKILL');
	expect(await exited).toEqual([null, 'SIGKILL']);
	expect(shapeOf(folder.file)).toBe(`o ${SIZE}`);
});

test('writes of one program that happen at once do not meet', async () => {
	using folder = openFolder();
	const texts = Array.from({length: 20}, (_, at) => 'abcdefghij'[at % 10]?.repeat(SIZE) ?? '');
	await Promise.all(texts.map(async text => replaceFile(folder.file, text)));
	expect(shapeOf(folder.file)).toMatch(/^[a-j] 1000000$/);
	expect(folder.list()).toEqual(['a', 'a/file.json']);
});

test('a write that failed stops no later one', async () => {
	using folder = openFolder();
	mkdirSync(folder.file, {recursive: true});
	const write = openFileWriter(folder.file);
	await expect(write(() => 'lost')).rejects.toThrow('EISDIR');
	rmSync(folder.file, {recursive: true});
	await write(() => 'kept');
	expect(readFileSync(folder.file, 'utf8')).toBe('kept');
});

test('of what waits the newest alone is written, one after the other', async () => {
	const started: Array<{text: string; end: (error?: Error) => void}> = [];
	const write = openFileWriter('f', async (_, text) => {
		const {promise, resolve, reject} = Promise.withResolvers<void>();
		started.push({text, end: error => (error === undefined ? resolve() : reject(error))});
		return promise;
	});
	const first = write(() => 'a');
	await expect.poll(() => started.length).toBe(1);
	const waiting = ['b', 'c', 'd'].map(async text => write(() => text));
	expect(started.map(({text}) => text)).toEqual(['a']);
	const full = new Error('the disk is full');
	started[0]?.end(full);
	await expect(first).rejects.toBe(full);
	await expect.poll(() => started.map(({text}) => text)).toEqual(['a', 'd']);
	const later = write(() => 'e');
	started[1]?.end();
	await Promise.all(waiting);
	await expect.poll(() => started.length).toBe(3);
	started[2]?.end();
	await later;
	expect(started.map(({text}) => text)).toEqual(['a', 'd', 'e']);
});
