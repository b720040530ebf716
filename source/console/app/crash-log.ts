import {appendFileSync, chmodSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {sentence} from '../../renter/text/format.ts';

/** Writes what broke to a log of its own, without the secret, and says in one sentence where. */
export function logCrash(folder: string, error: unknown, secret: string | undefined): string {
	const file = join(folder, 'crash.log');
	const what = withoutSecret(error instanceof Error ? error.message : inspect(error), secret);
	const [line = ''] = what.split('\n');
	try {
		mkdirSync(folder, {recursive: true, mode: 0o700});
		const entry = `${new Date().toISOString()}\n${withoutSecret(inspect(error), secret)}\n\n`;
		appendFileSync(file, entry, {mode: 0o600});
		chmodSync(file, 0o600);
		return `rentty stopped because of an error: ${sentence(line)} Details are in ${file}.`;
	} catch {
		return `rentty stopped because of an error: ${sentence(line)} Its log could not be written to ${file}.`;
	}
}

function withoutSecret(text: string, secret: string | undefined): string {
	return secret === undefined || secret === ''
		? text
		: text.replaceAll(secret, `..${secret.slice(-4)}`);
}
