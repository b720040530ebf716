/** Follows a rental to the first record of its instance, or to the moment when SSH answers. */
import type {Client} from '../client/client.ts';
import type {Instance} from '../contract/nouns/instance-record.ts';
import type {NotAsOrdered} from '../renter/orders/instance-comparison.ts';
import {compareWithOrder, destroyUnlike, type Comparison, type Rented} from './order-comparison.ts';
import {waitForSsh, watchBoot} from './boot.ts';
import type {Context} from './command.ts';
import {exitCodes, type ExitCode} from './failure.ts';

export type Followed = {
	readonly exitCode: ExitCode;
	/** The last record, where the instance was waited for. */
	readonly instance: Instance | undefined;
	readonly unlike: NotAsOrdered | undefined;
	readonly isGone: boolean;
};

/** Compares the instance with its order, and waits for it with `--wait`. */
export async function follow(
	context: Context,
	client: Client,
	{id, pending, isWaitedFor}: Rented & {readonly isWaitedFor: boolean},
): Promise<Followed> {
	const comparison = compareWithOrder(context, client, {id, pending});
	if (isWaitedFor) context.output.say(`rentty: ${id} is rented. Waiting for it to run.`);
	const isCompared = isWaitedFor || (await comparison.seeFirst());
	const isUnproven = !isCompared && context.isGiven('exact');
	const waited = isWaitedFor
		? await waitUntilEntered(context, client, {id, comparison})
		: {exitCode: isUnproven ? exitCodes.timedOut : exitCodes.fine, instance: undefined};
	const unlike = comparison.found();
	if (unlike === undefined || !context.isGiven('exact')) return {...waited, unlike, isGone: false};
	const isGone = await destroyUnlike(context, client, id);
	return {...waited, exitCode: exitCodes.notAsOrdered, unlike, isGone};
}

async function waitUntilEntered(
	context: Context,
	client: Client,
	{id, comparison}: {readonly id: number; readonly comparison: Comparison},
): Promise<Pick<Followed, 'exitCode' | 'instance'>> {
	const {output} = context;
	const booted = await watchBoot(context, client, id, comparison.see);
	const {exitCode, instance, outcome, message} = booted;
	if (outcome === 'not as ordered') return {exitCode, instance};
	if (outcome !== 'running' || instance === undefined) {
		output.say(
			`rentty: ${id} ${outcome}: ${message ?? ''}. It is kept, and may be charged: rentty destroy ${id} ends it.`,
		);
		return {exitCode, instance};
	}
	const isEnough = await comparison.seePorts();
	if (isEnough || (await waitForSsh(context, instance))) return {exitCode, instance};
	output.say(`rentty: ${id} runs, but SSH does not answer.`);
	return {exitCode: exitCodes.timedOut, instance};
}
