/** A service that is named on the command line or in the environment, and its key. */
import {UsageError} from '../text/usage-error.ts';

/** A remote service and how its key is found; undefined for the practice market. */
export type RemoteService = {
	readonly url: string;
	readonly key: {readonly file: string} | {readonly value: string};
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Service named on the command line. */
type Named = {readonly url: string | undefined; readonly keyFile: string | undefined};

/** Chosen service: the command line first, then the environment, else practice. */
export function chooseService(
	{url, keyFile}: Named,
	environment: Environment,
): RemoteService | undefined {
	if (url !== undefined && keyFile !== undefined) {
		return {url: readServiceUrl('--url', url), key: {file: keyFile}};
	}
	if (url !== undefined)
		throw new UsageError('--url needs --key-file with the key of that service.');
	if (keyFile !== undefined)
		throw new UsageError('--key-file needs --url with the service it is for.');
	const {RENTTY_URL: named, RENTTY_API_KEY: value} = environment;
	if (isEmpty(named) && isEmpty(value)) return undefined;
	if (isEmpty(named)) throw new UsageError('RENTTY_API_KEY is set, but RENTTY_URL is not.');
	if (isEmpty(value)) throw new UsageError('RENTTY_URL is set, but RENTTY_API_KEY is not.');
	return {url: readServiceUrl('RENTTY_URL', named), key: {value: readKey('RENTTY_API_KEY', value)}};
}

/** An API key as it may stand in a file: one line of printable characters. */
export function readKey(source: string, text: string): string {
	const key = text.trim();
	if (/^[\u0021-\u007E]+$/.test(key)) return key;
	throw new UsageError(`${source} does not hold an API key: expected one line without blanks.`);
}

function isEmpty(value: string | undefined): value is undefined | '' {
	return value === undefined || value === '';
}

export function readServiceUrl(source: string, text: string): string {
	const url = URL.parse(text);
	if (url === null || !['http:', 'https:'].includes(url.protocol)) {
		throw new UsageError(`${source} must start with http:// or https://.`);
	}
	if (url.username !== '' || url.password !== '') {
		throw new UsageError(`${source} must not carry a user name or password.`);
	}
	return text;
}
