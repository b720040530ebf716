/** `rentty volumes`: lists volumes, and clones one where a machine has space. */
import type {Client} from '../client/client.ts';
import {HOURS_PER_MONTH} from '../contract/nouns/offer-cost.ts';
import type {Volume, VolumeOffer} from '../contract/nouns/volumes.ts';
import {money} from '../renter/text/format.ts';
import {pollUntil} from '../renter/state/polling.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {type Command, type Context, getConsent, yesOption} from './base/command.ts';
import {CommandError, exitCodes} from './base/failure.ts';
import {writeList, type PrintedColumn} from './base/output.ts';

export const volumes: Command = {
	name: 'volumes',
	summary: 'list volumes, or clone one',
	takes: '[list | clone NUMBER]',
	about: [
		'A clone is made where the cheapest room is, or in that of --offer, by the host there. It has its',
		"price before, and is charged from now on; one that fails by its host's fault is given back.",
		'The volume must be in no instance meanwhile. Ctrl-C stops waiting, and not the clone.',
	],
	options: {
		offer: {value: 'NUMBER', about: 'the offer of room to take (default: the cheapest)'},
		size: {value: 'GB', about: 'size of the clone (default: that of the volume)'},
		...yesOption,
	},
	run,
};

async function run(context: Context): Promise<number> {
	const [word = 'list', number, ...others] = context.words;
	if (others.length > 0) throw new UsageError('rentty volumes takes one number at a time.');
	if (word === 'list' && number === undefined) return list(context);
	if (word !== 'clone') throw new UsageError('rentty volumes takes list, or clone with a number.');
	const id = Number(/^(?:V\.)?(\d{1,15})$/.exec(number ?? '')?.[1] ?? Number.NaN);
	if (Number.isNaN(id)) {
		throw new UsageError('rentty volumes clone needs a number: rentty volumes lists all.');
	}
	return clone(context, id);
}

const columns: ReadonlyArray<PrintedColumn<Volume>> = [
	{title: 'ID', isNumber: true, cell: ({id}) => String(id)},
	{title: 'NAME', cell: ({label}) => label ?? '-'},
	{title: 'GB', isNumber: true, cell: ({disk_space: size}) => String(size ?? '-')},
	{title: '$/MONTH', isNumber: true, cell: volume => money(perMonth(volume))},
	{title: 'STATUS', cell: ({status}) => status ?? '-'},
	{title: 'MACHINE', isNumber: true, cell: ({machine_id: machine}) => String(machine ?? '-')},
	{title: 'LAST WORD', cell: ({status_msg: message}) => message ?? '-'},
];

function perMonth({storage_total_cost: perHour}: Volume): number | undefined {
	return typeof perHour === 'number' ? perHour * HOURS_PER_MONTH : undefined;
}

/** The names that scripts rely on. */
function volumeRecord(volume: Volume) {
	return {
		id: volume.id,
		label: volume.label ?? null,
		size_gb: volume.disk_space ?? null,
		price_per_hour: volume.storage_total_cost ?? null,
		status: volume.status ?? null,
		machine: volume.machine_id ?? null,
		message: volume.status_msg ?? null,
	};
}

async function list(context: Context): Promise<number> {
	const client = await context.client();
	const {volumes: rows, unreadable} = await client.volumes.list({signal: context.signal});
	const listed = {noun: 'volumes', columns, record: volumeRecord, empty: 'There are no volumes.'};
	return writeList(context, {rows, unreadable, ...listed});
}

const POLL_MS = 2000;

async function clone(context: Context, id: number): Promise<number> {
	const {output, isJson, signal} = context;
	const client = await context.changer();
	const source = await findVolume(client, id, signal);
	if (source === undefined) {
		throw new CommandError(exitCodes.notFound, `There is no volume V.${id}.`);
	}
	const sizeGb = readSize(context, source);
	const offer = await findVolumeOffer(context, client, sizeGb);
	const perGb = offer.storage_cost ?? undefined;
	if (perGb === undefined) {
		const why = `the service does not say what room ${offer.id} costs. Nothing was made, and nothing is charged.`;
		throw new CommandError(exitCodes.overBudget, `Not cloned: ${why}`);
	}
	const price = money(perGb * sizeGb);
	await getConsent(context, {
		lines: [
			`Clone volume V.${id}: ${sizeGb} GB on machine ${offer.machine_id ?? '-'}, ${offer.geolocation ?? '-'}`,
			`  ${price} a month, charged from now on until you delete it.`,
		],
		question: 'Make it?',
	});
	const wanted = {sourceId: id, offerId: offer.id, sizeGb, mostPerGb: perGb};
	const made = await client.volumes.copy(wanted, {signal});
	output.say(`rentty: Volume V.${made} is being made.`);
	let printed = '';
	const end = await pollUntil({
		everyMs: POLL_MS,
		signal,
		async ask() {
			const volume = await findVolume(client, made, signal);
			if (volume?.status !== 'creating') return {volume};
			const status = volume.status_msg ?? '';
			if (output.progress !== undefined && !isJson) output.progress(status);
			else if (status !== printed) output.say(status);
			printed = status;
			return undefined;
		},
	}).finally(() => output.progress?.(''));
	if (end.volume === undefined) {
		const why = (await findVolume(client, id, signal))?.status_msg ?? 'It is gone.';
		throw new CommandError(exitCodes.failed, why);
	}
	if (isJson) output.json({id: made, clone_of: id, size_gb: sizeGb});
	else output.line(`Volume V.${made} is a clone of V.${id}, and is whole.`);
	return exitCodes.fine;
}

async function findVolume(
	client: Client,
	id: number,
	signal: AbortSignal,
): Promise<Volume | undefined> {
	return (await client.volumes.list({signal})).volumes.find(volume => volume.id === id);
}

function readSize({textOf}: Context, {id, disk_space: own}: Volume): number {
	const least = Math.ceil(own ?? 1);
	const text = textOf('size');
	if (text === undefined) return least;
	const sizeGb = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
	if (sizeGb >= least) return sizeGb;
	throw new UsageError(`--size takes whole GB, ${least} at least: volume V.${id} has that.`);
}

async function findVolumeOffer(
	{textOf, signal}: Context,
	client: Client,
	sizeGb: number,
): Promise<VolumeOffer> {
	const offer = textOf('offer');
	if (offer !== undefined && !/^\d{1,15}$/.test(offer)) {
		throw new UsageError('--offer takes the number of an offer of room.');
	}
	const isIt = {field: 'id', operator: 'eq', value: Number(offer)} as const;
	const isLarge = {field: 'disk_space', operator: 'gte', value: sizeGb} as const;
	const {offers} = await client.volumes.search(
		{
			filter: offer === undefined ? [isLarge] : [isLarge, isIt],
			order: [['storage_cost', 'asc']],
			limit: 1,
			sizeGb,
		},
		{signal},
	);
	const [found] = offers;
	if (found !== undefined) return found;
	const where = offer === undefined ? 'No machine' : `Offer ${offer}`;
	throw new CommandError(exitCodes.notFound, `${where} has room for ${sizeGb} GB.`);
}
