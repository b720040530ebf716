/** `rentty host list` and related commands: a provider's machines and their terms. */
import process from 'node:process';
import {readTerm, type Machine} from '../../contract/nouns/machines.ts';
import {UsageError, readNamedFile} from '../../renter/text/usage-error.ts';
import {type Client, openClient} from '../../client/client.ts';
import {splitArguments} from '../../contract/grammar/arguments.ts';
import {defaultJobText} from '../../renter/nouns/jobs.ts';
import {formatGpus, money} from '../../renter/text/format.ts';
import {parseApiKey, readServiceUrl} from '../../renter/profiles/target.ts';
import {helpFlag, usageText} from '../base/help-text.ts';
import {readCount, readDate, readDollars, readFlags} from '../base/options.ts';
import {drainMachine} from './drain.ts';
import {testMachine} from './test.ts';
import {openLineWriter, writeRows, type PrintedColumn} from '../base/output.ts';

const flags = {
	gpu: {type: 'string', value: 'DOLLARS', about: 'for a GPU and hour'},
	disk: {type: 'string', value: 'DOLLARS', about: 'for a GB and month'},
	up: {type: 'string', value: 'DOLLARS', about: 'for a GB out of the machine'},
	down: {type: 'string', value: 'DOLLARS', about: 'for a GB into the machine'},
	bid: {
		type: 'string',
		value: 'DOLLARS',
		about: 'the least bid for a GPU and hour; of defjob, its own, which nobody pays',
	},
	parts: {type: 'string', value: 'N', about: 'the least number of GPUs that are rented together'},
	until: {type: 'string', value: 'DATE', about: 'when the offer ends, such as 2027-06-30'},
	for: {
		type: 'string',
		value: 'TIME',
		about: 'for how long it is offered, counted anew each day, such as 3 months',
	},
	image: {type: 'string', value: 'IMAGE', about: 'the image of the job of an idle machine'},
	args: {type: 'string', value: 'TEXT', about: 'the arguments of its start command'},
	start: {
		type: 'string',
		value: 'DATE',
		about: 'when maintenance begins, and --hours N how long it lasts',
	},
	hours: {type: 'string'},
	reason: {type: 'string', value: 'TEXT', about: 'what its renters are told of it'},
	cancel: {type: 'boolean', about: 'take the announced maintenance back'},
	remove: {type: 'boolean', about: 'remove the job of an idle machine'},
	days: {type: 'string', value: 'N', about: 'days of earnings'},
	wait: {type: 'boolean', about: 'until nothing is rented of the machine'},
	history: {
		type: 'boolean',
		about: 'the last tests, instead of a new one, whose exit code is 1 unless it passes',
	},
	json: {type: 'boolean', about: 'machines or tests as lines of JSON'},
	market: {type: 'string'},
	'key-file': {type: 'string'},
	...helpFlag,
} as const;

const machineUsage = usageText(
	`Usage: rentty host list     --market URL --key-file FILE
       rentty host price    [MACHINE] [terms]
       rentty host maintain [MACHINE] --start DATE --hours N [--reason TEXT] | --cancel
       rentty host unlist   [MACHINE]
       rentty host drain    [MACHINE] [--wait] [--hours N [--start DATE] [--reason TEXT]]
       rentty host defjob   [MACHINE] [--image IMAGE --bid DOLLARS [--args TEXT] | --remove]
       rentty host earnings [--days N]
       rentty host test     [MACHINE] [--history]

Shows a provider's machines and what they earn, and changes on what terms they are offered. A
machine goes by its number or its name; where there is one alone, it need not be named. All of them
take --market and --key-file. What is rented keeps its price and its end: a higher price waits for
the answer of who rents. defjob shows the job that a machine runs on its idle GPUs, sets it or removes
it: it costs and earns nothing, yields to whoever rents, and goes on when a GPU is idle again.
drain has a machine take no more rents, and tells its renters that it ends where --hours says for how long.`,
	flags,
);

type Values = ReturnType<typeof readFlags<typeof flags>>;

type Asked = {
	readonly client: Client;
	readonly values: Values;
	/** Number or name of a machine. */
	readonly name: string | undefined;
	readonly say: (text: string) => void;
};

const actions: Readonly<Record<string, (asked: Asked) => Promise<boolean | undefined | void>>> = {
	list,
	price,
	maintain,
	unlist,
	drain,
	defjob,
	earnings,
	test,
};

/** Runs the word after `rentty host`, and returns the exit code; undefined for another word. */
export async function runHostWord([word = '', ...rest]: readonly string[]): Promise<
	number | undefined
> {
	const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
	if (action === undefined) return undefined;
	const isNamed = rest[0] !== undefined && !rest[0].startsWith('-');
	const values = readFlags(isNamed ? rest.slice(1) : rest, flags, `rentty host ${word}`);
	if (values.help === true) {
		process.stdout.write(machineUsage);
		return 0;
	}
	const {market = '', 'key-file': keyFile = ''} = values;
	if (market === '' || keyFile === '') {
		throw new UsageError(`rentty host ${word} needs --market and --key-file.`);
	}
	const url = readServiceUrl('--market', market);
	const key = parseApiKey(keyFile, readNamedFile(keyFile));
	const client = openClient({url, key, userAgent: 'rentty-host'});
	const say = openLineWriter(process.stdout);
	try {
		return exitCode(await action({client, values, name: isNamed ? rest[0] : undefined, say}));
	} finally {
		await client.close();
	}
}

const exitCode = (isDone: boolean | undefined | void) => (isDone === false ? 1 : 0);

async function machineOf({client, name}: Asked): Promise<Machine> {
	const {machines} = await client.machines.list();
	const meant = machines.filter(
		machine => name === undefined || String(machine.id) === name || machine.name === name,
	);
	const [machine, ...others] = meant;
	if (machine !== undefined && others.length === 0) return machine;
	if (machine === undefined) {
		throw new UsageError(
			name === undefined ? 'You have no machine.' : `You have no machine ${name}.`,
		);
	}
	throw new UsageError(`Say which machine: ${meant.map(({id}) => id).join(', ')}.`);
}

export function printedMachineState({
	error_description: trouble,
	listed,
	verification,
	...rest
}: Machine): string {
	if (typeof rest.quarantine === 'string') return 'quarantined';
	if (typeof trouble === 'string' && trouble !== '') return 'away';
	if (listed !== true) return 'unlisted';
	return verification ?? '-';
}

const columns: ReadonlyArray<PrintedColumn<Machine>> = [
	{title: 'ID', isNumber: true, cell: ({id}) => String(id)},
	{title: 'NAME', cell: ({name}) => name ?? undefined},
	{title: 'GPUS', cell: formatGpus},
	{title: 'USE', cell: ({gpu_occupancy: use}) => use?.replaceAll(' ', '')},
	{title: '$/H', isNumber: true, cell: ({listed_gpu_cost: cost}) => money(cost ?? undefined)},
	{title: 'EARNS $/H', isNumber: true, cell: ({earn_hour: earned}) => money(earned ?? undefined)},
	{title: 'LAST DAY', isNumber: true, cell: ({earn_day: earned}) => money(earned ?? undefined)},
	{title: 'STATE', cell: printedMachineState},
	{title: 'TROUBLE', cell: ({error_description: trouble}) => trouble ?? undefined},
];

async function list({client, values, say}: Asked): Promise<void> {
	const {machines} = await client.machines.list();
	if (values.json === true) for (const machine of machines) say(JSON.stringify(machine));
	else if (machines.length === 0) say('You have no machines. rentty host offers this one.');
	else writeRows({isTerminal: process.stdout.isTTY, line: say}, columns, machines);
}

async function price(asked: Asked): Promise<void> {
	const {client, values, say} = asked;
	const terms = {
		price_gpu: readDollars('--gpu', values.gpu),
		price_disk: readDollars('--disk', values.disk),
		price_inetu: readDollars('--up', values.up),
		price_inetd: readDollars('--down', values.down),
		price_min_bid: readDollars('--bid', values.bid),
		min_chunk: readCount('--parts', values.parts),
		end_date: values.until === undefined ? undefined : moment('--until', values.until),
		duration: values.for === undefined ? undefined : term(values.for),
	};
	if (Object.values(terms).every(value => value === undefined)) {
		throw new UsageError('rentty host price needs a term, such as --gpu 0.4.');
	}
	const {id} = await machineOf(asked);
	const extended = await client.machines.offer({machine: id, ...terms});
	say(`Machine ${id} is offered on these terms.`);
	if (extended > 0) say(`${extended} rentals go on for longer.`);
}

async function maintain(asked: Asked): Promise<void> {
	const {client, values, say} = asked;
	if (values.cancel === true) {
		const {id} = await machineOf(asked);
		say((await client.machines.cancelMaintenance(id)) ?? 'It is cancelled.');
		return;
	}
	if (values.start === undefined || values.hours === undefined) {
		throw new UsageError('rentty host maintain needs --start and --hours, or --cancel.');
	}
	const start = moment('--start', values.start);
	const hours = readDollars('--hours', values.hours) ?? 0;
	const {id} = await machineOf(asked);
	await client.machines.announceMaintenance(id, {start, hours, reason: values.reason});
	say(`Maintenance of machine ${id} is announced: nobody can rent it meanwhile.`);
}

async function unlist(asked: Asked): Promise<void> {
	const {id} = await machineOf(asked);
	await asked.client.machines.unlist(id);
	asked.say(`Machine ${id} is offered no longer. What is rented of it goes on.`);
}

/** Time for renters to end by themselves, where no other beginning is said. */
const AHEAD_SECONDS = 3600;

async function drain(asked: Asked): Promise<void> {
	const {client, values, say} = asked;
	const {hours: text, start: begun, reason, wait} = values;
	const hours = readDollars('--hours', text);
	if (hours === undefined && (begun ?? reason) !== undefined)
		throw new UsageError('rentty host drain needs --hours with --start and --reason.');
	const start =
		begun === undefined ? Math.ceil(Date.now() / 1000) + AHEAD_SECONDS : moment('--start', begun);
	const window = hours === undefined ? undefined : {start, hours, reason};
	await drainMachine({client, machine: await machineOf(asked), window, waits: wait === true, say});
}

async function earnings({client, values, say}: Asked): Promise<void> {
	const days = readCount('--days', values.days) ?? 30;
	const {per_machine: machines, current} = await client.machines.earnings(days);
	const rows = machines.map(({machine_id: id, ...earned}) => ({id, ...earned}));
	type Row = (typeof rows)[number];
	const column = (title: string, value: (row: Row) => number): PrintedColumn<Row> => ({
		title,
		isNumber: true,
		cell: row => money(value(row)),
	});
	if (rows.length === 0)
		say(`Nothing was earned in ${days === 1 ? 'the last day' : `the last ${days} days`}.`);
	else {
		writeRows(
			{isTerminal: process.stdout.isTTY, line: say},
			[
				{title: 'MACHINE', isNumber: true, cell: ({id}) => String(id)},
				column('GPUS', row => row.gpu_earn),
				column('DISK', row => row.sto_earn),
				column('TRAFFIC', row => row.bwu_earn + row.bwd_earn),
			],
			rows,
		);
	}
	const {balance, service_fee: fee, total} = current;
	say(`${money(total)} are not paid out: ${money(balance)} less ${money(fee)} for the market.`);
}

/** Shows the job of a machine, sets it, or removes it. */
async function defjob(asked: Asked): Promise<void> {
	const {client, values, say} = asked;
	const {image, args, bid, remove: isRemoval} = values;
	const machine = await machineOf(asked);
	const {id} = machine;
	const isSetting = image !== undefined || args !== undefined || bid !== undefined;
	if (isRemoval === true) {
		if (isSetting) throw new UsageError('rentty host defjob takes a job, or --remove.');
		await client.machines.deleteDefaultJob(id);
		say(`Machine ${id} has no default job any longer.`);
		return;
	}
	if (!isSetting) {
		const job = defaultJobText(machine);
		say(`Machine ${id} has ${job === undefined ? 'no default job' : `its ${job}`}.`);
		return;
	}
	const perGpu = readDollars('--bid', bid);
	if (image === undefined || perGpu === undefined) {
		throw new UsageError('rentty host defjob needs --image and --bid, or --remove.');
	}
	await client.machines.setDefaultJob({
		machine: id,
		price_gpu: perGpu,
		price_inetu: 0,
		price_inetd: 0,
		image,
		args: args === undefined ? [] : [...splitArguments(args)],
	});
	say(`Machine ${id} runs ${image} on its idle GPUs. Whoever rents goes before it.`);
}

async function test(asked: Asked): Promise<boolean | undefined> {
	const {client, values, say} = asked;
	return testMachine({...values, client, machineId: (await machineOf(asked)).id, say});
}

function moment(flag: string, text: string): number {
	const at = readDate(text);
	if (at !== undefined) return at;
	throw new UsageError(`${flag} takes a date, such as 2027-06-30 or 2027-06-30T14:00Z.`);
}

function term(text: string): number {
	const seconds = readTerm(text);
	if (seconds !== undefined) return seconds;
	throw new UsageError('--for takes a time, such as 3 months or 10 days.');
}
