import {relabelled} from '../../../renter/leases/lease-label.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {useServices, useTime} from '../../services.tsx';
import {printable} from '../../../renter/text/text-width.ts';
import type {ScreenProps} from '../place.ts';
import {ConnectAsking} from './connect-asking.tsx';
import type {Asking} from './instance-actions.ts';
import type {Action} from './actions.ts';
import {HOLD_MS} from './held-sweep.ts';
import type {InstanceList} from './list.ts';
import {ChangeLease, extended, keptOrNot, LeasePrompt} from './lease-prompt.tsx';
import {endingAfter} from './outcomes.ts';
import {Prompt} from '../prompt.tsx';
import {reasonOf, whyOf} from './reason.ts';
import {Review} from './review.tsx';
import {useActions} from './use-actions.ts';
import {labelOf, nameOf} from './words.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly asking: Asking;
	/** Holds a sweep for a moment; undefined where there is none. */
	readonly held?: InstanceList['held'];
	/** A review was answered with yes. */
	readonly onAgreed?: () => void;
	/** Something is done to so many, until it is seen what came of it. */
	readonly onWork?: (count: number, work: Promise<void>) => void;
	readonly onClose: () => void;
};

/** The review or the field that stands in the place of a screen until it is answered. */
export function AskingPart({asking, held, size, say, onAgreed, onWork, onClose}: Props) {
	const {timers} = useTime();
	const actions = useActions(say);
	const common = {size, say, onClose};
	function run(action: Action, rows: readonly FleetRow[], isReplacing = false): void {
		const work = actions.run(action, rows, isReplacing);
		onWork?.(rows.length, work);
	}
	switch (asking.kind) {
		case 'action':
			return (
				<Review
					{...common}
					{...asking}
					onConfirm={rows => {
						onAgreed?.();
						run(asking.action, rows);
					}}
				/>
			);
		case 'sweep':
			return (
				<Review
					{...common}
					isSweep
					action="destroy"
					rows={asking.rows}
					shown={asking.shown}
					note={`${HOLD_MS / 1000} s to press u, then all are destroyed, and looked for until they are gone.`}
					onConfirm={(rows, isReplacing) => {
						const ids = rows.map(({instance: {id}}) => id);
						held?.hold(timers, ids, () => run('destroy', rows, isReplacing));
						say({text: sweepText(rows.length), isError: false});
					}}
				/>
			);
		case 'label':
			return <LabelPrompt {...common} row={asking.row} />;
		case 'lease':
			return <LeasePrompt {...common} row={asking.row} />;
		case 'extend':
			return <ChangeLease {...common} row={asking.row} change={extended} />;
		case 'keep':
			return <ChangeLease {...common} row={asking.row} change={keptOrNot} />;
		case 'bid':
			return <BidPrompt {...common} row={asking.row} />;
		case 'forward':
		case 'transfer':
		case 'sshName':
			return <ConnectAsking {...common} kind={asking.kind} row={asking.row} />;
	}
}

function sweepText(count: number): string {
	return `Destroying ${count} in ${HOLD_MS / 1000} s. u takes it back.`;
}

type PromptProps = Pick<Props, 'size' | 'say' | 'onClose'> & {readonly row: FleetRow};

function LabelPrompt({row: {instance}, size, say, onClose}: PromptProps) {
	const send = useChange(say);
	return (
		<Prompt
			title={`Label of ${nameOf(instance)}`}
			name="label"
			initial={labelOf(instance)}
			lines={['A name of your own for it. An empty one takes the label away.']}
			size={size}
			refuse={text =>
				relabelled(instance.label, text) === undefined
					? 'Beside the lease that its label keeps, that is too long.'
					: undefined
			}
			onSend={text =>
				void send(`${instance.id} is labelled "${printable(text)}".`, async ({instances}) => {
					// Its lease may be another by now.
					const {label} = (await instances.show(instance.id)) ?? instance;
					const whole = relabelled(label, text);
					if (whole === undefined) throw new Error('beside its lease that is too long');
					await instances.label(instance.id, whole);
				})
			}
			onClose={onClose}
		/>
	);
}

function BidPrompt({row: {instance}, size, say, onClose}: PromptProps) {
	const send = useChange(say);
	return (
		<Prompt
			title={`Bid for ${nameOf(instance)}`}
			name="$/h"
			initial={String(instance.dph_base ?? '')}
			lines={[
				'Dollars an hour for its GPUs, from now on. The disk is charged beside it.',
				'A lower bid may lose the GPUs to others; then it waits until its bid wins again.',
			]}
			size={size}
			refuse={text => {
				const bid = Number(text);
				const fits = text.trim() !== '' && bid >= LEAST_BID && bid <= MOST_BID;
				return fits
					? undefined
					: `A bid is a number from ${LEAST_BID} to ${MOST_BID} dollars an hour.`;
			}}
			onSend={text =>
				void send(`${instance.id}: $${Number(text)}/h is bid.`, async ({instances}) =>
					instances.changeBid(instance.id, Number(text)),
				)
			}
			onClose={onClose}
		/>
	);
}

/** Sends a change, and says what came of it. */
function useChange(say: Props['say']) {
	const {client, fleet} = useServices();
	return async (
		done: string,
		change: (connected: Awaited<ReturnType<typeof client>>) => Promise<void>,
	): Promise<void> => {
		try {
			await change(await client());
			say({text: done, isError: false});
			await fleet.refresh().catch(() => undefined);
		} catch (error) {
			say({text: describeFailure(error), isError: true});
			await fleet.refresh().catch(() => undefined);
		}
	};
}

/** Of a lost answer it is not said that nothing was changed: the list shows what is so. */
function describeFailure(error: unknown): string {
	return endingAfter(error).kind === 'unknown'
		? `Whether that was changed is not known: ${whyOf(error)} The list shows what is so.`
		: `Nothing was changed: ${reasonOf(error)}`;
}

/** Dollars an hour: what can be bid for an instance. The service holds bids to the same limits. */
const LEAST_BID = 0.001;
const MOST_BID = 128;
