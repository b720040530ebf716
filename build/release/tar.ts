/** Archives of files that are the same wherever and whenever they are made. */

export type Entry = {
	/** Without a slash before it. A folder has no content. */
	readonly path: string;
	readonly content?: Buffer | string;
	readonly mode?: number;
};

const BLOCK = 512;

/** All folders on the way to the files come before them. */
export function tarOf(entries: readonly Entry[]): Buffer {
	const folders = new Set<string>();
	for (const {path} of entries) {
		const parts = path.split('/').slice(0, -1);
		parts.forEach((_, at) => folders.add(parts.slice(0, at + 1).join('/')));
	}
	const all: readonly Entry[] = [...[...folders].toSorted().map(path => ({path})), ...entries];
	return Buffer.concat([...all.flatMap(blocksOf), Buffer.alloc(2 * BLOCK)]);
}

function blocksOf({path, content, mode}: Entry): readonly Buffer[] {
	const isFolder = content === undefined;
	const bytes = Buffer.from(content ?? '');
	const header = Buffer.alloc(BLOCK);
	const name = `./${path}${isFolder ? '/' : ''}`;
	if (name.length > 100) throw new Error(`${name} is too long for an archive`);
	header.write(name, 0);
	const octal = (value: number, at: number, length: number) =>
		header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
	octal(mode ?? (isFolder ? 0o755 : 0o644), 100, 8);
	octal(0, 108, 8);
	octal(0, 116, 8);
	octal(bytes.length, 124, 12);
	octal(0, 136, 12);
	header.write(`        ${isFolder ? '5' : '0'}`, 148, 'latin1');
	header.write('ustar\0\u003000root', 257, 'latin1');
	header.write('root', 297, 'latin1');
	const sum = header.reduce((total, byte) => total + byte, 0);
	header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
	const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK);
	return [header, bytes, padding];
}

/** An `ar` archive, as Debian packages are. */
export function arOf(members: ReadonlyArray<readonly [name: string, content: Buffer]>): Buffer {
	const parts = members.flatMap(([name, content]) => {
		const fields = [
			[name, 16],
			['0', 12],
			['0', 6],
			['0', 6],
			['100644', 8],
			[content.length, 10],
		];
		const head = fields.map(([text, width]) => String(text).padEnd(Number(width))).join('');
		return [Buffer.from(`${head}\`\n`), content, Buffer.from(content.length % 2 === 1 ? '\n' : '')];
	});
	return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
