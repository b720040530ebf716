/** Address of a PostgreSQL: `postgres://user@host,host:port/name?sslmode=…`. */
import {readFileSync, statSync} from 'node:fs';
import {homedir, userInfo} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {DatabaseRefused} from '../database-file.ts';

export type PostgresAddress = {
	/** Hosts, tried in turn for a writable one. A host with a slash is the folder of a socket. */
	readonly hosts: ReadonlyArray<{readonly host: string; readonly port: number}>;
	readonly user: string;
	readonly name: string;
	/** `require` encrypts, and `verify-full` also checks the certificate. */
	readonly sslmode: 'disable' | 'require' | 'verify-full';
};

const USUAL_PORT = 5432;

/** True for the address of a PostgreSQL, not a file. */
export function isPostgres(place: string): boolean {
	return /^postgres(?:ql)?:/i.test(place);
}

const FORM =
	/^postgres(?:ql)?:\/\/(?:(?<user>[^@/?#]*)@)?(?<hosts>[^/?#]*)(?:\/(?<name>[^?#]*))?(?:\?(?<query>[^#]*))?$/i;

/** @throws DatabaseRefused for an invalid address, and for one with a password. */
export function readAddress(text: string, env = process.env): PostgresAddress {
	const parts = FORM.exec(text)?.groups;
	if (parts === undefined) {
		throw new DatabaseRefused('The address of a PostgreSQL is postgres://user@host:port/database.');
	}
	const {user = '', hosts = '', name = '', query} = parts;
	const options = new URLSearchParams(query);
	refuseOptions(user, options);
	const login = decodeURIComponent(user) || usualUser(env);
	return {
		hosts: readHosts(options.get('host') ?? decodeURIComponent(hosts), options.get('port'), env),
		user: login,
		name: decodeURIComponent(name) || env['PGDATABASE'] || login,
		sslmode: readMode(options.get('sslmode') ?? env['PGSSLMODE']),
	};
}

function usualUser(env: NodeJS.ProcessEnv): string {
	return env['PGUSER'] || userInfo().username;
}

function refuseOptions(user: string, options: URLSearchParams): void {
	if (user.includes(':') || options.has('password')) {
		throw new DatabaseRefused(
			'No password belongs into the address of a database: PGPASSWORD, PGPASSFILE or ~/.pgpass hold it.',
		);
	}
	const unknown = [...options.keys()].find(key => !['host', 'port', 'sslmode'].includes(key));
	if (unknown === undefined) return;
	throw new DatabaseRefused(
		`The address of a database takes host, port and sslmode, not ${unknown}.`,
	);
}

function readHosts(
	text: string,
	port: string | null,
	env: NodeJS.ProcessEnv,
): PostgresAddress['hosts'] {
	const usualPort = port ?? env['PGPORT'] ?? String(USUAL_PORT);
	return (text || (env['PGHOST'] ?? 'localhost')).split(',').map(part => {
		const named = /^(?<host>\[[^\]]+\]|[^:]+)(?::(?<own>\d{1,5}))?$/.exec(part.trim())?.groups;
		const number = Number(named?.['own'] ?? usualPort);
		if (named?.['host'] === undefined || !Number.isInteger(number) || number > 65_535) {
			throw new DatabaseRefused(`"${part}" is no host of a database.`);
		}
		return {host: named['host'].replaceAll(/[[\]]/g, ''), port: number};
	});
}

function readMode(text = 'disable'): PostgresAddress['sslmode'] {
	if (text === 'disable' || text === 'require' || text === 'verify-full') return text;
	throw new DatabaseRefused(`sslmode is disable, require or verify-full, and not ${text}.`);
}

/** The password of an address, from the environment or from a file that only its owner can read. */
export function readPassword(
	{user, name}: PostgresAddress,
	{host, port}: PostgresAddress['hosts'][number],
	env = process.env,
): string | undefined {
	if (env['PGPASSWORD'] !== undefined) return env['PGPASSWORD'];
	const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), name, user];
	const lines = readPassFile(env['PGPASSFILE'] ?? join(env['HOME'] ?? homedir(), '.pgpass'));
	for (const line of lines) {
		const fields = fieldsOf(line);
		const [password, ...places] = [fields[4], ...fields.slice(0, 4)];
		const isMeant = places.every((place, index) => place === '*' || place === wanted[index]);
		if (places.length === wanted.length && isMeant) return password;
	}
	return undefined;
}

/** Fields of a line of a password file, where a backslash escapes a colon or a backslash. */
function fieldsOf(line: string): readonly string[] {
	const fields = [''];
	for (let at = 0; at < line.length; at++) {
		if (line[at] === ':') {
			fields.push('');
			continue;
		}
		if (line[at] === '\\') at += 1;
		fields.push(`${fields.pop() ?? ''}${line[at] ?? ''}`);
	}
	return fields;
}

function readPassFile(file: string): readonly string[] {
	try {
		if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
			throw new DatabaseRefused(`${file} holds passwords, and others can read it: chmod 600 it.`);
		}
		const lines = readFileSync(file, 'utf8').split(/\r?\n/);
		return lines.filter(line => line !== '' && !line.startsWith('#'));
	} catch (error) {
		if (error instanceof DatabaseRefused) throw error;
		return [];
	}
}
