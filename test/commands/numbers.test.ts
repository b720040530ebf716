import {expect, test} from 'vitest';
import {
	doToAll,
	commandOutcomeOf,
	type CommandOutcome,
} from '../../source/commands/instances/outcomes.ts';
import {exitCodes} from '../../source/commands/base/failure.ts';
import {applyList} from '../../source/renter/fleet/apply-polls.ts';
import {unseenFleet} from '../../source/renter/fleet/fleet-state.ts';
import {listOf, lookAt} from '../helpers/fleet/looks.ts';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {openOfferAnswers} from '../helpers/services/offer-answers.ts';

const offer = {
	id: 7,
	num_gpus: 1,
	gpu_name: 'RTX 4090',
	gpu_ram: 24_564,
	dph_base: 0.3,
	dph_total: 0.3055,
	storage_cost: 0.1,
	inet_down_cost: 0.01,
	inet_up_cost: 0,
	reliability: 0.9999,
	duration: 86_400,
	geolocation: 'Sweden, SE',
};

test.each([
	['the disk of the settings', [], {}, '0.3056', 'a disk of 40 GB'],
	['another disk', ['--disk', '400'], {}, '0.3556', 'a disk of 400 GB'],
	[
		'traffic',
		[],
		{inGbPerHour: 2.5},
		'0.3306',
		'a disk of 40 GB and the traffic of the settings (2.5 GB/h in)',
	],
])('offers stand there with their price and what they cost with %s', async (...given) => {
	const [, argv, settings, allIn, includes] = given;
	await using answers = await openOfferAnswers([offer]);
	const {out} = await commandsOf(answers.service, {settings})('offers', 'any', ...argv);
	expect(out.split('\n')[1]).toBe(`7\t1x RTX 4090\t24G\t0.3000\t${allIn}\t99.9\t1d\tSweden, SE`);
	const run = commandsOf(answers.service, {settings, isTerminal: true});
	expect((await run('offers', 'any', ...argv)).err).toBe(`rentty: ALL IN is with ${includes}.\n`);
});

test('as JSON an offer says with which disk its prices are', async () => {
	await using answers = await openOfferAnswers([offer]);
	const run = commandsOf(answers.service, {settings: {inGbPerHour: 1}});
	const [record] = jsonOf(await run('offers', 'any', '--disk', '400', '--json'));
	expect(record).toMatchObject({gpu_per_hour: 0.3, disk_gb: 400});
	const [running, allIn] = [
		Number(record?.['price_per_hour']),
		Number(record?.['all_in_per_hour']),
	];
	expect(running).toBeCloseTo(0.3 + (0.1 * 400) / 720, 6);
	expect(allIn).toBeCloseTo(running + 0.01, 6);
});

test('ps writes both sums as prices', async () => {
	await using market = await openFleetMarket();
	const {err} = await commandsOf(market, {isTerminal: true})('ps');
	expect(err).toMatch(
		/^All together cost \$\d+\.\d{4}\/h \(at most \$\d+\.\d{4}\/h\)\. So far: .*\n$/,
	);
});

const outcomes: ReadonlyArray<readonly [outcome: CommandOutcome, line: string]> = [
	[{outcome: 'stopped', exitCode: exitCodes.fine}, '7 train-c stopped'],
	[
		{outcome: 'still running', exitCode: exitCodes.timedOut},
		'7 train-c still running. It may cost $0.3055/h.',
	],
	[
		{outcome: 'still listed', exitCode: exitCodes.timedOut, message: 'nobody answered'},
		'7 train-c still listed: nobody answered. It may cost $0.3055/h.',
	],
	[
		{outcome: 'refused', exitCode: exitCodes.failed, message: 'Wait.'},
		'7 train-c refused: Wait. It may cost $0.3055/h.',
	],
	[
		{outcome: 'starting', exitCode: exitCodes.fine, message: 'it is on its way'},
		'7 train-c starting: it is on its way.',
	],
];

test.each(outcomes)('the outcome %j is told in sentences', async (outcome, told) => {
	const instance = {
		id: 7,
		label: 'train-c',
		actual_status: 'running',
		intended_status: 'running',
		dph_total: 0.3055,
	};
	const {rows} = applyList(unseenFleet, listOf([instance]), lookAt(0));
	const lines: string[] = [];
	const output = {
		isTerminal: true,
		line: (text: string) => void lines.push(text),
		text: () => {},
		log: () => {},
		json: () => {},
		say: () => {},
		ask: undefined,
	};
	const {signal} = new AbortController();
	await doToAll({signal, isJson: false, output}, rows, async () => outcome);
	expect(lines).toEqual([told]);
});

test.each([
	['its disk alone', {gpuCostPerHour: 0, totalHour: 0.01}, undefined],
	['nothing', undefined, undefined],
	['its GPUs', {gpuCostPerHour: 0.4, totalHour: 0.41}, /still names \$0\.41\d*\/h, as if it ran/],
])('a stopped instance whose record names the price of %s', (_, present, says) => {
	const {outcome, message} = commandOutcomeOf({
		outcome: 'stopped',
		instance: {id: 7, instance: present},
	});
	expect(outcome).toBe('stopped');
	if (says === undefined) expect(message).toBeUndefined();
	else expect(message).toMatch(says);
});
