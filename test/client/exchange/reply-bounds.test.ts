import {Readable} from 'node:stream';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {openReplyBounds} from '../../../source/client/exchange/reading.ts';
import {runs} from '../../helpers/property.ts';
import {openTestClient, openToldService} from '../../helpers/services/told-service.ts';

const refused: ReadonlyArray<readonly [what: string, piece: string, times: number, why: string]> = [
	['lists within lists', '[', 30_000_000, 'lists within lists'],
	['records within records', '{"a":', 6_000_000, 'lists within lists'],
	['lists and records in turn', '[{"a":', 6_000_000, 'lists within lists'],
	['empty records', '{},', 20_000_000, 'too many records'],
	['empty lists', '[],', 20_000_000, 'too many records'],
	['names of one record', '"a":0,', 10_000_000, 'a record with too many names'],
];

test.each(refused)(
	'a reply of %s is refused at once: it is never parsed',
	async (_what, piece, times, why) => {
		const block = Buffer.from(piece.repeat(10_000));
		await using service = await openToldService((_, response) => {
			response.writeHead(200, {'content-type': 'application/json'});
			const blocks = Array.from({length: times / 10_000}, () => block);
			Readable.from([Buffer.from('{"instances":['), ...blocks])
				.on('error', () => undefined)
				.pipe(response);
		});
		await using client = openTestClient({url: service.url, key: 'k', repeats: 0, paceScale: 0});
		await expect(client.instances.list()).rejects.toThrow(why);
	},
);

test('whatever JSON comes, in whatever parts, its brackets in texts do not count', () => {
	fc.assert(
		fc.property(
			fc.json(),
			fc.nat(7),
			fc.constantFrom('[', '{"', '\\', '"', ':'),
			(json, size, odd) => {
				const bytes = Buffer.from(`{"text":${JSON.stringify(odd.repeat(500))},"value":${json}}`);
				const take = openReplyBounds();
				for (let at = 0; at < bytes.length; at += size + 1) take(bytes.subarray(at, at + size + 1));
			},
		),
		{numRuns: runs(1000)},
	);
});

test('a hundred lists within each other are taken, and one more is not', () => {
	openReplyBounds()(Buffer.from('[]'.repeat(1000) + '['.repeat(100)));
	expect(() => openReplyBounds()(Buffer.from('['.repeat(101)))).toThrow('lists within lists');
});
