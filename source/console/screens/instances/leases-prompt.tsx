import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {leaseEndText, isEndlessInstance} from '../../../renter/leases/held.ts';
import {LeaseTermsError, remainingTerms, writeTerms} from '../../../renter/leases/lease-terms.ts';
import type {Leases} from '../../../renter/leases/leases.ts';
import type {LeaseChange} from '../../../renter/leases/send-lease.ts';
import {maySpentText, withoutSpentBudget} from '../../../renter/leases/spent-budget.ts';
import {hasEnd, type Lease} from '../../../renter/words/lease.ts';
import {WHEN_HINT} from '../../../renter/words/when-done.ts';
import {reasonOf} from '../../../renter/actions/instance-actions.ts';
import {sentence} from '../../../renter/text/format.ts';
import {useRenting, useServices, useTime} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {Prompt} from '../dialogs.tsx';
import {refusal} from './actions.ts';
import {nextLease} from './lease-prompt.tsx';
import {instanceNameOf} from './words.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	/** The instances, frozen when it opened. */
	readonly rows: readonly FleetRow[];
	readonly onClose: () => void;
};

/** Lease of one of several instances: the one it is to get, or the reason why it gets none. */
type Given =
	| {readonly row: FleetRow; readonly lease: Lease | undefined}
	| {readonly row: FleetRow; readonly refused: string};

/** Change of one of several leases, or the reason why there is none. */
type Changed =
	| {readonly row: FleetRow; readonly change: LeaseChange}
	| Extract<Given, {readonly refused: string}>;

const asChange = (one: Given): Changed =>
	'refused' in one ? one : {row: one.row, change: () => one.lease};

/** Lines beside those of the instances. */
const OTHER_LINES = 12;

/** Asks for one lease for several instances, and shows what each has and gets. */
export function LeasesPrompt({rows, size, say, onClose}: Props) {
	const {fleet} = useServices();
	const {leases} = useRenting();
	const {now} = useTime();
	const given = (text: string) => rows.map(row => givenTo(row, text, now().getTime() + row.skewMs));
	async function send(text: string): Promise<void> {
		say({text: `The new ends of ${rows.length} go to all that enforce them.`, isError: false});
		const said = await sendLeases(leases, given(text).map(asChange));
		await fleet.refresh().catch(() => undefined);
		say(said);
	}
	return (
		<Prompt
			title={`When ${rows.length} instances end by themselves`}
			name="ends"
			initial=""
			lines={[
				'for 6h  idle 30m  until $20  then stop, destroy or stop-destroy  keep  none',
				WHEN_HINT,
				' ',
			]}
			size={size}
			refuse={text => whyNone(given(text), text)}
			preview={text => eachLine(given(text), text, Math.max(1, size.rows - OTHER_LINES))}
			onSend={text => void send(text)}
			onClose={onClose}
		/>
	);
}

function givenTo(row: FleetRow, text: string, now: number): Given {
	const refused = refusal('destroy', row) ?? (row.condition === 'destroying' ? LEAVING : undefined);
	if (refused !== undefined) return {row, refused};
	// Nothing of its present lease stays: all get what is typed.
	const free = {...row, instance: {...row.instance, label: null, lease: null}};
	try {
		const lease = nextLease(text, {row: free, text: '', isPast: false}, now);
		return {row, lease: withoutSpentBudget(row, lease)};
	} catch (error) {
		if (error instanceof LeaseTermsError) return {row, refused: error.message};
		throw error;
	}
}

const LEAVING = 'it is being destroyed';

/** Reason why nothing can be sent: no text, or a text that no instance accepts. */
function whyNone(all: readonly Given[], text: string): string | undefined {
	if (text.trim() === '') return 'Say for how long, another rule, or none.';
	const reasons = all.flatMap(one => ('refused' in one ? [one.refused] : []));
	return reasons.length < all.length ? undefined : sentence(reasons[0] ?? '');
}

/** A line for each instance, refused ones first; the last one counts those that do not fit. */
function eachLine(all: readonly Given[], text: string, room: number): readonly string[] {
	const ordered = [
		...all.filter(one => 'refused' in one),
		...all.filter(one => !('refused' in one)),
	];
	const lines = ordered.map(one => `${instanceNameOf(one.row.instance)}  ${changeOf(one, text)}`);
	if (lines.length <= room) return lines;
	return [...lines.slice(0, room - 1), `and ${lines.length - room + 1} more, the same for each`];
}

function changeOf(one: Given, text: string): string {
	const {instance, now} = one.row;
	const present = isEndlessInstance(instance)
		? 'no end'
		: (leaseEndText(instance, now) ?? 'unreadable');
	if (text.trim() === '') return `now ${present}`;
	if ('refused' in one) return `not set: ${one.refused}`;
	const spent = maySpentText(one.row, one.lease);
	return `${present} > ${leaseText(one.lease, now)}${spent === undefined ? '' : `  ${spent}`}`;
}

/** Terms of a lease as they are typed. @param now in milliseconds */
export function leaseText(lease: Lease | undefined, now: number): string {
	if (lease === undefined || !hasEnd(lease)) return lease?.isKept === true ? 'keep' : 'no end';
	return writeTerms(remainingTerms(lease, Math.floor(now / 1000)));
}

/** Sends each its lease, one after the other, and says which got none, and why. */
export async function sendLeases({send}: Leases, all: readonly Changed[]) {
	const problems: string[] = [];
	let confirmed = 0;
	let done = 0;
	for (const one of all) {
		const {id} = one.row.instance;
		if ('refused' in one) {
			problems.push(`${id} was not set: ${sentence(one.refused)}`);
			continue;
		}
		try {
			const sent = await send(one.row.instance, one.change);
			const why = sent.isOwn ? sent.problems[0] : 'it was changed elsewhere at the same time';
			if (sent.isOwn) done += 1;
			if (why !== undefined) problems.push(`${id}: ${sentence(why)}`);
			if (sent.enforcers.some(({isConfirmed}) => isConfirmed)) confirmed += 1;
		} catch (error) {
			problems.push(`Whether ${id} was changed is not known: ${reasonOf(error)}`);
		}
	}
	const said = `${done} of ${all.length} were set, somebody confirmed ${confirmed}.`;
	return {text: [said, ...problems].join(' '), isError: problems.length > 0};
}
