/** `rentty prepay`: pays ahead for an instance, and shows the rest. */
import {setTimeout as sleep} from 'node:timers/promises';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {isoDay, money, percent} from '../../renter/text/format.ts';
import {
	notPrepayable,
	paidText,
	payAhead,
	prepayFacts,
	prepaymentOf,
	refuseSum,
} from '../../renter/nouns/prepaying.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {type Command, type Context, getConsent, yesOption} from '../base/command.ts';
import {CommandError, exitCodeOf, exitCodes, failureMessage} from '../base/failure.ts';
import {findNamedInstance} from './fleet-polls.ts';
import {instanceName} from './facts.ts';

export const prepay: Command = {
	name: 'prepay',
	summary: 'pay ahead for an instance at a discount, or show what is left of it',
	takes: 'NAME [DOLLARS]',
	names: 'instances',
	about: [
		'Pays dollars from the credit ahead for an instance: the longer they last, the higher the discount',
		'on its computing and disk, up to what its offer advertises. Without a sum it shows what is left.',
		'A destroy gives back what is left, less 1.05 times the discount received until then. It is paid',
		'once: where the answer is lost, it is looked for, and not sent again.',
	],
	options: {...yesOption},
	run,
};

async function run(context: Context): Promise<number> {
	const [name, text, ...others] = context.words;
	if (name === undefined || others.length > 0) {
		throw new UsageError('rentty prepay needs the name of one instance, and a sum to pay.');
	}
	if (text === undefined) return show(context, name);
	const sum = /^\d{1,7}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
	const {output, signal, isJson} = context;
	const client = await context.changer();
	const instance = await findNamedInstance(client, name, signal);
	const now = client.clock.now() / 1000;
	await review(context, instance, {text, sum, now});
	const pause = async (ms: number) => sleep(ms, undefined, {signal});
	const paid = await payAhead(client, {instance, sum, signal, pause});
	const summary = paidText(instance, sum, paid);
	if (paid.kind !== 'paid') {
		const code = paid.kind === 'unknown' ? exitCodes.timedOut : exitCodeOf(paid.error);
		throw new CommandError(code, `${summary}: ${failureMessage(paid.error)}`);
	}
	const until = prepaymentOf(instance, sum, now)?.until;
	if (isJson) {
		output.json({id: instance.id, paid: sum, discount: paid.rate ?? null, until: until ?? null});
	} else output.line(summary);
	return exitCodes.fine;
}

type Wished = {readonly text: string; readonly sum: number; readonly now: number};

/**
 * Fulfils once the user consents.
 * @throws UsageError for a payment that cannot be made
 */
async function review(context: Context, instance: Instance, {text, sum, now}: Wished) {
	const why = refuseSum(instance, sum, now);
	if (why !== undefined) throw new UsageError(why);
	const obstacle = notPrepayable(instance);
	if (obstacle !== undefined) {
		throw new UsageError(`${instanceName(instance)} cannot be paid ahead: ${obstacle}.`);
	}
	const facts = prepayFacts(instance, sum, now);
	await getConsent(context, {
		lines: [
			`Pay ahead for ${instanceName(instance)}`,
			...facts.map(([title, fact]) => `  ${title.padEnd(16)}${fact}`),
		],
		question: 'Pay it?',
		word: text,
	});
}

async function show({client: open, output, isJson, signal}: Context, name: string) {
	const client = await open();
	const instance = await findNamedInstance(client, name, signal);
	const {id, credit_balance: left, credit_discount: rate} = instance;
	const {refundable, discount} = await client.instances.deposit(id, {signal});
	if (isJson) {
		output.json({id, left: left ?? 0, discount: rate ?? null, refundable, received: discount});
	} else if (typeof left !== 'number' || left <= 0) {
		const why = notPrepayable(instance);
		const cannot = why === undefined ? '' : ` It cannot be: ${why}.`;
		output.line(`Nothing is paid ahead for ${instanceName(instance)}.${cannot}`);
	} else {
		const lasts = prepaymentOf(instance, 0, client.clock.now() / 1000);
		const until = lasts === undefined ? '' : `, until about ${isoDay(lasts.until)}`;
		output.line(
			`${money(left)} is left for ${instanceName(instance)} at ${percent(rate)} % off${until}; a destroy gives back ${money(refundable)}.`,
		);
	}
	return exitCodes.fine;
}
