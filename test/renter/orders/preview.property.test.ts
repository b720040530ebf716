import {
	assert,
	asyncProperty,
	boolean,
	constantFrom,
	option,
	property,
	record,
	stringMatching,
	tuple,
	uniqueArray,
} from 'fast-check';
import {expect, test} from 'vitest';
import {splitArguments} from '../../../source/contract/grammar/arguments.ts';
import {mergedEnvOf, mergeCreation, type Creation} from '../../../source/contract/nouns/merge.ts';
import {completeTemplate, readTemplate} from '../../../source/contract/nouns/template-content.ts';
import type {Template} from '../../../source/contract/nouns/templates.ts';
import {openClient} from '../../../source/client/client.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {jobOf} from '../../../source/renter/offers/job.ts';
import {previewOf, type Preview} from '../../../source/renter/orders/preview.ts';
import {writeEnv} from '../../../source/renter/orders/form-env.ts';
import {initialValues} from '../../../source/renter/orders/rent-values.ts';
import {asTemplate} from '../../../source/console/screens/rent/rent-form.ts';
import {openRentable} from '../../helpers/market/rentable.ts';
import {rentals} from '../../console/screens/rent/open-rent.ts';
import {runs} from '../../helpers/property.ts';

const flag = constantFrom('yes', 'no');
const word = stringMatching(/^[a-z][a-z0-9]{0,7}$/);
const env = uniqueArray(
	tuple(constantFrom('TZ', 'MODE', 'RUN', '-p 8080:80', '-p 22:80', '-h'), word),
	{selector: ([key]) => key, maxLength: 4},
);

const templates = option(
	record({
		env: constantFrom('', '-e TZ=UTC -e MODE=a', '-p 8080:80 -e TZ=x -h box'),
		tag: constantFrom('', 'latest', '2.6'),
		onstart: constantFrom('', 'echo template'),
		runtype: constantFrom('ssh', 'jupyter', 'args'),
		args_str: constantFrom('', '--port 80'),
		ssh_direct: boolean(),
		jup_direct: boolean(),
		use_jupyter_lab: boolean(),
		jupyter_dir: constantFrom('', '/work'),
		recommended_disk_space: constantFrom(4, 8, 60),
		extra_filters: constantFrom({}, {gpu_ram: {gte: 16_000}}),
		docker_login_user: constantFrom('', 'me'),
		docker_login_pass: constantFrom('', 'token'),
	}),
	{nil: undefined},
);

/** Some fields of the form as a person could leave them; the others stay as they began. */
const changes = record(
	{
		image: word,
		label: word,
		disk: constantFrom('8', '12.5', '77'),
		launch: constantFrom('ssh_direct', 'jupyter_proxy', 'args'),
		env: env.map(writeEnv),
		onstart: constantFrom('', 'echo mine'),
		args: constantFrom('', '--quiet on', '["a b","c"]'),
		use_jupyter_lab: flag,
		jupyter_dir: constantFrom('', '/mine'),
		user: word,
		image_login: word,
		python_utf8: flag,
		lang_utf8: flag,
		force: flag,
		extra_filters: constantFrom('', 'gpu_ram>=24000', 'cuda_max_good>=12'),
	},
	{requiredKeys: []},
);

test('what the market makes of the request is what the preview showed', async () => {
	await using market = await openRentable();
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const [offer] = (
		await client.offers.search({
			filter: [{field: 'id', operator: 'eq', value: market.offer.id}],
		})
	).offers;
	if (offer === undefined) throw new Error('the offer is gone');
	let number = 0;
	async function make(content: object | undefined): Promise<Template | undefined> {
		if (content === undefined) return undefined;
		number += 1;
		const {hash_id: hash} = await client.templates.create({
			name: `t${number}`,
			image: 'a/torch',
			...content,
		});
		const filter = [{field: 'hash_id', operator: 'eq', value: hash}] as const;
		return (await client.templates.search({filter})).templates[0];
	}
	await assert(
		asyncProperty(templates, changes, async (content, changed) => {
			const template = await make(content);
			const beginning = {template, offer, like: undefined, isBid: false, settings: defaultSettings};
			const image = template === undefined ? {image: 'x'} : {};
			const values = {...initialValues(beginning), ...image, ...changed, target: 'stopped'};
			const facts = {offer, template, job: jobOf(defaultSettings), pricedGb: 8};
			const preview = previewOf(facts, values);
			expect(preview.problem).toBeUndefined();
			if (preview.order === undefined) return;
			await client.instances.create(offer.id, preview.order);
			expect((await rentals(market)).at(-1)).toMatchObject(shown(preview));
		}),
		{numRuns: runs(40)},
	);
	await client.close();
});

test('a template that is saved from the form makes the same instance by itself', () => {
	const offer = {id: 1};
	const job = jobOf(defaultSettings);
	assert(
		property(templates, changes, (content, changed) => {
			const template =
				content === undefined
					? undefined
					: {id: 1, hash_id: 'a', name: 't', image: 'a/torch', ...content};
			const beginning = {template, offer, like: undefined, isBid: false, settings: defaultSettings};
			const values = {...initialValues(beginning), image: 'b/c@sha256:1', ...changed};
			const preview = previewOf({offer, template, job, pricedGb: 8}, values);
			const saved = completeTemplate(readTemplate(asTemplate(preview).content));
			expect(madeOf(mergeCreation({}, saved))).toEqual(madeOf(preview.creation));
			expect(saved.recommended_disk_space).toBe(preview.diskGb);
		}),
	);
});

/** What of an instance a template can say, without who said it. */
function madeOf(creation: Creation) {
	const said = creation.arguments.value;
	return {
		image: creation.image.value,
		launch: creation.launch.value,
		env: mergedEnvOf(creation),
		onstart: creation.onstart.value,
		args: 'text' in said ? splitArguments(said.text) : said.list,
		use_jupyter_lab: creation.use_jupyter_lab.value,
		jupyter_dir: creation.jupyter_dir.value,
		extra_filters: Object.entries(creation.extra_filters).map(([key, {value}]) => [key, value]),
	};
}

/** What the preview says, in the shape of what is kept of an instance. */
function shown({creation, diskGb}: Preview) {
	const said = creation.arguments.value;
	return {
		image: creation.image.value,
		disk: diskGb,
		settings: {
			launch: creation.launch.value,
			env: mergedEnvOf(creation),
			onstart: creation.onstart.value,
			args: 'text' in said ? splitArguments(said.text) : said.list,
			use_jupyter_lab: creation.use_jupyter_lab.value,
			jupyter_dir: creation.jupyter_dir.value,
			python_utf8: creation.python_utf8.value,
			lang_utf8: creation.lang_utf8.value,
			force: creation.force.value,
			user: creation.user.value,
			// A template's own login is a secret, which the service tells nobody.
			...(creation.image_login.value !== '' && {image_login: creation.image_login.value}),
			extra_filters: Object.fromEntries(
				Object.entries(creation.extra_filters).map(([field, {value}]) => [field, value]),
			),
		},
	};
}
