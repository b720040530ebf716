import {expect, test} from 'vitest';
import type {Job} from '../../../../source/contract/nouns/offer-cost.ts';
import {equalOffers, equalsLine} from '../../../../source/console/screens/offers/equal-offers.ts';
import {widthOf} from '../../../../source/renter/text/text-width.ts';
import {createTheme} from '../../../../source/console/ui/theme.ts';
import {datacenter, newer, plain, swedish} from './some-offers.ts';

const job: Job = {diskGb: 40, hours: 24, inGbPerHour: 0, outGbPerHour: 0};
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
