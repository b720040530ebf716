import {expect, test} from 'vitest';
import {calmRates, readRates, usualRates} from '../../../source/host/simulated/rates.ts';

test('rates are read as people write them, and those left out are none', () => {
	expect(readRates('stuck=0.2, crash = 1')).toEqual({...calmRates, stuck: 0.2, crash: 1});
	expect(readRates('usual')).toEqual(usualRates);
	expect(readRates(' none ')).toEqual(calmRates);
});

test.each([
	[
		'fire=1',
		'"fire" is nothing that can go wrong: there are slow, stuck, crash, silence, disconnect',
	],
	['toString=1', '"toString" is nothing that can go wrong'],
	['stuck=1.5', 'stuck must be a number from 0 to 1'],
	['stuck=0.1.2', 'stuck must be a number from 0 to 1'],
	['stuck=-1', '"stuck=-1" does not say what goes wrong and how often'],
	['stuck', '"stuck" does not say what goes wrong and how often: write stuck=0.2,crash=0.1'],
	['', '"" does not say what goes wrong and how often'],
])('%j is refused with a sentence that says why', (text, sentence) => {
	expect(() => readRates(text)).toThrow(sentence);
});
