import {expect, test} from 'vitest';
import type {Offer} from '../../../../source/contract/nouns/offers.ts';
import {compareRows} from '../../../../source/console/screens/offers/compare.ts';
import {comparedOffer} from '../../../../source/console/screens/offers/compared.ts';
import {factsOf} from '../../../../source/console/screens/offers/facts.ts';
import {costOf} from '../../../../source/contract/nouns/offer-cost.ts';

const job = {diskGb: 40, hours: 24, inGbPerHour: 0, outGbPerHour: 0};
const now = new Date('2026-11-21T12:00:00Z');

/** A fact of the detail of an offer by its name. */
function factOf(offer: Offer, wanted: string): string | undefined {
	const context = {job, cost: costOf(offer, job), host: undefined, now};
	const facts = factsOf(offer, context).flatMap(section => section.facts);
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
