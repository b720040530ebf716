import {expect, test} from 'vitest';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';
import {jobOf} from '../../source/renter/offers/job.ts';
import {rentFields, asTemplate} from '../../source/console/screens/rent/rent-form.ts';
import {previewOf, type Preview} from '../../source/renter/orders/preview.ts';
import {initialValues} from '../../source/renter/orders/rent-values.ts';
import {
	templateFields,
	copyForm,
	wholeContent,
} from '../../source/console/screens/templates/template-form.ts';
import {rent} from '../../source/commands/rent/rent.ts';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {completeTemplate} from '../../source/contract/nouns/template-content.ts';
import {commandsOf} from '../helpers/commands/commands.ts';
import {openFaultProxy} from '../helpers/services/fault-proxy.ts';
import {answered} from '../helpers/services/faults.ts';
import {openRentable} from '../helpers/market/rentable.ts';
import {openTestClient} from '../helpers/services/told-service.ts';

/** The words that the API's documents know for making an instance, and those for templates. */
const documented = [
	'args',
	'ssh',
	'ssh_proxy',
	'ssh_direct',
	'jupyter',
	'jupyter_proxy',
	'jupyter_direct',
];
const documentedModes = ['ssh', 'jupyter', 'args'];

/** A market that hears what is asked for, and makes nothing of it. */
async function openEar() {
	const market = await openRentable();
	const proxy = await openFaultProxy(market.url);
	const refusal = {success: false, error: 'invalid_args', msg: 'not today'};
	for (const [method, path] of [
		['PUT', '/api/v0/asks/'],
		['POST', '/api/v0/template/'],
	] as const) {
		proxy.next({method, path}, answered({status: 400, body: refusal}), Infinity);
	}
	const client = openTestClient({url: proxy.url, key: market.key, paceScale: 0});
	return {
		client,
		offer: market.offer,
		service: {url: proxy.url, key: market.key},
		/** What was ordered or kept last. */
		heard(): Record<string, unknown> {
			const body: unknown = JSON.parse(
				proxy.requests.findLast(({method}) => method !== 'GET')?.body ?? '',
			);
			return isRecord(body) ? body : expect.fail('nothing was sent');
		},
		async [Symbol.asyncDispose]() {
			await client[Symbol.asyncDispose]();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

/** What the rent form makes of a launch that was chosen there. */
function formWith(launch: string): Preview {
	const offer = {id: 1};
	const beginning = {
		offer,
		template: undefined,
		like: undefined,
		isBid: false,
		settings: defaultSettings,
	};
	const values = {...initialValues(beginning), image: 'a/b', launch};
	const facts = {offer, template: undefined, job: jobOf(defaultSettings), pricedGb: 8};
	return previewOf(facts, values);
}

const formWords = rentFields.flatMap(field => (field.id === 'launch' ? field.choices : []));

test('every launch that the command offers is sent as the documented word that was chosen', async () => {
	await using ear = await openEar();
	const run = commandsOf(ear.service);
	const words = rent.options['launch']?.oneOf ?? [];
	expect(words.toSorted()).toEqual(documented.toSorted());
	for (const word of words) {
		const given = ['--image', 'a/b', '--spend', '99', '--yes', '--launch', word];
		// oxlint-disable-next-line no-await-in-loop -- one order after the other
		await run('rent', String(ear.offer.id), ...given);
		expect(ear.heard()['runtype']).toBe(word);
	}
});

test('every launch that the form offers is sent as the documented word that was chosen', async () => {
	await using ear = await openEar();
	expect(formWords.toSorted()).toEqual(documented.toSorted());
	for (const word of formWords) {
		const order = formWith(word).order ?? expect.fail('the form cannot be understood');
		// oxlint-disable-next-line no-await-in-loop -- one order after the other
		await ear.client.instances.create(ear.offer.id, order).catch(() => undefined);
		// What the documents have as the default is not said.
		expect(ear.heard()['runtype']).toBe(word === 'ssh' ? undefined : word);
	}
});

test.for(['ssh_direc ssh_proxy', 'jupyter_direc ssh_proxy', 'jupyter_proxy,ssh_direc'])(
	'an order for %j is sent as one documented word',
	async tokens => {
		await using ear = await openEar();
		const given = ['--image', 'a/b', '--spend', '99', '--yes'];
		const also = JSON.stringify({runtype: tokens});
		await commandsOf(ear.service)('rent', String(ear.offer.id), ...given, '--also', also);
		expect(documented).toContain(ear.heard()['runtype']);
	},
);

test('every launch is kept in a template as one of its documented modes', async () => {
	await using ear = await openEar();
	const fromForm = formWords.map(word => completeTemplate(asTemplate(formWith(word)).content));
	const choices = templateFields.find(({id}) => id === 'runtype')?.choices ?? [];
	const listed = [...documented, 'ssh_direc ssh_proxy', 'jupyter_direc ssh_direc ssh_proxy'];
	const typed = [...choices, ...listed].map(runtype => {
		const record = {hash_id: 'a'.repeat(32), name: 'x', image: 'a/b', runtype};
		return wholeContent(copyForm(record));
	});
	for (const content of [...fromForm, ...typed]) {
		// oxlint-disable-next-line no-await-in-loop -- one template after the other
		await ear.client.templates.create({...content, name: 'x'}).catch(() => undefined);
		expect(documentedModes).toContain(ear.heard()['runtype']);
	}
});
