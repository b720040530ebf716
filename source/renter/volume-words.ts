/** Words for a new volume: its size in GB, and a country. */
import type {VolumeSearch} from '../contract/volume-search.ts';

export type Wanted = {
	readonly sizeGb: number;
	/** Two letters; undefined for anywhere. */
	readonly country: string | undefined;
};

/** Reads "50" and "50 SE"; a sentence without its full stop where it says neither. */
export function readWanted(text: string): Wanted | string {
	const [size = '', country, ...rest] = text.trim().split(/\s+/);
	const sizeGb = Number(size);
	if (!Number.isSafeInteger(sizeGb) || sizeGb < 1) return 'expected a size in whole GB, at least 1';
	if (rest.length > 0) return 'expected a size and a country, like 50 SE';
	if (country !== undefined && !/^[A-Za-z]{2}$/.test(country)) {
		return 'expected a country as two letters, like SE';
	}
	return {sizeGb, country: country?.toUpperCase()};
}

/** The cheapest room first: of volumes the price is what differs most. */
export function searchFor({sizeGb, country}: Wanted): Partial<VolumeSearch> {
	const place =
		country === undefined
			? []
			: ([{field: 'geolocation', operator: 'eq', value: country}] as const);
	return {
		filter: [{field: 'disk_space', operator: 'gte', value: sizeGb}, ...place],
		order: [['storage_cost', 'asc']],
		limit: 64,
		sizeGb,
	};
}
