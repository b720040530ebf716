import {expect, test} from 'vitest';
import {countryOf} from '../../../source/contract/grammar/filter-match.ts';
import {readVersion} from '../../../source/contract/grammar/filter.ts';
import {gpus} from '../../../source/market/seed/gpus.ts';
import {makeOffers} from '../../helpers/market/made-offers.ts';
import type {NewOffer} from '../../../source/market/database/schema.ts';

const EPOCH = 1_795_000_000;
const DAY = 86_400;

const made = makeOffers({seed: 1, count: 2000, epoch: EPOCH});

function share(isMeant: (offer: NewOffer) => boolean): number {
	return made.filter(isMeant).length / made.length;
}

test('the same seed makes the same offers, and another makes others', () => {
	expect(makeOffers({seed: 1, count: 2000, epoch: EPOCH})).toEqual(made);
	expect(makeOffers({seed: 2, count: 2000, epoch: EPOCH})).not.toEqual(made);
	expect(makeOffers({seed: 1, count: 10, epoch: EPOCH})).toEqual(made.slice(0, 10));
	expect(makeOffers({seed: 1, count: 0, epoch: EPOCH})).toEqual([]);
});

test('offers are numbered apart, and shares of a machine say so', () => {
	expect(new Set(made.map(({id}) => id)).size).toBe(2000);
	expect(new Set(made.map(({bundle_id: bundle}) => bundle)).size).toBe(2000);
	const machines = Map.groupBy(made, offer => offer.machine_id);
	expect(machines.size).toBeGreaterThan(500);
	for (const shares of machines.values()) {
		const same = shares.map(offer => [
			offer.host_id,
			offer.gpu_name,
			offer.cpu_name,
			offer.end_date,
		]);
		expect(new Set(same.map(String)).size).toBe(1);
		const sizes = shares.map(({num_gpus: size}) => size);
		expect(sizes).toEqual([...new Set(sizes)].toSorted((a, b) => a - b));
	}
});

test('moving the epoch moves the dates and nothing else', () => {
	const later = makeOffers({seed: 1, count: 50, epoch: EPOCH + 1000});
	const back = later.map(({start_date: start, end_date: end, ...rest}) => ({
		...rest,
		start_date: Number(start) - 1000,
		end_date: Number(end) - 1000,
	}));
	expect(back).toEqual(made.slice(0, 50));
});

test('a share has its part of the machine', () => {
	for (const offer of made) {
		const {num_gpus: size, gpu_frac: fraction, gpu_ram: vram, gpu_total_ram: total} = offer;
		expect(total).toBe(size * Number(vram));
		const whole = size / Number(fraction);
		expect(whole).toBeCloseTo(Math.round(whole), 9);
		expect(JSON.parse(String(offer.gpu_ids))).toHaveLength(size);
		expect(offer.cpu_cores_effective).toBeCloseTo(Number(offer.cpu_cores) * Number(fraction), 2);
	}
});

test('prices lie in the band of their GPU, and bids below them', () => {
	const bands = new Map(gpus.map(({name, prices}) => [name, prices]));
	for (const {gpu_name: name, num_gpus: size, dph_base_micros: base, min_bid_micros: bid} of made) {
		const [low = Number.NaN, high = Number.NaN] = bands.get(name) ?? [];
		expect(base / size / 1e6).toBeGreaterThanOrEqual(low - 1e-9);
		expect(base / size / 1e6).toBeLessThanOrEqual(high + 1e-9);
		expect(Number.isInteger(base)).toBe(true);
		if (bid === null) continue;
		expect(bid / base).toBeGreaterThan(0.39);
		expect(bid / base).toBeLessThan(0.71);
	}
});

test('GPUs are the ones that exist, with what they report', () => {
	const byName = new Map(made.map(offer => [offer.gpu_name, offer]));
	expect(byName.get('RTX 4090')).toMatchObject({gpu_ram: 24_564, compute_cap: 890});
	expect(byName.get('RTX 3090')).toMatchObject({gpu_ram: 24_576, compute_cap: 860});
	expect(byName.get('H100 SXM')).toMatchObject({gpu_ram: 81_559, compute_cap: 900});
	expect(byName.size).toBeGreaterThan(50);
	const amd = made.filter(({gpu_arch: arch}) => arch === 'amd');
	expect(amd.length).toBeGreaterThan(0);
	for (const {compute_cap: cap, cuda_max_good: cuda} of amd)
		expect([cap, cuda]).toEqual([null, null]);
	const newest = made.filter(({compute_cap: cap}) => Number(cap) >= 1000);
	for (const {cuda_max_good: cuda} of newest) expect(Number(cuda)).toBeGreaterThanOrEqual(12.8);
});

test('everything that can be read is readable', () => {
	for (const offer of made) {
		expect(readVersion(offer.driver_version)).toBeGreaterThan(5_000_000);
		expect(countryOf(String(offer.geolocation))).toMatch(/^[a-z]{2}$/);
		expect(offer.public_ipaddr).toMatch(/^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}$/);
		expect(offer.start_date).toBeLessThan(EPOCH);
		expect(offer.end_date).toBeGreaterThan(EPOCH + DAY);
		expect(offer.reliability).toBeGreaterThan(0.8);
		expect(offer.reliability).toBeLessThanOrEqual(1);
		expect(Object.values(offer).some(Number.isNaN)).toBe(false);
	}
});

test.each<
	readonly [name: string, isMeant: (offer: NewOffer) => boolean, low: number, high: number]
>([
	['verified', ({verification}) => verification === 'verified', 0.6, 0.85],
	['deverified', ({verification}) => verification === 'deverified', 0.01, 0.08],
	['free', ({rentable}) => rentable === 1, 0.6, 0.85],
	['in a datacenter', ({hosting_type: hosting}) => hosting === 1, 0.25, 0.6],
	['with one GPU', ({num_gpus: size}) => size === 1, 0.25, 0.5],
	['with eight GPUs', ({num_gpus: size}) => size === 8, 0.05, 0.25],
	['an RTX 4090', ({gpu_name: name}) => name === 'RTX 4090', 0.05, 0.15],
	['an H100 or H200', ({gpu_name: name}) => /^H[12]00/.test(name), 0.05, 0.25],
	['in the United States', offer => String(offer.geolocation).endsWith(', US'), 0.2, 0.4],
	['without bids', ({min_bid_micros: bid}) => bid === null, 0.03, 0.15],
	['ending within ten days', offer => Number(offer.end_date) < EPOCH + 10 * DAY, 0.08, 0.3],
	['on ARM', ({cpu_arch: arch}) => arch === 'arm64', 0.0005, 0.02],
])('a plausible part is %s', (_, isMeant, low, high) => {
	expect(share(isMeant)).toBeGreaterThan(low);
	expect(share(isMeant)).toBeLessThan(high);
});
