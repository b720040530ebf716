/** Trusts a private authority beside those of the system. */
import {X509Certificate} from 'node:crypto';
import {getCACertificates, setDefaultCACertificates} from 'node:tls';
import {readNamedFile, UsageError} from '../../renter/text/usage-error.ts';

/** @throws UsageError for a file without a certificate */
export function trustAuthority(file: string): void {
	const text = readNamedFile(file);
	try {
		void new X509Certificate(text);
	} catch (cause) {
		throw new UsageError(`${file} holds no certificate of an authority, in PEM.`, {cause});
	}
	setDefaultCACertificates([...getCACertificates('default'), text]);
}
