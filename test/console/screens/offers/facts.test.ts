import {expect, test} from 'vitest';
import type {Offer} from '../../../../source/contract/nouns/offers.ts';
import {compareRows, comparedOffer} from '../../../../source/console/screens/offers/compare.ts';
import {
	offerSections,
	equalOffers,
	equalsLine,
} from '../../../../source/console/screens/offers/facts.tsx';
import {widthOf} from '../../../../source/renter/text/text-width.ts';
import {createTheme} from '../../../../source/console/ui/theme.ts';
import {datacenter, newer, plain, swedish} from './some-offers.ts';

const job = {diskGb: 40, hours: 24, inGbPerHour: 0, outGbPerHour: 0};
const now = new Date('2026-11-21T12:00:00Z');

/** A fact of the detail of an offer by its name. */
function factOf(offer: Offer, wanted: string): string | undefined {
	const facts = offerSections(offer, {job, host: undefined, now}).flatMap(section => section.facts);
	return facts.find(([name]) => name === wanted)?.[1];
}

/** The same in a comparison. */
function rowOf(offer: Offer, wanted: string): string | undefined {
	const compared = comparedOffer(offer, {job, pricedGb: 40, host: undefined, isGone: false});
	const rows = compareRows([{...compared, turn: 1}], job);
	return rows.find(({title}) => title === wanted)?.cells[0]?.text;
}

const GB = 1024;

test.each([
	['a whole machine', {gpu_frac: 1}, '16 / 512 GB', '16 / 512'],
	['an eighth of one', {gpu_frac: 0.125}, '16 / 64 of 512 GB', '16 / 64'],
	['a share that is not known', {}, '16 / 512 GB in all', '16 / 512'],
	['a share that cannot be', {gpu_frac: 0}, '16 / 512 GB in all', '16 / 512'],
	['more than all of it', {gpu_frac: 8}, '16 / 512 GB in all', '16 / 512'],
	['memory that is not known', {gpu_frac: 0.5, cpu_ram: null}, '16 / -', '16 / -'],
])('the cores of %s stand beside its memory', (_, more, fact, row) => {
	const offer = {id: 1, cpu_cores_effective: 16, cpu_ram: 512 * GB, ...more};
	expect(factOf(offer, 'vCPU / RAM')).toBe(fact);
	expect(rowOf(offer, 'vCPU / RAM GB')).toBe(row);
});

test('no reliability short of all is shown as all, and no disk as more than there is', () => {
	const offer = {id: 1, reliability: 0.9999, disk_space: 99.9};
	expect(factOf(offer, 'reliability')).toBe('99.9%');
	expect(factOf(offer, 'disk free')).toBe('99 GB');
	expect(rowOf(offer, 'reliability %')).toBe('99.9');
	expect(rowOf(offer, 'disk free GB')).toBe('99');
	expect(factOf({id: 1, reliability: 1}, 'reliability')).toBe('100.0%');
});

test('how a machine keeps instances apart is shown where its service says it', () => {
	expect(factOf({id: 1, isolation: 'sandbox, no limit of disk'}, 'isolation')).toBe(
		'sandbox, no limit of disk',
	);
	expect(factOf({id: 1}, 'isolation')).toBeUndefined();
});

test('what the GPUs of a machine proved is shown with its age, where its service says it', () => {
	const at = now.getTime() / 1000 - 2 * 86_400;
	const measured = {at, memory_gb: 79.2, int8_tops: 310, memory_tbs: 1.9};
	expect(factOf({id: 1, measured}, 'measured')).toBe('2d ago: 79.2 GB, 310 TOPS, 1.9 TB/s');
	expect(factOf({id: 1}, 'measured')).toBeUndefined();
});

const theme = createTheme({LANG: 'C'});
// oxlint-disable-next-line no-control-regex -- the looks are not compared, only what is written
const plainText = (line: string) => line.replaceAll(/\u001B\[[\d;]*m/g, '');

test('equal offers are those of as many of the same GPU, the cheapest first', () => {
	const two = {...plain, id: 5, num_gpus: 2};
	const unpriced = {id: 6, num_gpus: 1, gpu_name: 'RTX 4090'};
	const rows = [unpriced, datacenter, newer, two, plain, swedish];
	expect(equalOffers(swedish, rows, job).map(({id}) => id)).toEqual([plain.id, datacenter.id, 6]);
	expect(equalOffers({id: 1}, [{id: 2}], job)).toEqual([]);
});

test('as many equal offers as fit are on the line', () => {
	const offers = [plain, datacenter, swedish];
	expect(plainText(equalsLine(theme, 80, offers, job)).trimEnd()).toBe(
		'EQUAL OFFERS   7310442 .2930   7310998 .3104   7311203 .3011  (= compares)',
	);
	expect(plainText(equalsLine(theme, 48, offers, job)).trimEnd()).toBe(
		'EQUAL OFFERS   7310442 .2930  (= compares)',
	);
	for (const width of [48, 60, 80, 140]) {
		expect(widthOf(plainText(equalsLine(theme, width, offers, job)))).toBe(width);
	}
	expect(plainText(equalsLine(theme, 48, [], job))).toContain('none in the list');
});
