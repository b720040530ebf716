import {useEffect, useMemo} from 'react';
import {changedFields} from '../../components/form-state.ts';
import {Notice} from '../../components/notice.tsx';
import {useStore} from '../../components/use-store.ts';
import {KeyScope} from '../../key-scope.tsx';
import {holdingAt} from '../../router.ts';
import {useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {openingBindings} from './bindings.ts';
import {rentSpec} from './fields.ts';
import {FormPart} from './form-part.tsx';
import {openRent, type RentDestination} from './opening.ts';
import {OutcomePart} from './outcome-part.tsx';
import {beginningAt, openingAt, type Rent} from './rent-state.ts';
import {ReviewPart} from './review-part.tsx';
import {readAll} from './reviewing.ts';
import type {Renting} from './renting.ts';
import {ReadingPart, SendingPart} from './wait-part.tsx';

type Props = ScreenProps & {readonly destination: RentDestination};

/** Rents an offer: form, review, and what became of it. */
export function RentScreen(props: Props) {
	const {place, size} = props;
	const opening = openingAt(place);
	const state = useStore(opening);
	const begin = useBeginning(props);
	useEffect(() => {
		if (beginningAt(place).get()) return;
		beginningAt(place).set(true);
		begin();
	}, [place, begin]);
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

/** Opens the form, and reads around it what the checks need. */
function useBeginning({place, router, destination, say}: Props): () => void {
	const services = useServices();
	async function begin(): Promise<void> {
		const opening = openingAt(place);
		opening.set({kind: 'asking'});
		const opened = await openRent({services, destination, stack: router.stack.get()});
		opening.set(opened.opening);
		if (opened.note !== undefined) say({text: opened.note, isError: true});
		if (opened.opening.kind !== 'open') return;
		await readAll({rent: opened.opening.rent, services, say, router, place});
	}
	return () => void begin();
}

function OpenRent({place, router, size, say, rent}: Props & {readonly rent: Rent}) {
	const services = useServices();
	const renting = useMemo<Renting>(
		() => ({rent, services, say, router, place}),
		[rent, services, say, router, place],
	);
	const phase = useStore(rent.phase);
	useEffect(() => {
		holdingAt(place).lost = () => lostWith(rent);
	}, [place, rent]);
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
