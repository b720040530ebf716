import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commands} from '../../source/commands/index.ts';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {openFolder} from '../helpers/folder.ts';
import {sshKeyText} from '../helpers/host/ssh-keys.ts';

/** Those whose output is no record, as a program's own, a log or a script, or is read in a test of theirs. */
const without =
	'ssh exec cp volumes logs run prepay increases jobs guard alerts mcp practice completions man upgrade'.split(
		' ',
	);

/** One after the other on one account: the words, and the names that scripts rely on. */
const offer =
	'id gpu gpus vram_mb pricing gpu_per_hour price_per_hour all_in_per_hour job_total least_bid disk_gb free_disk_gb location reliability duration_seconds cuda down_mbps up_mbps machine host verification isolation measured rentable';
const outcome = 'id label outcome message at_most_per_hour evidence';
const calls: ReadonlyArray<readonly [words: string, names: string]> = [
	['offers any --limit 2', offer],
	['watch any', `at ${offer}`],
	['templates', 'hash id name image tag launch disk_gb is_mine is_private is_recommended'],
	['keys add FILE', 'id key created_at'],
	['keys list', 'id key created_at'],
	['keys remove 1 --yes', 'id outcome'],
	['doctor', 'about verdict says advice'],
	[
		'ps',
		'id label condition state wanted since since_or_before made ends age_seconds gpu gpus image template disk_gb location machine is_bid price_per_hour at_most_per_hour cost_at_least cost_at_most ran evidence message ssh lease lost_lease',
	],
	[
		'rent any --image ubuntu:24.04 --yes',
		'id offer label price_per_hour state ssh differences key_file doubles',
	],
	['stop train-a --yes', outcome],
	['start old-run --yes', outcome],
	['destroy old-run --yes', outcome],
	['lease train-a', 'id label terms ends_at late_seconds lost enforcers'],
	['sweep --yes', outcome],
];

test('every command answers --json with an object a line, whose names stay', async () => {
	await using market = await openFleetMarket();
	using folder = openFolder();
	const file = join(folder.path, 'key.pub');
	writeFileSync(file, sshKeyText(1, 'laptop'));
	const run = commandsOf(market);
	for (const [words, names] of calls) {
		const [name = '', ...argv] = words.replace('FILE', file).split(' ');
		const ran = await run(name, ...argv, '--json');
		expect([words, ran.code]).toEqual([words, 0]);
		const records = jsonOf(ran);
		expect(records.length).toBeGreaterThan(0);
		for (const record of records) expect(Object.keys(record).join(' ')).toBe(names);
	}
	const called = new Set(calls.map(([words]) => words.split(' ')[0] ?? ''));
	expect(commands.map(({name}) => name).filter(name => !called.has(name))).toEqual(without);
});
