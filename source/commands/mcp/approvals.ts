/** Approvals of rents by a person, where the limits want one. */
import type {Offer} from '../../contract/nouns/offers.ts';
import {MOST_WAITING, openApprovals} from '../../renter/agents/approvals.ts';
import {shortText} from '../../renter/agents/fence.ts';
import {PRACTICE} from '../../renter/profiles/profile.ts';
import {formatGpus, pricePerHour} from '../../renter/text/format.ts';
import type {Agent} from './agent.ts';
import type {Quote} from './quotes.ts';

const NO = 'A person said no. Nothing was rented.';

/** Asks a person by the client, which can show a question, and is called again with the answer. */
export class QuestionForPerson extends Error {
	override readonly name = 'QuestionForPerson';
	readonly id: string;

	constructor(id: string, lines: readonly string[]) {
		super(lines.join('\n'));
		this.id = id;
	}
}

/**
 * The sentence why a rent waits for a person, or was refused by one; undefined if it may go on.
 *
 * @throws QuestionForPerson if the client asks
 */
export async function approvalProblem(
	{limits: {approve}, context, name, person}: Agent,
	{id, quote, offer}: {readonly id: string; readonly quote: Quote; readonly offer: Offer},
): Promise<string | undefined> {
	if (approve === undefined || (approve !== 'always' && quote.perHour < approve)) return undefined;
	const now = context.now() / 1000;
	const approvals = openApprovals(context.folders.state);
	const all = approvals.read(now);
	const known = all.find(one => one.id === id);
	const answer = person?.answer(id) ?? known?.answer;
	if (answer !== undefined) return answer === 'yes' ? undefined : NO;
	const words = approvalLines(quote, offer);
	if (person !== undefined) throw new QuestionForPerson(id, [`${name} wants to rent:`, ...words]);
	if (known === undefined && all.length >= MOST_WAITING) {
		return `${MOST_WAITING} rents wait for a person already: call again in five minutes. Nothing was rented.`;
	}
	await approvals.ask({id, at: now, agent: name, words});
	return (
		'A person has to approve this: ask the user to look at the Activity screen of rentty or to run rentty mcp approve, ' +
		'then call rent again with the same quote and key, within five minutes. Nothing was rented.'
	);
}

/** Everything that a person agrees to: a part cut off would be agreed to unseen. */
function approvalLines(
	{service, order, leaseSeconds, perHour}: Quote,
	offer: Offer,
): readonly string[] {
	const profile = service === PRACTICE ? `${PRACTICE}, on which nothing costs money` : service;
	return [
		`profile: ${shortText(profile, 400)}`,
		`offer: ${offer.id}, ${shortText(formatGpus(offer))} in ${shortText(offer.geolocation)}`,
		`price: ${pricePerHour(perHour)} for ${(leaseSeconds / 3600).toFixed(1)} h, then destroyed`,
		...Object.entries(order).map(([field, value]) => `${field}: ${shortText(value, 4000)}`),
	];
}
