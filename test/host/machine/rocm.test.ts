import {expect, test} from 'vitest';
import {detectAmd, parseCards} from '../../../source/host/machine/rocm.ts';

const printed = JSON.stringify({
	card1: {
		'Max Graphics Package Power (W)': '750.0',
		'GPU use (%)': '94',
		'VRAM Total Memory (B)': '206141652992',
		'VRAM Total Used Memory (B)': '288358400',
		'Card Series': 'AMD Instinct MI300X OAM',
		'Card Model': '0x74a1',
	},
	card0: {
		'Max Graphics Package Power (W)': '750.0',
		'GPU use (%)': '0',
		'VRAM Total Memory (B)': '206141652992',
		'VRAM Total Used Memory (B)': '288358400',
		'Card Series': 'AMD Instinct MI300X OAM',
		'Card Model': '0x74a1',
	},
	system: {'Driver version': '6.8.5'},
});

test('cards are found in their order, with what they have', () => {
	const {gpus, driver} = parseCards(printed);
	expect(driver).toBe('6.8.5');
	expect(gpus).toMatchObject([
		{name: 'MI300X OAM', arch: 'amd', memoryMb: 196_592, maxPower: 750, isBusy: false},
		{isBusy: true},
	]);
});

test('warnings may stand before what the tool says', () => {
	expect(
		parseCards(`WARNING: AMD GPU device(s) is/are in a low-power state.\n\n${printed}`).gpus,
	).toHaveLength(2);
});

test('a card that older tools know by its number alone still has a name', () => {
	expect(parseCards('{"card0": {"Card series": "0x744c"}}').gpus).toMatchObject([
		{name: 'AMD GPU', memoryMb: undefined},
	]);
});

test.each(['', '{', '[]', 'null', '{"card0": 7}', 'ERROR: No AMD GPUs specified'])(
	'what cannot be used does no harm: %j',
	text => {
		expect(parseCards(text).gpus.every(gpu => gpu.memoryMb === undefined)).toBe(true);
	},
);

test('where there is no such tool there are no cards', async () => {
	expect(await detectAmd(async () => undefined)).toEqual({
		gpus: [],
		driver: undefined,
		cuda: undefined,
	});
});
