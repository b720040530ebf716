import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {completeLine} from '../../../../source/renter/words/complete.ts';
import {lexicon} from '../../../../source/renter/offers/words/fields.ts';
import {parseLine} from '../../../../source/renter/offers/words/parse.ts';

const seen = {
	gpus: ['RTX 4090', 'H100 SXM', 'RTX PRO 6000 WS'],
	valuesOf: ({name}: {readonly name: string}) => (name === 'loc' ? ['US', 'SE'] : []),
};

function offered(line: string): readonly string[] {
	return completeLine(line, line.length, seen, lexicon).candidates.map(({text}) => text);
}

test.each<readonly [line: string, first: readonly string[]]>([
	['vr', ['vram']],
	['4090 rel', ['rel>=', 'rel<']],
	['num_g', ['qty']],
	['vram', ['vram>=', 'vram<', 'vram=']],
	['dc', ['dc=', 'dc!=']],
	['40', ['RTX_4000Ada', 'RTX_4060', 'RTX_4060_Ti']],
	['gpu=h100', ['H100_NVL', 'H100_PCIE', 'H100_SXM']],
	['gpu=RTX_4090,pro', ['RTX_PRO_6000_S', 'RTX_PRO_6000_WS']],
	['loc=', ['US', 'SE', 'eu', 'europe', 'asia']],
	['loc=us,s', ['SE']],
	['verified=', ['yes', 'no', 'any']],
	['!unv', ['unverified']],
	['zzz', []],
])('Tab behind %s offers %s', (line, first) => {
	expect(offered(line).slice(0, first.length)).toEqual(first);
	if (first.length === 0) expect(offered(line)).toEqual([]);
});

test('what is offered replaces a piece of the line that ends at the cursor', () => {
	const {start, end} = completeLine('4090 loc=us,s x4', 13, seen, lexicon);
	expect([start, end]).toEqual([12, 13]);
});

test('every value that is offered can be read', () => {
	const field = fc.constantFrom('gpu', 'loc', 'verified', 'gpu_name', 'dc');
	fc.assert(
		fc.property(field, fc.stringMatching(/^[a-z0-9]{0,2}$/), (name, start) => {
			const line = `${name}=${start}`;
			const completion = completeLine(line, line.length, seen, lexicon);
			for (const {text} of completion.candidates) {
				expect(parseLine(line.slice(0, completion.start) + text, seen.gpus).problems).toEqual([]);
			}
		}),
	);
});
