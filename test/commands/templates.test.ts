import {expect, test} from 'vitest';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {openBrokenLists, withoutHash} from '../helpers/services/broken-lists.ts';
import {commandsOf} from '../helpers/commands/commands.ts';
import {openTestMarket} from '../helpers/market/market.ts';
import {writesOf} from '../helpers/services/lying-services.ts';

test('templates without a hash are listed, and nothing is rented with them', async () => {
	await using market = await openTestMarket({offers: 1});
	await using service = await openBrokenLists(
		market,
		[['/api/v0/template/', 'templates']],
		withoutHash,
	);
	const run = commandsOf({...market, url: service.url});
	const listed = await run('templates');
	expect(listed).toMatchObject({code: 0, err: ''});
	expect(listed.out).toContain('PyTorch');
	const json = (await run('templates', '--json')).out.split('\n').filter(line => line !== '');
	const hashes = json
		.map((line): unknown => JSON.parse(line))
		.map(one => isRecord(one) && one['hash']);
	expect(new Set(hashes)).toEqual(new Set([null]));
	const rented = await run('rent', 'any', '--template', 'PyTorch', '--yes');
	expect(rented).toMatchObject({code: 1, out: ''});
	expect(rented.err).toContain('The service names no hash of the template PyTorch');
	expect((await run('rent', 'any', '--template', '', '--yes')).code).not.toBe(0);
	expect(writesOf(service.proxy.requests)).toEqual([]);
});
