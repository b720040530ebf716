import {useLayoutEffect, useMemo} from 'react';
import type {Offer} from '../../../contract/offers.ts';
import type {Unreadable} from '../../../contract/unreadable.ts';
import {Bands} from '../../components/painted.tsx';
import type {Column} from '../../list/columns.ts';
import type {List} from '../../list/list.ts';
import {useSeenOffers, useServices, useSettings, useTime} from '../../services.tsx';
import {listBand, ruleBand, type Look} from './bands.ts';

type Props = Omit<Look, 'theme'> & {
	readonly list: List<Offer>;
	/** All columns, those out of view too. */
	readonly all: ReadonlyArray<Column<Offer>>;
	readonly unreadable: Unreadable;
};

/** The rows of the list, the pane beside them, and the rule under both. */
export function OfferRows({list, all, unreadable, columns, width, height, isOld, pane}: Props) {
	const {theme} = useServices();
	const {hosts, priceWatches} = useSeenOffers();
	const {after} = useTime().timers;
	const settings = useSettings();
	useLayoutEffect(() => list.resize(height), [list, height]);
	const band = useMemo(() => {
		const seen = {hosts, watched: priceWatches.states, settings, after};
		return listBand(list, seen, {theme, columns, width, height, isOld, pane});
	}, [list, hosts, priceWatches, settings, after, theme, columns, width, height, isOld, pane]);
	const rule = useMemo(
		() => ruleBand(list, all, {theme, width, unreadable}),
		[list, all, theme, width, unreadable],
	);
	return <Bands bands={[band, rule]} />;
}
