import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {hasEnd, type Lease} from '../../../renter/words/lease.ts';
import {leaseEndText, leaseOf} from '../../../renter/leases/held.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {useRenting, useServices} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';
import type {ActionTarget} from '../../ui/confirmation.ts';
import {ConfirmDialog} from '../dialogs.tsx';
import {keptOrNot, useSend} from './lease-prompt.tsx';
import {leaseText, sendLeases} from './leases-prompt.tsx';
import {labelOf} from './words.ts';
import type {Instance} from '../../../contract/nouns/instance-record.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	/** The instances, frozen when it opened. */
	readonly rows: readonly FleetRow[];
	readonly onClose: () => void;
};

/** Asks before other rules than a deadline are switched off for some instances, or on again. */
export function KeepDialog({rows, size, say, onClose}: Props) {
	const {fleet} = useServices();
	const {leases} = useRenting();
	const isKeeping = rows.some(row => !isKept(row));
	const changed = rows.filter(row => isKept(row) !== isKeeping);
	const sendOne = useSend(say);
	const change = (present: Instance) => keptOrNot(present, isKeeping);
	async function send(): Promise<void> {
		const [first, ...others] = changed;
		if (first !== undefined && others.length === 0) return sendOne(first, change);
		say({text: `Telling everybody who enforces the leases of ${changed.length}.`, isError: false});
		const said = await sendLeases(
			leases,
			changed.map(row => ({row, change})),
		);
		await fleet.refresh().catch(() => undefined);
		say(said);
	}
	return (
		<ConfirmDialog
			question={{
				verb: isKeeping ? 'keep' : 'keep no longer',
				noun: 'instance',
				targets: changed.map(row => targetOf(row, isKeeping)),
				isReversible: true,
			}}
			facts={[
				[
					'What happens',
					isKeeping
						? 'Its own deadline alone ends it: no idle time, no cost, and no budget.'
						: 'All rules of its lease, and budgets, may end it again.',
				],
				['Money', 'Each costs as before, until it ends.'],
			]}
			size={size}
			say={say}
			onConfirm={() => {
				onClose();
				void send();
			}}
			onCancel={onClose}
		/>
	);
}

function isKept({instance}: FleetRow): boolean {
	return leaseOf(instance).lease?.isKept === true;
}

function targetOf(row: FleetRow, isKeeping: boolean): ActionTarget {
	const {instance, now} = row;
	const present = leaseEndText(instance, now) ?? 'no end';
	return {
		id: instance.id,
		name: printable(labelOf(instance)),
		detail: `${present} > ${nextText(keptOrNot(instance, isKeeping), now)}`,
		state: present,
		level: 1,
	};
}

function nextText(lease: Lease | undefined, now: number): string {
	return lease?.isKept === true && !hasEnd(lease) ? 'kept, no end' : leaseText(lease, now);
}
