import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {OutsideCommand, Ended} from '../../../../source/console/services/outside-program.ts';
import {openTestConsole, type TestConsoleOptions} from '../../../helpers/console/console.ts';
import type {FleetMarket} from '../../../helpers/fleet/fleet.ts';
import {sshKeyText} from '../../../helpers/host/ssh-keys.ts';

/** How the service says that an instance is reached. */
export type Access = Readonly<Record<string, unknown>>;

const at = (port: string) => [{HostIp: '0.0.0.0', HostPort: port}];

const usualAccess: Access = {
	ssh_host: 'ssh5.example.net',
	ssh_port: 20_544,
	public_ipaddr: '203.0.113.24',
	machine_dir_ssh_port: 40_112,
	ports: {'22/tcp': at('40112'), '8080/tcp': at('40118'), '6006/tcp': at('40119')},
};

const usage = {
	gpu_util: 94,
	gpu_temp: 71,
	cpu_util: 38,
	mem_limit: 256,
	mem_usage: 41,
	vmem_usage: 21.9,
	disk_usage: 9.6,
};

type Options = Pick<TestConsoleOptions, 'columns' | 'rows' | 'environment' | 'settings'> & {
	/** Milliseconds after which a host answers; those that are not named are silent. */
	readonly answers?: Readonly<Record<string, number>>;
	readonly access?: Access;
	/** Whether somebody's SSH key is let in. */
	readonly hasKey?: boolean;
	/** How programs end that are run in the terminal. */
	readonly ended?: Ended;
};

/** The list of instances with the cursor on the one that runs, whose ways in answer as told. */
export async function openRunning(
	market: FleetMarket,
	{
		answers = {},
		access = {},
		hasKey = false,
		ended = {kind: 'ended', code: 0},
		...options
	}: Options = {},
) {
	await market.database
		.updateTable('instances')
		.set({
			access: JSON.stringify({...usualAccess, ...access}),
			usage: JSON.stringify(usage),
		})
		.where('id', '=', market.running.id)
		.execute();
	if (hasKey) {
		await market.call(`/api/v0/instances/${market.running.id}/ssh/`, {
			method: 'POST',
			body: JSON.stringify({ssh_key: sshKeyText()}),
		});
	}
	const home = mkdtempSync(join(tmpdir(), 'rentty-connect-'));
	const commands: OutsideCommand[] = [];
	const rentty = openTestConsole({
		...options,
		service: market,
		ssh: {
			home,
			folder: join(home, 'rentty'),
			knownHosts: join(home, 'known_hosts'),
			probe: async ({host}) => answers[host],
		},
		async run(command) {
			commands.push(command);
			return ended;
		},
	});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('jj');
	await rentty.sees('3 of 4');
	return {
		...rentty,
		commands,
		/** The user's own folder. */
		home,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			rmSync(home, {recursive: true, force: true});
		},
	};
}
