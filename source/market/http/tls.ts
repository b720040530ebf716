/** The market's TLS certificate, reloaded when it is renewed. */
import {readFileSync} from 'node:fs';
import type {Server} from 'node:https';
import {createSecureContext} from 'node:tls';
import {messageOf} from '../../contract/rules/thrown.ts';
import type {Log} from '../base/log.ts';

export type TlsFiles = {
	/** File with the certificate and its chain, and file with its private key. */
	readonly cert: string;
	readonly key: string;
	/**
	 * Interval at which the files are checked.
	 * @default 60_000
	 */
	readonly everyMs?: number;
};

type Certificate = {readonly cert: string; readonly key: string};

/** @throws Error that names the problem of the files */
export function readCertificate(files: TlsFiles): Certificate {
	try {
		const read = {cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8')};
		// Refuses a key that is another certificate's.
		createSecureContext(read);
		return read;
	} catch (cause) {
		throw new Error(
			`The certificate in ${files.cert} and the key in ${files.key} cannot be used: ${messageOf(cause)}.`,
			{cause},
		);
	}
}

const EVERY_MS = 60_000;

/**
 * Uses renewed files for new connections. Files that cannot be used, for example half-written ones,
 * change nothing.
 */
export function keepCertificate(
	server: Server,
	files: TlsFiles,
	first: Certificate,
	log: Log,
): void {
	let known = first;
	let trouble = '';
	const look = () => {
		try {
			const read = readCertificate(files);
			if (read.cert !== known.cert || read.key !== known.key) server.setSecureContext(read);
			known = read;
			trouble = '';
		} catch (error) {
			const text = `${messageOf(error)} The earlier ones stay in use.`;
			if (text !== trouble) log(text);
			trouble = text;
		}
	};
	const timer = setInterval(look, files.everyMs ?? EVERY_MS).unref();
	server.once('close', () => clearInterval(timer));
}
