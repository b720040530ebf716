/** A client of file transfer that does one call after the other, quicker than a program for each. */
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {promisify} from 'node:util';
import ssh2 from 'ssh2';
import type {SFTPWrapper} from 'ssh2';

export async function openSftp(port: number, keyFile: string) {
	const client = new ssh2.Client();
	client.on('error', () => undefined);
	client.connect({host: '127.0.0.1', port, username: 'root', privateKey: readFileSync(keyFile)});
	await once(client, 'ready');
	const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
		client.sftp((error, opened) => (error === undefined ? resolve(opened) : reject(error)));
	});
	return {
		raw: sftp,
		client,
		/** What a file has in it; undefined where it is refused. */
		read: async (path: string) =>
			new Promise<string | undefined>(resolve => {
				sftp.readFile(path, (error, bytes) => {
					resolve(error === undefined || error === null ? bytes.toString() : undefined);
				});
			}),
		/** Answers whether it was done. */
		write: async (path: string, text: string) =>
			isDone(promisify(sftp.writeFile.bind(sftp))(path, text)),
		remove: async (path: string) => isDone(promisify(sftp.unlink.bind(sftp))(path)),
		makeFolder: async (path: string) =>
			isDone(new Promise<void>((resolve, reject) => sftp.mkdir(path, settle(resolve, reject)))),
		rename: async (from: string, to: string) => isDone(promisify(sftp.rename.bind(sftp))(from, to)),
		chmod: async (path: string, mode: number) =>
			isDone(promisify(sftp.chmod.bind(sftp))(path, mode)),
		truncate: async (path: string) =>
			isDone(
				new Promise<void>((resolve, reject) =>
					sftp.setstat(path, {size: 0}, settle(resolve, reject)),
				),
			),
		/** The library has the two the other way round for servers that are not OpenSSH. */
		link: async (target: string, path: string) =>
			isDone(promisify(sftp.symlink.bind(sftp))(path, target)),
		list: async (path: string) =>
			new Promise<readonly string[] | undefined>(resolve => {
				sftp.readdir(path, (error, list) => {
					resolve(error === undefined ? list.map(one => one.filename) : undefined);
				});
			}),
		[Symbol.dispose]: () => void client.end(),
	};
}

function settle(resolve: () => void, reject: (error: Error) => void) {
	return (error: Error | null | undefined) => (error instanceof Error ? reject(error) : resolve());
}

async function isDone(action: Promise<unknown>): Promise<boolean> {
	return action.then(
		() => true,
		() => false,
	);
}
