import {useMemo} from 'react';
import {costOf, type Job} from '../../../../contract/offer-cost.ts';
import type {Offer} from '../../../../contract/offers.ts';
import {useSettings} from '../../../services.tsx';
import type {ScreenProps} from '../../place.ts';
import {askedAt} from '../asked.ts';
import {jobOf} from '../../../../renter/offers/job.ts';
import {tableAt} from '../list.ts';
import {SavedView} from './saved-view.tsx';
import {useStore} from '../../../components/use-store.ts';

type Props = Pick<ScreenProps, 'place' | 'say'> & {
	readonly width: number;
	readonly height: number;
};

/** The list of what is saved, in place of the offers. */
export function SavedOverOffers(props: Props) {
	const {asked, ask} = askedAt(props.place);
	const {words} = useStore(asked);
	const settings = useSettings();
	const table = tableAt(props.place);
	const cheapest = useMemo(
		() => cheapestOf(table.state.get().rows, jobOf(settings)),
		[table, settings],
	);
	return <SavedView {...props} {...{words, ask, cheapest}} />;
}

/** The price below which one offer is watched, in place of what is known of it. */
export function SavedOverOffer(
	props: Props & {readonly offer: Offer | undefined; readonly id: number},
) {
	const {offer, id} = props;
	const job = jobOf(useSettings());
	const cheapest = offer === undefined ? undefined : costOf(offer, job).allIn;
	return <SavedView {...props} {...{words: `id=${id}`, ask: () => false, cheapest}} />;
}

function cheapestOf(offers: readonly Offer[], job: Job): number | undefined {
	return offers.reduce<number | undefined>((least, offer) => {
		const {allIn} = costOf(offer, job);
		return allIn === undefined || (least !== undefined && least <= allIn) ? least : allIn;
	}, undefined);
}
