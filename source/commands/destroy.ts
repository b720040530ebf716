/** `rentty destroy`: ends instances, and looks until they are proven to be gone. */
import {removalOf} from '../renter/actions/instance-actions.ts';
import type {FleetRow, FleetState} from '../renter/fleet/fleet-state.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import type {Command, Context} from './command.ts';
import {numberOf} from './command-line.ts';
import {getConsent, yesOption} from './consent.ts';
import {exitCodes} from './failure.ts';
import {openFleetLooks, rowsNamed} from './fleet-look.ts';
import {stateWord} from './instance-facts.ts';
import {doToAll, outcomeOf, reviewLines} from './outcomes.ts';

/** Options of all that destroys and looks. */
export const waiting = {
	'no-wait': {about: 'end when the service has accepted it'},
	wait: {value: 'SECONDS', about: 'how long to look until they are gone (default 60)'},
} as const;

export const destroy: Command = {
	name: 'destroy',
	summary: 'end instances for good, and look until they are gone',
	takes: 'NAMES…',
	names: 'instances',
	about: [
		'Deletes instances and all that is on their disks. Accepted is not gone: they are looked for',
		'until their records and a list say so. Names are numbers or labels, or words that ask for',
		"instances, as for rentty ps: 'stuck', 'label~train idle>2h'. The review names each of them.",
	],
	options: {...yesOption, ...waiting},
	async run(context) {
		if (context.words.length === 0)
			throw new UsageError('rentty destroy needs the names of instances.');
		const state = await openFleetLooks(context).look(context.words);
		return destroyAll(context, rowsNamed(state, context.words), state);
	},
};

/** Asks, destroys, and tells of each what came of it. */
export async function destroyAll(
	context: Context,
	rows: readonly FleetRow[],
	{rows: {length: all}}: Pick<FleetState, 'rows'>,
): Promise<number> {
	const client = await context.changer();
	const timeoutMs = (numberOf(context, 'wait', {least: 1}) ?? 60) * 1000;
	const isAll = rows.length > 1 && rows.length === all;
	const many = rows.length === 1 ? 'this instance' : `${rows.length} instances`;
	await getConsent(context, {
		lines: reviewLines(rows, stateWord),
		question: `Destroy ${isAll ? `all ${rows.length} instances` : many} and what is on the disk?`,
		// What holds data, or is everything there is, is not lost by a slip of a finger.
		word: isAll || rows.some(({seen}) => seen.hasRun) ? 'destroy' : undefined,
	});
	const {signal} = context;
	if (context.isGiven('no-wait')) {
		return doToAll(context, rows, async row => {
			const {id, evidence} = removalOf(row);
			await client.instances.destroy(id, {signal, note: {evidence}});
			return {outcome: 'accepted', exitCode: exitCodes.fine};
		});
	}
	const removal = client.instances.removeAll(rows.map(removalOf), {signal, timeoutMs});
	return doToAll(context, rows, async ({instance: {id}}) => outcomeOf(await removal(id)));
}
