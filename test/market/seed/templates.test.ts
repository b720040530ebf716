import {expect, test} from 'vitest';
import {envProblem, parseEnv, printEnv} from '../../../source/contract/rules/env.ts';
import {parseFilter} from '../../../source/contract/grammar/filter.ts';
import {searchableOffers} from '../../../source/contract/nouns/offer-search.ts';
import {checkTemplate} from '../../../source/contract/nouns/template-content.ts';
import {makeTemplates} from '../../../source/market/seed/templates.ts';
import {openTestMarket} from '../../helpers/market/market.ts';

test.each(makeTemplates().map(template => [template.name, template] as const))(
	'%s is a template that anybody can use',
	(_, template) => {
		expect(checkTemplate(template)).toBe(template);
		expect(template).toMatchObject({private: false, docker_login_pass: ''});
		expect(template.image).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+$/);
		expect(parseFilter(searchableOffers, template.extra_filters).length).toBeGreaterThan(2);
		expect(envProblem(parseEnv(template.env))).toBeUndefined();
		expect(printEnv(parseEnv(template.env))?.replaceAll('""', '')).toBe(
			template.env.replaceAll(/"([^ "]*)"/g, '$1').replaceAll('""', ''),
		);
		expect(template.readme.length).toBeGreaterThan(20);
	},
);

test('a market with offers recommends templates, and one without has none', async () => {
	await using stocked = await openTestMarket({offers: 1});
	const {body} = await stocked.call('/api/v0/template/?select_filters={"recommended":{"eq":true}}');
	expect(body).toMatchObject({
		templates_found: 5,
		templates: makeTemplates().map(({name, image}) => ({name, image, creator_id: 0})),
	});
	await using empty = await openTestMarket();
	expect((await empty.call('/api/v0/template/')).body).toMatchObject({templates_found: 0});
});

test('what the market recommends nobody can edit or delete', async () => {
	await using market = await openTestMarket({offers: 1});
	const send = async (method: string, body: unknown) =>
		(await market.call('/api/v0/template', {method, body: JSON.stringify(body)})).status;
	expect(await send('DELETE', {template_id: 1})).toBe(404);
	expect((await market.call('/api/v0/template/')).body).toMatchObject({templates_found: 5});
});
