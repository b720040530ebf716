import {expect, test} from 'vitest';
import {readInstanceSettings} from '../../../source/market/lifecycle/instance-rules.ts';
import {commandsOf} from '../../helpers/commands/commands.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

test('flags, ports and arguments are given as the help shows them, dashes and all', async () => {
	await using market = await openRentable();
	const run = commandsOf(market);
	const usual = ['--image', 'ubuntu:24.04', '--spend', '99', '--yes', '--json'];
	const flags = ['--env', '-e A=b -p 80:80', '--args', '-c "sleep 60"', '--label', '-mine-'];
	const rented = await run('rent', String(market.offer.id), ...usual, ...flags);
	expect(rented).toMatchObject({code: 0});
	const rows = await market.database.selectFrom('instances').selectAll().execute();
	expect(rows.map(({label}) => label)).toEqual(['-mine-']);
	expect(rows.map(({settings}) => readInstanceSettings(settings))).toMatchObject([
		{
			env: expect.arrayContaining([
				['A', 'b'],
				['-p 80:80', '1'],
			]) as unknown,
			args: ['-c', 'sleep 60'],
		},
	]);
	const forgotten = await run('rent', '1', '--label', '--yes');
	expect(forgotten).toMatchObject({
		code: 2,
		err:
			'rentty: --label needs a value, and --yes is an option itself: --label=--yes would give it ' +
			'as the value. rentty rent --help lists what there is.\n',
	});
});

test.each([
	['A=b', 'A=b'],
	['-e A=b -p x', '-p x'],
	['-e A=b -e', '-e'],
	['--env A=b', '--env'],
])('a part of --env %s that a service would drop is refused', async (env, part) => {
	await using market = await openRentable();
	const usual = ['--image', 'ubuntu:24.04', '--spend', '99', '--yes'];
	const refused = await commandsOf(market)(
		'rent',
		String(market.offer.id),
		...usual,
		`--env=${env}`,
	);
	expect(refused).toMatchObject({
		code: 2,
		err: `rentty: --env takes flags such as '-e A=b -p 80:80', and "${part}" is none of them. Nothing was rented.\n`,
	});
	expect(await market.database.selectFrom('instances').selectAll().execute()).toEqual([]);
});

test('what is rented as stopped costs its disk, and says what it will cost', async () => {
	await using market = await openRentable();
	const usual = ['--image', 'ubuntu:24.04', '--spend', '99', '--yes', '--stopped'];
	const {err} = await commandsOf(market)('rent', String(market.offer.id), ...usual);
	expect(err).toMatch(
		/rentty: \d+ costs \$0\.00\d+\/h while it is stopped, and \$\d+\.\d+\/h once it is started\. rentty destroy/,
	);
});
