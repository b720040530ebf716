/** The inspector of the protocol's makers as a client of the built program, a process for each call. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {openAgentProgram, rentty, type Transport} from '../helpers/commands/agent-program.ts';
import {recordIn} from '../helpers/commands/commands.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';
import {skipWithout} from '../helpers/missing.ts';
import {openSshUser} from '../helpers/host/open-ssh.ts';
import {at, isRecord} from '../../source/contract/grammar/json.ts';

const noInspector = skipWithout('mcp-inspector');

type Run = ReturnType<typeof openSshUser>['run'];

/** The inspector with one server, which a file names: no key stands on a command line. */
function openInspector(run: Run, folder: string, server: object) {
	const file = join(folder, 'servers.json');
	writeFileSync(file, JSON.stringify({mcpServers: {rentty: server}}), {mode: 0o600});
	const env = {HOME: folder, PATH: process.env['PATH'] ?? ''};

	async function ask(method: string, ...args: readonly string[]) {
		const named = ['--cli', '--config', file, '--server', 'rentty', '--quiet', '--format', 'json'];
		const asked = [...named, '--method', method, ...args];
		const {out, complaint, code} = await run('mcp-inspector', asked, {env});
		return {code, complaint, said: out.trim() === '' ? {} : recordIn(out)};
	}

	return {
		ask,
		async call(this: void, name: string, given: Record<string, unknown> = {}) {
			const args = ['--tool-name', name, '--tool-args-json', JSON.stringify(given)];
			const {said, complaint} = await ask('tools/call', ...args);
			const result = isRecord(said['result']) ? said['result'] : said;
			const data = result['structuredContent'];
			if (!isRecord(data)) throw new Error(`${name}: ${JSON.stringify(said)} ${complaint}`);
			return data;
		},
	};
}

type Inspector = ReturnType<typeof openInspector>;

/** Finds, rents twice with one key, and ends; each call meets a server that has not seen the one before. */
async function session({ask, call}: Inspector) {
	const eras = ['legacy', 'modern'].map(async era =>
		ask('tools/list', '--strict', '--protocol-era', era),
	);
	const codes = (await Promise.all(eras)).map(({code}) => code);
	const offer = at(await call('find', {words: 'any <2', limit: 1}), 'offers', '0', 'id');
	const {quote} = await call('quote', {offer, hours: 2, image: 'ubuntu:24.04', label: 'seen'});
	const {id} = await call('rent', {quote, key: 'one'});
	const again = await call('rent', {quote, key: 'one'});
	const listed = at(await call('instances', {id}), 'instances', '0', 'id');
	const {outcome} = await call('end', {id, how: 'destroy'});
	return {codes, isSame: again['id'] === id && listed === id, outcome};
}

const fine = {codes: [0, 0], isSame: true, outcome: 'gone'};

test.skipIf(noInspector !== undefined).each<Transport>(['stdio', 'http'])(
	'the inspector finds, rents and ends over %s',
	async transport => {
		await using world = await openAgentProgram(transport);
		const {args, env, http, user} = world;
		const server =
			http === undefined
				? {command: rentty, args: ['mcp', ...args], env}
				: {type: 'http', url: http.url, headers: {Authorization: `Bearer ${http.token}`}};
		expect(await session(openInspector(user.run, user.folder, server))).toEqual(fine);
		expect((await world.client.instances.list()).instances).toEqual([]);
	},
);

test.skipIf(noInspector !== undefined)(
	'the inspector finds, rents and ends at a market, with a key that has a cap',
	async () => {
		using folder = openFolder();
		using user = openSshUser();
		await using market = await startMarket(
			join(folder.path, 'market.db'),
			'--mcp',
			'--offers',
			'20',
			'--trouble',
			'stuck=0,crash=0',
		);
		await using client = clientOf(market.url, await market.key());
		const cap = {dollars_a_day: 100, instances: 2, lease_hours: 12};
		const {key} = await client.apiKeys.create({name: 'agents', cap});
		const headers = {Authorization: `Bearer ${key}`};
		const server = {type: 'http', url: `${market.url}/mcp`, headers};
		expect(await session(openInspector(user.run, user.folder, server))).toEqual(fine);
		expect((await client.instances.list()).instances).toEqual([]);
	},
);
