/** `rentty increases`: price increases that wait for an answer. */
import type {Client} from '../../client/client.ts';
import type {PriceIncrease} from '../../contract/nouns/price-increases.ts';
import {increaseDays, increaseText} from '../../renter/nouns/price-increases.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {type Command, type Context, getConsent, yesOption} from '../base/command.ts';
import {exitCodes} from '../base/failure.ts';
import {refuseMissing, writeList, type PrintedColumn} from '../base/output.ts';

export const increases: Command = {
	name: 'increases',
	summary: 'list price increases that wait for an answer, accept or reject one',
	takes: '[list | accept NUMBER | reject NUMBER]',
	isAboutInstances: true,
	about: [
		'What is rented keeps its price until its end. Where its host asks more by then, that waits here:',
		'accepted, the instance goes on at the new price from its present end on; rejected, or without an',
		'answer, it ends there.',
	],
	options: {...yesOption},
	run,
};

async function run(context: Context): Promise<number> {
	const [word = 'list', number, ...others] = context.words;
	if (others.length > 0) throw new UsageError('rentty increases takes one number at a time.');
	if (word === 'list' && number === undefined) return list(context);
	if (word !== 'accept' && word !== 'reject') {
		throw new UsageError('rentty increases takes accept or reject with a number, or nothing.');
	}
	if (number === undefined || !/^\d{1,15}$/.test(number)) {
		throw new UsageError(`rentty increases ${word} needs a number: rentty increases lists all.`);
	}
	return answer(context, word, Number(number));
}

async function list(context: Context): Promise<number> {
	const found = await (await context.client()).instances.priceIncreases({signal: context.signal});
	const {pending_price_increases: rows, unreadable, truncated} = found;
	const empty = 'No price increase waits for an answer.';
	const note = truncated ? 'There are more of them.' : undefined;
	const listed = {noun: 'price increases', columns, record: recordOf, empty, note};
	return writeList(context, {rows, unreadable, ...listed});
}

async function answer(
	context: Context,
	word: 'accept' | 'reject',
	number: number,
): Promise<number> {
	const {output, isJson, signal} = context;
	const client = await context.changer();
	const increase = await findIncrease(client, number, signal);
	const {contract_id: instance} = increase;
	const {kept, until} = increaseDays(increase);
	await getConsent(context, {
		lines: [`  Instance ${instance}: ${increaseText(increase)}`],
		question:
			word === 'accept'
				? `Pay that from ${kept} on, until ${until} at the latest?`
				: `Let instance ${instance} end on ${kept}?`,
	});
	if (word === 'accept') await client.instances.acceptPriceIncrease(number, {signal});
	else await client.instances.rejectPriceIncrease(number, {signal});
	const outcome = word === 'accept' ? 'accepted' : 'rejected';
	if (isJson) output.json({id: number, instance, outcome});
	else output.line(`${number} ${outcome}`);
	return exitCodes.fine;
}

async function findIncrease(
	client: Client,
	number: number,
	signal: AbortSignal,
): Promise<PriceIncrease> {
	const {pending_price_increases: all, unreadable} = await client.instances.priceIncreases({
		signal,
	});
	const increase = all.find(one => one.pending_price_increase_id === number);
	if (increase !== undefined) return increase;
	const where = {unreadable, noun: 'price increases', command: 'increases'};
	return refuseMissing(`No price increase ${number} waits`, where);
}

function recordOf(increase: PriceIncrease) {
	const {pending_price_increase_id: id, contract_id: instance, ...rest} = increase;
	const {contract_end_date: kept, ask_end_date: end} = rest;
	return {id, instance, what: increaseText(increase), keeps_price_until: kept, then_until: end};
}

const columns: ReadonlyArray<PrintedColumn<PriceIncrease>> = [
	{title: 'ID', isNumber: true, cell: ({pending_price_increase_id: id}) => String(id)},
	{title: 'INSTANCE', isNumber: true, cell: ({contract_id: id}) => String(id)},
	{title: 'WHAT', cell: increaseText},
	{title: 'KEEPS PRICE UNTIL', cell: increase => increaseDays(increase).kept},
	{title: 'THEN UNTIL', cell: increase => increaseDays(increase).until},
];
