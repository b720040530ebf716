/** Search columns of an offer, computed from what its host publishes. */
import {countryOf, normal} from '../../contract/grammar/filter-match.ts';
import {readVersion} from '../../contract/grammar/filter.ts';
import {maskOf} from '../base/gpu-mask.ts';
import type {NewOffer, OfferKeys} from '../database/schema.ts';

export function keysOf(offer: NewOffer): OfferKeys {
	const {gpu_name, geolocation, driver_version, verification, gpu_ids, min_bid_micros} = offer;
	return {
		gpu_key: String(normal('name', gpu_name)),
		country: geolocation === null ? null : countryOf(geolocation),
		driver_vers: readVersion(driver_version) ?? null,
		verified: verification === null ? null : verification === 'verified' ? 1 : 0,
		gpu_mask: maskOf(readIds(gpu_ids)),
		floor_bid_micros: min_bid_micros,
	};
}

function readIds(text: string | null): readonly number[] {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by this program
	return text === null ? [] : (JSON.parse(text) as readonly number[]);
}
