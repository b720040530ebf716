import {Notice} from '../../components/notice.tsx';
import {pricePerHour, gpusOf} from '../../../renter/format.ts';
import {KeyScope} from '../../key-scope.tsx';
import type {ScreenProps} from '../place.ts';
import {readingBindings, sendingBindings} from './bindings.ts';
import type {Phase} from './rent-state.ts';
import type {Renting} from './renting.ts';

type Props = Pick<ScreenProps, 'size'> & {readonly renting: Renting};

/** While price and template are read, before anything is asked. */
export function ReadingPart({renting: {rent}, size}: Props) {
	const lines = [
		'Price, template, SSH keys and credit are read as they are at this moment.',
		'Nothing was sent.',
	];
	return (
		<KeyScope
			isModal
			title="Reading"
			bindings={readingBindings}
			target={{leave: () => rent.phase.set({kind: 'form'})}}
		>
			<Notice title="Reading the price now" lines={lines} width={size.columns} height={size.rows} />
		</KeyScope>
	);
}

type Sending = Extract<Phase, {readonly kind: 'sending'}>;

/** While the answer is awaited, or the instance is looked for. */
export function SendingPart({renting, sending, size}: Props & {readonly sending: Sending}) {
	const {offer} = sending.reviewed.priced;
	const cost = pricePerHour(sending.reviewed.preview.cost.allIn);
	const room = {width: size.columns, height: size.rows};
	const notice = sending.isInDoubt ? (
		<Notice
			title={`We do not know if ${offer.id} was rented.`}
			lines={[
				'The answer was lost. Do not retry yet.',
				'Comparing the list of instances with the one before, and looking for our mark',
				'on them: half a minute at most. It may be charged.',
			]}
			{...room}
		/>
	) : (
		<Notice
			title={`Renting ${offer.id}, ${gpusOf(offer)}, at ${cost}`}
			lines={['It was sent once, and is not sent again. Waiting for the answer.']}
			{...room}
		/>
	);
	// Who was warned leaves with the keys of everywhere.
	if (sending.isWarned) return notice;
	return (
		<KeyScope
			title="Sending"
			bindings={sendingBindings}
			target={{leave: () => warn(renting, sending)}}
		>
			{notice}
		</KeyScope>
	);
}

function warn({rent, say}: Renting, sending: Sending): void {
	rent.phase.set({...sending, isWarned: true});
	say({
		text: 'It was sent: leaving takes nothing back. Press it again to leave; it is looked for at the next start.',
		isError: true,
	});
}
