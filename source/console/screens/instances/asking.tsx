import {relabelled} from '../../../renter/words/lease.ts';
import {
	bidOverBudget,
	budgetedBid,
	budgetedStarts,
	startsOverBudget,
} from '../../../renter/actions/start-limits.ts';
import {budgetProblem} from '../../../renter/orders/limits-beside.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {useServices, useTime} from '../../services/services.tsx';
import {printable} from '../../../renter/text/text-width.ts';
import type {ScreenProps} from '../../services/router.ts';
import {ConnectAsking} from './connect-asking.tsx';
import type {InstanceDialog, OneAsked} from './instance-actions.ts';
import {
	targetOf,
	factsAbout,
	leftAloneFact,
	leftOutFact,
	askingForSum,
	questionAbout,
	replacingFact,
	sweepQuestion,
} from './actions.ts';
import type {InstanceListState} from './list.tsx';
import {KeepDialog} from './keep-dialog.tsx';
import {LabelsPrompt} from './labels-prompt.tsx';
import {ChangeLease, extended, LeasePrompt} from './lease-prompt.tsx';
import {LeasesPrompt} from './leases-prompt.tsx';
import {
	endingAfter,
	reasonOf,
	whyOf,
	type InstanceAction,
} from '../../../renter/actions/instance-actions.ts';
import {LetIn} from './let-in.tsx';
import {PrepayAsking} from './prepay-asking.tsx';
import {Prompt, ConfirmDialog} from '../dialogs.tsx';
import {useActions, HOLD_MS} from './use-actions.ts';
import {labelOf, instanceNameOf} from './words.ts';
import {useMemo, useState} from 'react';
import type {ActionTarget} from '../../ui/confirmation.ts';
import {useStore} from '../../ui/painted.tsx';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly asking: InstanceDialog;
	/** Holds a sweep for a moment; undefined if there is none. */
	readonly held?: InstanceListState['held'];
	readonly onAgreed?: () => void;
	/** Called with the count of instances worked on, until their outcomes are seen. */
	readonly onWork?: (count: number, work: Promise<void>) => void;
	readonly onClose: () => void;
};

/** The review or the field that is shown instead of the screen until it is answered. */
export function AskingPart({asking, held, size, say, onAgreed, onWork, onClose}: Props) {
	const {timers} = useTime();
	const actions = useActions(say);
	const refusedStart = useBudgets();
	const common = {size, say, onClose};
	function run(action: InstanceAction, rows: readonly FleetRow[], isReplacing = false): void {
		const work = actions.run(action, rows, isReplacing);
		onWork?.(rows.length, work);
	}
	if ('row' in asking) return <OneAskingPart {...common} asking={asking} />;
	switch (asking.kind) {
		case 'action':
			return (
				<Review
					{...common}
					{...asking}
					onConfirm={rows => {
						const why = asking.action === 'start' ? refusedStart(rows) : undefined;
						if (why !== undefined) {
							say({text: `${why} Nothing was started.`, isError: true});
							return;
						}
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
						const text = `Destroying ${rows.length} in ${HOLD_MS / 1000} s. u takes it back.`;
						say({text, isError: false});
					}}
				/>
			);
		case 'leases':
			return <LeasesPrompt {...common} rows={asking.rows} />;
		case 'keep':
			return <KeepDialog {...common} rows={asking.rows} />;
		case 'labels':
			return <LabelsPrompt {...common} rows={asking.rows} />;
	}
}

/** Reason of budgets.json against starts; undefined if there is none. */
function useBudgets() {
	const {fleet, renting} = useServices();
	return (rows: readonly FleetRow[]): string | undefined => {
		const {file, profile} = renting.limits();
		return budgetProblem(file, {profile, ...budgetedStarts(rows, fleet.state.get().rows)});
	};
}

type OneProps = Pick<Props, 'size' | 'say' | 'onClose'> & {readonly asking: OneAsked};

function OneAskingPart({asking, ...common}: OneProps) {
	switch (asking.kind) {
		case 'label':
			return <LabelPrompt {...common} row={asking.row} />;
		case 'lease':
			return <LeasePrompt {...common} row={asking.row} />;
		case 'extend':
			return <ChangeLease {...common} row={asking.row} change={extended} />;
		case 'bid':
			return <BidPrompt {...common} row={asking.row} />;
		case 'prepay':
			return <PrepayAsking {...common} row={asking.row} />;
		case 'letIn':
			return <LetIn {...common} row={asking.row} />;
		case 'forward':
		case 'transfer':
		case 'sshName':
			return <ConnectAsking {...common} kind={asking.kind} row={asking.row} />;
	}
}

type PromptProps = Pick<Props, 'size' | 'say' | 'onClose'> & {readonly row: FleetRow};

function LabelPrompt({row: {instance}, size, say, onClose}: PromptProps) {
	const send = useChange(say);
	return (
		<Prompt
			title={`Label of ${instanceNameOf(instance)}`}
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
					// The lease in the label may have changed meanwhile.
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

function BidPrompt({row, size, say, onClose}: PromptProps) {
	const {instance} = row;
	const {fleet, renting} = useServices();
	const {burn, rows} = useStore(fleet.state);
	const send = useChange(say);
	// Limits are in a file: it is read once, and not for each key.
	const [{spend, file, profile}] = useState(() => renting.limits());
	return (
		<Prompt
			title={`Bid for ${instanceNameOf(instance)}`}
			name="$/h"
			initial={String(instance.dph_base ?? '')}
			lines={[
				'Dollars an hour for its GPUs, from now on. The disk is charged beside it.',
				'A lower bid may lose the GPUs to others; then it waits until its bid wins again.',
			]}
			size={size}
			refuse={text => {
				const {bid, isAgreed} = readBid(text);
				if (bid === undefined) {
					return `A bid is a number from ${LEAST_BID} to ${MOST_BID} dollars an hour.`;
				}
				const beyond = budgetProblem(file, {profile, ...budgetedBid(row, bid, rows)});
				const over = spend && !isAgreed ? bidOverBudget(spend, {row, bid}, burn) : undefined;
				return beyond ?? (over && `${over.why} "spend ${bid}" bids it all the same.`);
			}}
			onSend={text => {
				const {bid = Number.NaN} = readBid(text);
				void send(`${instance.id}: $${bid}/h is bid.`, async ({instances}) =>
					instances.changeBid(instance.id, bid),
				);
			}}
			onClose={onClose}
		/>
	);
}

/** A bid, and whether its renter has agreed to a sum over the budget: "spend 2.50". */
function readBid(text: string) {
	const sum = /^\s*(?<agreed>spend\s)?\s*(?<sum>\d+(?:\.\d+)?|\.\d+)\s*$/.exec(text)?.groups;
	const bid = Number(sum?.['sum'] ?? Number.NaN);
	const fits = bid >= LEAST_BID && bid <= MOST_BID;
	return {bid: fits ? bid : undefined, isAgreed: sum?.['agreed'] !== undefined};
}

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

/** A lost answer does not mean that nothing was changed: the list will show. */
function describeFailure(error: unknown): string {
	return endingAfter(error).kind === 'unknown'
		? `Whether that was changed is not known: ${whyOf(error)} The list shows what is so.`
		: `Nothing was changed: ${reasonOf(error)}`;
}

/** Bounds of a bid, in dollars an hour, by the service's own limits. */
const LEAST_BID = 0.001;
const MOST_BID = 128;

type ReviewProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly action: InstanceAction;
	/** The instances acted on: frozen when the review opened. */
	readonly rows: readonly FleetRow[];
	readonly shown: number;
	/** Instances for which the action makes no sense, and which are left alone. */
	readonly leftOut?: readonly FleetRow[];
	/** The review begins with instances in trouble; others can be added or left out. */
	readonly isSweep?: boolean;
	/** A sentence about what follows the answer. */
	readonly note?: string;
	readonly onConfirm: (rows: readonly FleetRow[], isReplacing: boolean) => void;
	readonly onClose: () => void;
};

/** Asks before instances are changed. A change of their state meanwhile is shown, and asks again. */
function Review(props: ReviewProps) {
	const {action, rows, shown, leftOut = [], isSweep = false, note} = props;
	const {size, say, onConfirm, onClose} = props;
	const {fleet, settings} = useServices();
	const state = useStore(fleet.state);
	const present = useMemo(() => state.rows.map(row => targetOf(action, row)), [action, state.rows]);
	const over =
		action === 'start' ? startsOverBudget(settings.get().spend, rows, state.burn) : undefined;
	const question = questionAbout(action, rows, shown);
	const chosen = (targets: readonly ActionTarget[]) => {
		const ids = new Set(targets.map(({id}) => id));
		return rows.filter(({instance: {id}}) => ids.has(id));
	};
	const after = note === undefined ? [] : ([['After that', note]] as const);
	return (
		<ConfirmDialog
			question={isSweep ? sweepQuestion(rows, shown) : askingForSum(question, over)}
			present={present}
			facts={(targets, isReplacing) => [
				...factsAbout(action, chosen(targets)),
				...(over === undefined ? [] : ([['Budget', over.why]] as const)),
				...(isReplacing ? replacingFact(chosen(targets)) : []),
				...leftOutFact(action, leftOut),
				...(isSweep ? leftAloneFact(state.rows) : []),
				...after,
			]}
			size={size}
			say={say}
			onConfirm={(targets, isReplacing) => {
				const byId = new Map(state.rows.map(row => [row.instance.id, row]));
				onClose();
				// The present rows, which the user has agreed to.
				onConfirm(
					chosen(targets).map(row => byId.get(row.instance.id) ?? row),
					isReplacing,
				);
			}}
			onCancel={onClose}
		/>
	);
}
