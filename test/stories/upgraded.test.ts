import {
	cpSync,
	existsSync,
	readdirSync,
	readlinkSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import {openHome} from '../helpers/commands/home.ts';
import {openFolder} from '../helpers/folder.ts';
import {startHost} from '../helpers/host/host-process.ts';
import {noProcesses} from '../helpers/host/local-host.ts';
import {openMarket} from '../helpers/market/postgres.ts';
import {waitFor} from '../helpers/wait-for.ts';

const checkout = join(import.meta.dirname, '..', '..');

const isNoMap = (file: string) => !file.endsWith('.map');

/** The built program as a package manager has installed it. */
function install(folder: string): string {
	for (const part of ['bin', 'dist', 'package.json']) {
		cpSync(join(checkout, part), join(folder, part), {recursive: true, filter: isNoMap});
	}
	symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'));
	return join(folder, 'bin', 'rentty');
}

test.skipIf(noProcesses !== undefined)(
	'a host whose program was taken away, as by an upgrade, starts what is rented, with its way in',
	async () => {
		using folder = openFolder();
		const installed = join(folder.path, 'installed');
		const market = await openMarket({
			file: join(folder.path, 'market.db'),
			offers: 0,
			rateScale: 0,
		});
		const keyFile = join(folder.path, 'key');
		writeFileSync(keyFile, await market.createKey('provider'));
		await using host = await startHost({
			url: market.url,
			keyFile,
			folder: join(folder.path, 'host'),
			runtime: 'process',
			program: install(installed),
		});
		rmSync(join(installed, 'dist'), {recursive: true});
		const key = await market.createKey('renter');
		const client = openClient({url: market.url, key, paceScale: 0});
		const [offer] = (await client.offers.search({limit: 1})).offers;
		const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
			image: 'ubuntu:24.04',
			launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
		});
		const shown = async () => {
			const instance = await client.instances.show(id);
			return [instance?.actual_status, instance?.status_msg];
		};
		await expect.poll(shown, {interval: 100}).toMatchObject(['running', expect.any(String)]);
		await client.instances.destroy(id);
		await host.end();
		await client.close();
		await market.close();
	},
);

/** Files that a process has open below a folder. */
function openIn(pid: number, folder: string): readonly string[] {
	const files = readdirSync(`/proc/${pid}/fd`).map(name => readLink(`/proc/${pid}/fd/${name}`));
	return files.filter(file => file.startsWith(folder));
}

/** Target of a link; empty where it is gone by now. */
function readLink(file: string): string {
	try {
		return readlinkSync(file);
	} catch {
		return '';
	}
}

test.skipIf(!existsSync('/proc/self/fd'))(
	'a console whose program was taken away goes on, also with what it has not shown yet',
	async () => {
		using folder = openFolder();
		using home = openHome();
		await using terminal = home.open([], {program: install(folder.path)});
		await terminal.sees(/1 of [\d,]+|offers/);
		const program = join(folder.path, 'dist');
		await waitFor(() => expect(openIn(terminal.pid, program).length).toBeGreaterThan(50));
		rmSync(program, {recursive: true});
		terminal.type('5');
		await terminal.sees('Nothing has been changed from here yet.');
		terminal.type('q');
		expect(await terminal.ends()).toBe(0);
	},
);
