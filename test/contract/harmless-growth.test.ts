import {expect, test} from 'vitest';
import {openExecutions} from '../helpers/executions.ts';

const units = ['x', '\u0007', 'x\u001B', '\u{E0041}', '\u200D', '👨\u200D', '\uD83D', 'é\r\n'];

test('the work of making text harmless grows as the text does, whatever it is made of', async () => {
	using executions = await openExecutions();
	const {harmlessJson, harmlessLine, harmlessText} =
		await import('../../source/contract/grammar/harmless-text.ts');
	const work = async (text: string) =>
		executions.during('contract/grammar/harmless-text.ts', () => {
			harmlessLine(text);
			harmlessText(text);
			harmlessJson(text);
		});
	await work('\u200D');
	for (const unit of units) {
		const thousand = await work(unit.repeat(1000));
		expect([unit, thousand > 3000]).toEqual([unit, true]);
		expect([unit, (await work(unit.repeat(10_000))) / thousand < 10.1]).toEqual([unit, true]);
		expect([unit, (await work(unit.repeat(100_000))) / thousand < 101]).toEqual([unit, true]);
	}
});
