import {expect, test} from 'vitest';
import {gpuNameWithin, knownGpus} from '../../../source/renter/words/gpu-match.ts';
import {widthOf} from '../../../source/renter/text/text-width.ts';

const widths = [18, 13, 12, 11, 10, 8, 6, 4];

test.each([
	['RTX 4090', '1x RTX 4090|1x RTX 4090|1x RTX 4090|1x RTX 4090|1x 4090|1x 4090|1x4090|4090'],
	[
		'H100 PCIE',
		'1x H100 PCIE|1x H100 PCIE|1x H100 PCIE|1xH100PCIE|1xH100PCIE|1xH100P…|1xH100|H100',
	],
	['H100 SXM', '1x H100 SXM|1x H100 SXM|1x H100 SXM|1x H100 SXM|1xH100SXM|1xH100S…|1xH100|H100'],
	['H200', '1x H200|1x H200|1x H200|1x H200|1x H200|1x H200|1xH200|H200'],
	[
		'RTX 4070S Ti',
		'1x RTX 4070S Ti|1x 4070S Ti|1x 4070S Ti|1x 4070S Ti|1x4070STi|4070STi|4070S…|407…',
	],
	[
		'RTX PRO 6000 WS',
		'1x RTX PRO 6000 WS|1x 6000 WS|1x 6000 WS|1x 6000 WS|1x 6000 WS|1x6000WS|1x6000|6000',
	],
	['Tesla V100', '1x Tesla V100|1x Tesla V100|1x V100|1x V100|1x V100|1x V100|1xV100|V100'],
])('%s in fewer and fewer columns keeps its number', (name, expected) => {
	expect(widths.map(width => gpuNameWithin(name, width, '1x')).join('|')).toBe(expected);
});

test('no GPU that is known loses a digit of its number, or takes more room than there is', () => {
	for (const {name} of knownGpus(['NVIDIA A100-SXM4-80GB', 'GeForce GTX 1660 SUPER'])) {
		const number = /\d+/.exec(name)?.[0] ?? name;
		for (const width of [8, 9, 10, 11, 12, 13, 16, 18]) {
			for (const amount of ['1x', '16x', '']) {
				const text = gpuNameWithin(name, width, amount);
				expect(text).toContain(number);
				expect(widthOf(text)).toBeLessThanOrEqual(width);
			}
		}
	}
});

test('a name that holds no number, or harm, is shown as far as there is room', () => {
	expect(gpuNameWithin('Titan Xp Collector', 11, '2x')).toBe('TitanXpCol…');
	expect(gpuNameWithin('', 8, '2x')).toBe('2x ');
	expect(gpuNameWithin('\u001B[2J4090', 8)).not.toContain('\u001B');
});
