/** Automatic actions on stuck boots, if the renter armed them. */
import {messageOf} from '../../contract/rules/thrown.ts';
import type {ArmedActions} from './armed-actions.ts';
import type {FleetRow} from '../fleet/fleet-state.ts';
import {evidenceFor, isAtRest, whyLeft} from '../instance/condition.ts';
import type {OrderValues} from '../orders/rent-order.ts';
import type {RentFacts} from '../orders/rent-facts.ts';
import {sentence} from '../text/format.ts';
import {rentReplacement, announceReplacement, type Renter} from './replacement.ts';

/** Automatic actions: none, unless the renter chooses one for this rental. */
export const stuckChoices = ['ask', 'destroy', 'destroy+next'] as const;

const choiceTexts: Readonly<Record<string, string>> = {
	destroy: 'destroy it',
	'destroy+next': 'destroy + next',
};

export function stuckText(choice: string, bootMinutes: number): string {
	return `${choiceTexts[choice] ?? 'tell me'} after ${bootMinutes} min`;
}

/** Line of the review about armed actions; undefined without any. */
export function stuckMeans({stuck: choice = '', tries, ceiling}: OrderValues): string | undefined {
	if (choiceTexts[choice] === undefined) return undefined;
	const then =
		choice === 'destroy+next'
			? `; then an equal one is rented, ${tries} at most, none more than +${ceiling} % dearer`
			: '';
	return `what never ran and is stuck or dead is DESTROYED without a question${then}. Only while rentty runs`;
}

type Boot = 'under way' | 'over' | 'failed';

/** Progress of a boot. A boot is over when the instance ran, or was ended. */
export function bootOf(row: FleetRow | undefined, wasListed: boolean): Boot {
	if (row === undefined) return wasListed ? 'over' : 'under way';
	if (row.observation.hasRun || isAtRest(row.condition) || endings.has(row.condition))
		return 'over';
	return failures.has(row.condition) && whyLeft(row) === undefined ? 'failed' : 'under way';
}

const endings = new Set<FleetRow['condition']>(['destroying', 'undead', 'gone']);
const failures = new Set<FleetRow['condition']>(['stuck', 'dead']);

type Armed = {
	/** Choices of the form: the action, the number of tries, and the highest price. */
	readonly values: OrderValues;
	/** The offer that was rented, and those that were tried before it. */
	readonly facts: RentFacts;
};

type Arming = Renter & {readonly renting: {readonly armed: Pick<ArmedActions, 'note'>}};

/**
 * Watches a boot until it is over or the action is cancelled. The watch ends with the program, and
 * so does its action.
 */
export function armBoot(renter: Arming, id: number, armed: Armed): void {
	const {fleet} = renter;
	const {values} = armed;
	if ((values['stuck'] ?? 'ask') === 'ask' || values['target'] === 'stopped') return;
	let wasListed = false;
	const stop = fleet.state.subscribe(check);
	const forget = renter.renting.armed.note(id, stop);
	check();

	function check(): void {
		const row = fleet.state.get().rows.find(({instance}) => instance.id === id);
		const boot = bootOf(row, wasListed);
		wasListed ||= row !== undefined;
		if (boot === 'under way') return;
		stop();
		forget();
		if (boot === 'failed') void giveUp(renter, id, armed);
	}
}

async function giveUp(renter: Arming, id: number, armed: Armed): Promise<void> {
	const {fleet} = renter;
	const announce = (state: string, text: string) => announceReplacement(renter, id, {state, text});
	announce('given up', `Instance ${id} never came to run: it is being destroyed, as you armed it.`);
	try {
		const client = await renter.client();
		const row = fleet.state.get().rows.find(({instance}) => instance.id === id);
		const evidence = row && evidenceFor(row);
		const {outcome} = await client.instances.remove(id, {evidence});
		await fleet.refresh().catch(() => undefined);
		if (outcome !== 'gone') {
			const what = `Instance ${id} never came to run, and is not known to be gone: it may be charged.`;
			announce('not gone', `${what} Nothing else was rented. 2 shows it; x destroys it.`);
		} else if (armed.values['stuck'] === 'destroy+next') {
			const next = await rentReplacement(renter, client, armed);
			if (next.id !== undefined) armBoot(renter, next.id, {...armed, facts: next.facts});
			announce('replaced', `Instance ${id} is gone. ${next.outcome}`);
		} else {
			announce(
				'gone',
				`Instance ${id} never came to run, and is gone. Nothing more is charged for it.`,
			);
		}
	} catch (error) {
		const why = sentence(messageOf(error));
		announce('failed', `In the place of instance ${id}: ${why} 2 shows what there is.`);
	}
}
