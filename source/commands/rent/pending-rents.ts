/** Rents that an earlier command left open, settled or named by commands that list or change instances. */
import {readingTrouble} from '../../contract/rules/thrown.ts';
import type {Client} from '../../client/client.ts';
import type {PendingRent} from '../../client/rentals/pending-rent.ts';
import {agreedOrder} from '../../renter/orders/agreed-order.ts';
import {
	isSameOrder,
	noneRepeated,
	notRentedText,
	repeatedRents,
} from '../../renter/orders/repeated-rents.ts';
import {isoMinute} from '../../renter/nouns/jobs.ts';
import type {Context} from '../base/command.ts';
import {CommandError, exitCodes} from '../base/failure.ts';

type Reporting = Pick<Context, 'output' | 'signal'>;

/** Names those that were created, settles what two polls can settle, and names the unknown ones. */
export async function reportPendingRents(context: Reporting, client: Client): Promise<void> {
	const {found, others, report} = await findRents(context, client);
	await report(found);
	for (const pending of others) {
		const isQuick = client.pendingRents.isQuickToSettle(pending);
		const {signal} = context;
		// oxlint-disable-next-line no-await-in-loop -- each poll for one may show the others
		const settled = isQuick ? await client.pendingRents.settle(pending, {signal}) : {pending};
		await report([settled.pending]);
	}
}

type Rents = {
	/** Those whose number was never printed, and those that a list shows. */
	readonly found: readonly PendingRent[];
	/** Rents that stay open after the list. */
	readonly others: readonly PendingRent[];
	readonly textOf: (pending: PendingRent) => string;
	/** Says what became of some, and notes that it was said. */
	readonly report: (pendingRents: readonly PendingRent[]) => Promise<void>;
};

async function findRents({output, signal}: Reporting, client: Client): Promise<Rents> {
	const {pendingRents} = client;
	const open = await openRents(output, client);
	const list =
		open.length === 0
			? undefined
			: await client.instances.list({signal, isUrgent: true}).catch(() => undefined);
	signal.throwIfAborted();
	const shown = list === undefined ? [] : await pendingRents.review(list.instances);
	const found = [...open.filter(({state}) => state.kind === 'created'), ...shown];
	const tokens = new Set(found.map(({token}) => token));
	const listed = list?.isWhole === true ? new Set(list.instances.map(({id}) => id)) : undefined;
	const textOf = (pending: PendingRent) => describe(pending, listed);
	return {
		found,
		others: open.filter(({token}) => !tokens.has(token)),
		textOf,
		async report(some) {
			for (const pending of some) output.say(`rentty: ${textOf(pending)}`);
			await pendingRents.markReported(...some);
		},
	};
}

/** An unreadable file must not keep a user from ending an instance that costs. */
async function openRents(output: Context['output'], client: Client) {
	return client.pendingRents.open().catch((error: unknown) => {
		output.say(`rentty: Rents that were left open cannot be read (${readingTrouble(error)}).`);
		return [];
	});
}

/** @param listed Instances of a whole list; undefined if there is none */
function describe(
	{offerId, notedAt, state}: PendingRent,
	listed: ReadonlySet<number> | undefined,
): string {
	const asked = isoMinute(notedAt / 1000);
	const offer = `Offer ${offerId}, asked for at ${asked} by a rentty that was ended,`;
	switch (state.kind) {
		case 'created':
			if (listed?.has(state.id) === false)
				return `${offer} was made as instance ${state.id}, which the service does not list.`;
			return `${offer} is instance ${state.id}, and is charged: rentty destroy ${state.id} ends it.`;
		case 'not created':
			return `${offer} ${notRentedText(state.why)}`;
		case 'unknown':
		case 'sent':
			return `${offer} may have been rented, and may be charged: rentty ps shows what there is.`;
	}
}

type Wanted = Parameters<typeof agreedOrder>[0];

/**
 * Refuses an order that an earlier command has sent without an answer: it would be rented twice.
 *
 * @returns Those that were not found, which may still arrive late
 * @throws CommandError once for each that was created, and as long as an outcome is unknown
 */
export async function refusePending(
	context: Reporting,
	client: Client,
	wanted: Wanted,
): Promise<readonly PendingRent[]> {
	const {found, others, textOf, report} = await findRents(context, client);
	const {output, signal} = context;
	const order = agreedOrder(wanted);
	const isOther = ({agreed}: PendingRent) => agreed !== undefined && !isSameOrder(agreed, order);
	await report([...found, ...others].filter(isOther));
	const {doubtful, shown} = await repeatedRents(client, order).catch(() => noneRepeated);
	const present = await listedOf(client, shown, signal);
	const [made] = [...found.filter(pending => !isOther(pending)), ...present];
	if (made !== undefined) {
		await client.pendingRents.markReported(made);
		throw refused(made, textOf);
	}
	const late: PendingRent[] = [];
	for (const pending of [...others.filter(other => !isOther(other)), ...doubtful]) {
		output.say(
			'rentty: The same order was sent before. Looking whether it was rented, which may take half a minute.',
		);
		// oxlint-disable-next-line no-await-in-loop -- each poll for one may show the others
		const outcome = await client.pendingRents.settle(pending, {signal});
		if (outcome.outcome !== 'not created') {
			await client.pendingRents.markReported(outcome.pending);
			throw refused(outcome.pending, textOf);
		}
		if (!doubtful.includes(pending)) await report([outcome.pending]);
		if (outcome.why === 'not found') late.push(outcome.pending);
	}
	return late;
}

/** Rents whose instances are there: a renter may have destroyed what a console told of. */
async function listedOf(client: Client, rents: readonly PendingRent[], signal: AbortSignal) {
	if (rents.length === 0) return rents;
	const {instances} = await client.instances.list({signal, isUrgent: true});
	const ids = new Set(instances.map(({id}) => id));
	return rents.filter(({state}) => state.kind === 'created' && ids.has(state.id));
}

function refused(pending: PendingRent, textOf: Rents['textOf']): CommandError {
	const isMade = pending.state.kind === 'created';
	const code = isMade ? exitCodes.failed : exitCodes.timedOut;
	const advice = isMade ? ' The same command again rents another.' : '';
	const why = 'Nothing was sent, for that was the same order.';
	return new CommandError(code, `${textOf(pending)} ${why}${advice}`);
}
