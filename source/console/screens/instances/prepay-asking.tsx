import {useState} from 'react';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {paidText, payAhead, prepayFacts, refuseSum} from '../../../renter/nouns/prepaying.ts';
import {useServices, useTime} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {ConfirmDialog, Prompt} from '../dialogs.tsx';
import {targetOf} from './actions.ts';
import {reasonOf, whyOf} from '../../../renter/actions/instance-actions.ts';
import {instanceNameOf} from './words.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly row: FleetRow;
	readonly onClose: () => void;
};

/** Asks for a sum to pay ahead, then whether to pay it: the sum is typed once more. */
export function PrepayAsking({row, size, say, onClose}: Props) {
	const [asked, setAsked] = useState<string>();
	const pay = usePaying(say);
	const {instance} = row;
	const now = row.now / 1000;
	const factsOf = (text: string) =>
		refuseSum(instance, sumOf(text), now) === undefined
			? prepayFacts(instance, sumOf(text), now)
			: [];
	if (asked === undefined) {
		return (
			<Prompt
				title={`Pay ahead for ${instanceNameOf(instance)}`}
				name="dollars"
				initial=""
				lines={['From the credit; the longer it lasts, the higher the discount.']}
				size={size}
				refuse={text => refuseSum(instance, sumOf(text), now)}
				preview={text => factsOf(text).map(([title, fact]) => `${title}: ${fact}`)}
				onSend={setAsked}
				onClose={() => undefined}
				onLeave={onClose}
			/>
		);
	}
	const sum = sumOf(asked);
	return (
		<ConfirmDialog
			question={{
				verb: 'pay ahead for',
				noun: 'instance',
				targets: [{...targetOf('start', row), level: 3}],
				sentence: `pay ${asked.trim()}`,
			}}
			facts={factsOf(asked)}
			size={size}
			say={say}
			onConfirm={() => {
				onClose();
				void pay(row, sum);
			}}
			onCancel={onClose}
		/>
	);
}

/** Dollars; NaN for a text that is no sum. */
function sumOf(text: string): number {
	return /^\s*\d{1,7}(\.\d{1,2})?\s*$/.test(text) ? Number(text) : Number.NaN;
}

/** Pays once, and shows the outcome. */
function usePaying(say: Props['say']) {
	const {client, fleet} = useServices();
	const {timers} = useTime();
	const pause = async (ms: number) =>
		new Promise<void>(resolve => {
			timers.after(ms, resolve);
		});
	return async ({instance}: FleetRow, sum: number): Promise<void> => {
		say({text: `${instance.id}: paying ahead.`, isError: false});
		try {
			const paid = await payAhead(await client(), {instance, sum, pause});
			const words = paidText(instance, sum, paid);
			if (paid.kind === 'paid') say({text: words, isError: false});
			else {
				const why = paid.kind === 'unknown' ? whyOf(paid.error) : reasonOf(paid.error);
				say({text: `${words}: ${why}`, isError: true});
			}
		} catch (error) {
			say({text: `Nothing was paid: ${reasonOf(error)}`, isError: true});
		}
		await fleet.refresh().catch(() => undefined);
	};
}
