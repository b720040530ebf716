import {useEffect, useMemo} from 'react';
import {changedFields} from '../../ui/form-state.ts';
import {Notice} from '../../ui/notice.tsx';
import {useStore} from '../../ui/painted.tsx';
import {KeyScope} from '../../ui/key-scope.tsx';
import {holdingAt, type ScreenProps} from '../../services/router.ts';
import {useServices} from '../../services/services.tsx';
import {openingBindings, readingBindings, sendingBindings} from './bindings.ts';
import {rentSpec} from './rent-form.ts';
import {FormPart} from './form-part.tsx';
import {openRent, type RentDestination} from './opening.ts';
import {OutcomePart} from './outcome-part.tsx';
import {beginningAt, openingAt, type Rent, type RentPhase, type Renting} from './rent-state.ts';
import {ReviewPart} from './review-part.tsx';
import {readAll} from './reviewing.ts';
import {pricePerHour, formatGpus} from '../../../renter/text/format.ts';

type Props = ScreenProps & {readonly destination: RentDestination};

export function RentScreen(props: Props) {
	const {stackEntry, size} = props;
	const opening = openingAt(stackEntry);
	const state = useStore(opening);
	const begin = useBeginning(props);
	useEffect(() => {
		if (beginningAt(stackEntry).get()) return;
		beginningAt(stackEntry).set(true);
		begin();
	}, [stackEntry, begin]);
	const room = {width: size.columns, height: size.rows};
	switch (state.kind) {
		case 'asking':
			return <Notice title="Opening the rent form" {...room} />;
		case 'failed':
			return (
				<KeyScope title="Rent" bindings={openingBindings} target={{again: begin}}>
					<Notice title={state.title} lines={state.lines} {...room} />
				</KeyScope>
			);
		case 'open':
			return <OpenRent {...props} rent={state.rent} />;
	}
}

/** Opens the form, and reads the facts for its checks. */
function useBeginning({stackEntry, router, destination, say}: Props): () => void {
	const services = useServices();
	async function begin(): Promise<void> {
		const opening = openingAt(stackEntry);
		opening.set({kind: 'asking'});
		const opened = await openRent({services, destination, stack: router.stack.get()});
		opening.set(opened.opening);
		if (opened.note !== undefined) say({text: opened.note, isError: true});
		if (opened.opening.kind !== 'open') return;
		await readAll({rent: opened.opening.rent, services, say, router, stackEntry});
	}
	return () => void begin();
}

function OpenRent({stackEntry, router, size, say, rent}: Props & {readonly rent: Rent}) {
	const services = useServices();
	const renting = useMemo<Renting>(
		() => ({rent, services, say, router, stackEntry}),
		[rent, services, say, router, stackEntry],
	);
	const phase = useStore(rent.phase);
	useEffect(() => {
		holdingAt(stackEntry).lost = () => lostWith(rent);
	}, [stackEntry, rent]);
	const createdId = phase.kind === 'created' ? phase.id : undefined;
	useEffect(() => {
		if (createdId !== undefined) router.replace({name: 'instance', id: createdId});
	}, [createdId, router]);
	switch (phase.kind) {
		case 'form':
			return <FormPart renting={renting} size={size} say={say} />;
		case 'reading':
			return <ReadingPart renting={renting} size={size} />;
		case 'review':
			return <ReviewPart renting={renting} reviewed={phase.reviewed} size={size} say={say} />;
		case 'sending':
			return <SendingPart renting={renting} sending={phase} size={size} />;
		case 'gone':
		case 'refused':
		case 'unknown':
			return <OutcomePart key={phase.kind} renting={renting} outcome={phase} size={size} />;
		case 'created':
			return null;
	}
}

/** Draft or rental that is lost when the program ends now. */
function lostWith({form, facts, phase}: Rent): string | undefined {
	const {id} = facts.get().offer;
	const {kind} = phase.get();
	if (kind === 'sending') return `renting ${id} was sent, and is not answered yet`;
	if (kind === 'created') return undefined;
	const changed = changedFields(rentSpec(form.get().values), form.get());
	return changed.length === 0 ? undefined : `the rent form of ${id} has changes`;
}

type ReadingPartProps = Pick<ScreenProps, 'size'> & {readonly renting: Renting};

/** While price and template are read, before anything is asked. */
function ReadingPart({renting: {rent}, size}: ReadingPartProps) {
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

type Sending = Extract<RentPhase, {readonly kind: 'sending'}>;

/** While the answer is awaited, or the instance is searched for. */
function SendingPart({renting, sending, size}: ReadingPartProps & {readonly sending: Sending}) {
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
			title={`Renting ${offer.id}, ${formatGpus(offer)}, at ${cost}`}
			lines={['It was sent once, and is not sent again. Waiting for the answer.']}
			{...room}
		/>
	);
	// After the warning, the global keys leave.
	if (sending.isWarned) return notice;
	return (
		<KeyScope
			title="Sending"
			bindings={sendingBindings}
			target={{
				leave() {
					renting.rent.phase.set({...sending, isWarned: true});
					renting.say({
						text: 'It was sent: leaving takes nothing back. Press it again to leave; it is looked for at the next start.',
						isError: true,
					});
				},
			}}
		>
			{notice}
		</KeyScope>
	);
}
