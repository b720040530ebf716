/** The built agent as a process of its own, with tenants that know nothing of each other. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {membersOf, type Family, endLeftovers} from '../../../source/host/sandbox/ending.ts';
import {readRecord} from '../../../source/host/instance/record.ts';
import {siteOf} from '../../../source/host/instance/site.ts';
import {makeUpGpus} from '../host/faulty-host.ts';
import {startHost} from '../host/host-process.ts';
import {noSandbox} from '../host/local-host.ts';
import {openFolder} from '../folder.ts';
import {clientOf, startMarket} from '../market/market-process.ts';
import {openSshUser} from '../host/open-ssh.ts';
import {endProcessesOf} from '../../run/left-behind.ts';

export type Tenant = {
	readonly id: number;
	readonly port: number;
	/** What its processes are known by. */
	readonly family: Family;
};

/** What is rented of one machine with a GPU for each tenant. */
export async function openAgent(tenants: number) {
	const folder = openFolder();
	const market = await startMarket(join(folder.path, 'market.db'), '--credit', '1000');
	const key = await market.key();
	const keyFile = join(folder.path, 'key');
	writeFileSync(keyFile, key);
	const hostFolder = join(folder.path, 'host');
	const host = await startHost({
		url: market.url,
		keyFile,
		folder: hostFolder,
		runtime: noSandbox === undefined ? 'sandbox' : 'process',
		programs: makeUpGpus(folder.path, tenants),
	});
	const client = clientOf(market.url, key);
	const user = openSshUser();
	const login = user.makeKey('laptop');
	await client.sshKeys.create(login.publicKey);

	async function rent(): Promise<Tenant> {
		const {offers} = await client.offers.search({limit: 100});
		const offer = offers.find(({num_gpus: gpus, rentable}) => gpus === 1 && rentable === true);
		const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
			image: 'ubuntu:24.04',
			launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
		});
		const shown = async () => client.instances.show(id);
		const status = async () => (await shown())?.actual_status;
		await expect.poll(status).toBe('running');
		const record = await readRecord(siteOf(hostFolder, id).record);
		if (record === undefined) throw new Error('it has no record');
		return {id, port: Number((await shown())?.ssh_port), family: record};
	}

	const all: Tenant[] = [];
	for (let count = 0; count < tenants; count++) all.push(await rent());
	return {
		host,
		client,
		user,
		tenants: all,
		/** Where a tenant's files lie on this machine. */
		home: ({id}: Tenant) => join(hostFolder, 'instances', String(id), 'home'),
		/** Options of OpenSSH's programs that lead to a tenant. */
		where: ({port}: Tenant) => [...user.options, '-o', `Port=${port}`, '-i', login.file],
		/** What a command of a tenant says. */
		async says({port}: Tenant, command: string): Promise<string> {
			return (await user.ssh(port, login.file, [command])).out;
		},
		/** How many processes of a tenant there are. */
		running: async ({family}: Tenant): Promise<number> => (await membersOf(family)).length,
		/** The agent's own memory in megabytes, files that it has mapped left out. */
		megabytes(): number {
			const status = readFileSync(`/proc/${host.pid}/status`, 'utf8');
			return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1024;
		},
		async [Symbol.asyncDispose]() {
			await host.end('SIGKILL');
			await endLeftovers(hostFolder);
			endProcessesOf(folder.path);
			await client[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
			user[Symbol.dispose]();
			folder[Symbol.dispose]();
		},
	};
}

export type Agent = Awaited<ReturnType<typeof openAgent>>;
