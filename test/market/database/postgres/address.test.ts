import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readAddress, readPassword} from '../../../../source/market/database/postgres/address.ts';

test('an address names its user, its hosts in turn, and the database', () => {
	expect(readAddress('postgres://ann@db1:5433,db2,[::1]:6000/market?sslmode=require', {})).toEqual({
		hosts: [
			{host: 'db1', port: 5433},
			{host: 'db2', port: 5432},
			{host: '::1', port: 6000},
		],
		user: 'ann',
		name: 'market',
		sslmode: 'require',
	});
});

test('what an address leaves out is in the environment, and a folder is where a socket is', () => {
	const env = {PGUSER: 'ann', PGHOST: '/run/postgresql', PGPORT: '5555'};
	expect(readAddress('postgresql:///', env)).toMatchObject({
		hosts: [{host: '/run/postgresql', port: 5555}],
		user: 'ann',
		name: 'ann',
	});
	const {hosts} = readAddress('postgres://ann@/market?host=%2Ftmp%2Fx', {});
	expect(hosts).toEqual([{host: '/tmp/x', port: 5432}]);
});

test.each([
	['postgres://ann:secret@db/market', 'No password belongs into the address'],
	['postgres://ann@db/market?password=secret', 'No password belongs into the address'],
	['postgres://ann@db:port/market', '"db:port" is no host'],
	['postgres://ann@db/market?sslmode=prefer', 'sslmode is disable, require or verify-full'],
	['postgres://ann@db/market?target=any', 'takes host, port and sslmode, not target'],
])('%s is refused in one sentence', (text, sentence) => {
	expect(() => readAddress(text, {})).toThrow(sentence);
	// Whoever reads the log learns nothing.
	expect(() => readAddress(text, {})).not.toThrow('secret');
});

test('a password is in the environment, or in a file that nobody else reads', () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-pass-'));
	const file = join(folder, 'pass');
	const address = readAddress('postgres://ann@db/market', {});
	const host = {host: 'db', port: 5432};
	const lines = ['# ours', 'db:5432:other:ann:no', 'db:*:market:ann:se\\:cr\\\\et', '*:*:*:*:last'];
	writeFileSync(file, lines.join('\n'), {mode: 0o600});
	expect(readPassword(address, host, {PGPASSFILE: file})).toBe('se:cr\\et');
	expect(readPassword(address, {host: 'db2', port: 1}, {PGPASSFILE: file})).toBe('last');
	expect(readPassword(address, host, {PGPASSFILE: file, PGPASSWORD: 'first'})).toBe('first');
	expect(readPassword(address, host, {PGPASSFILE: join(folder, 'none')})).toBeUndefined();
	writeFileSync(join(folder, 'open'), 'x', {mode: 0o644});
	expect(() => readPassword(address, host, {PGPASSFILE: join(folder, 'open')})).toThrow(
		'chmod 600',
	);
	rmSync(folder, {recursive: true});
});
