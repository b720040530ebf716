import {withoutBox} from '../../../helpers/console/box.ts';
import {expect, test} from 'vitest';
import {answered} from '../../../helpers/services/faults.ts';
import {openRentable} from '../../../helpers/market/rentable.ts';
import {openOn, openTorch} from './open-rent.ts';

test('Ctrl-C in a form with changes asks before they are lost', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g', '\t');
	await rentty.fill('a/b');
	rentty.type('\u0003');
	expect(await rentty.sees('DISCARD DRAFT')).toContain('changed: image');
	rentty.pass(1000);
	rentty.type('n');
	await rentty.sees('Review and rent');
	rentty.type('\u0003');
	await rentty.sees('DISCARD DRAFT');
	rentty.agree();
	await rentty.sees('filter>');
});

test('Ctrl-C and q on another tab ask too, while a form with changes waits behind', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g', '\t');
	await rentty.fill('a/b');
	await rentty.keys('\u001B[F', '2');
	await rentty.sees('[2 Instances');
	for (const key of ['\u0003', 'q']) {
		rentty.type(key);
		await rentty.sees(/Not left: the rent form of \d+ has changes\. Again leaves/);
		rentty.pass(60_000);
	}
	await rentty.keys('1');
	expect(await rentty.sees('Review and rent')).toContain('a/b');
	await rentty.keys('2', '\u0003', '\u0003');
	await rentty.left;
});

test('nothing asks where nothing would be lost', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('2', '\u0003');
	await expect(rentty.left).resolves.toBe('');
});

test('what was typed is kept while another tab is looked at', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g', '\t');
	await rentty.fill('a/b');
	await rentty.keys('\u001B[F', '2');
	await rentty.sees('[2 Instances');
	await rentty.keys('1');
	expect(await rentty.sees('Review and rent')).toContain('a/b');
});

test.each([
	['one rental', {askOverPerHour: 0.01, fleetMaxPerHour: null}, /\$0\.0100\/h for one\s+rental/],
	['the fleet', {askOverPerHour: null, fleetMaxPerHour: 0.01}, /\$0\.0100\/h\s+for the fleet/],
])('a rental over the budget for %s asks for a sentence to be typed', async (_, spend, words) => {
	await using rentty = await openTorch({settings: {spend}});
	await rentty.openForm();
	const review = withoutBox(await rentty.review());
	expect(review).toMatch(words);
	const sentence = /type: (spend \$[\d.]+\/h)/.exec(review)?.[1] ?? '';
	rentty.pass(1000);
	await rentty.keys('y', '\t', '\r');
	await rentty.sees('nothing was rented');
	expect(rentty.orders()).toBe(0);
	await rentty.keys('\u0015', sentence, '\r');
	await rentty.sees('Rented: instance');
});

test.each([
	[48, 16],
	[80, 24],
])(
	'at %ix%i the review shows what it costs and how it is answered, however much there is to say',
	async (columns, rows) => {
		const spend = {askOverPerHour: 0.01, fleetMaxPerHour: null};
		await using rentty = await openTorch({columns, rows, settings: {spend}});
		await rentty.openForm();
		await rentty.keys('g\t\t\t\t\t\t\t\t\t\t  ');
		await rentty.toReview();
		rentty.type('\r');
		const review = await rentty.sees('To confirm, type: spend $');
		expect(review).toMatch(/Costs +\$0\.\d+\/h all-in/);
		expect(review).toContain('[ Rent ]');
	},
);

test('one like an instance is rented on an equal offer, and its form belongs to the instances', async () => {
	await using market = await openRentable();
	await market.rent({
		image: 'a/like:3',
		disk: 77,
		onstart: 'echo 1',
		env: {HF_HOME: '/w'},
		target_state: 'stopped',
	});
	await using rentty = await openOn(market);
	await rentty.keys('2');
	await rentty.sees('1 of 1');
	rentty.type('r');
	const form = await rentty.sees('Review and rent');
	expect(form).toContain('[2 Instances');
	expect(form).toMatch(/image +a\/like:3 +like 1/);
	expect(form).toMatch(/disk GB +77/);
	expect(form).toMatch(/env +1 added/);
});

test('a copied request says every field and no secret', async () => {
	await using rentty = await openTorch({columns: 140, rows: 40});
	await rentty.openForm();
	await rentty.keys('g', '\t\t\t\t\t\t\t', '\r', 'n', 'HF_TOKEN=hf_verysecret', '\r', 'q');
	await rentty.sees('1 added');
	await rentty.keys('\u0019');
	await rentty.sees('COPY THE REQUEST');
	await rentty.keys('\r');
	const copied = await rentty.sees('HF_TOKEN=***');
	expect(copied).toMatch(/rentty rent \d+ --disk 40 --template [0-9a-f]+ --env/);
	expect(copied).not.toContain('verysecret');
});

test('without an image the disk of the settings is shown, priced, and sent with the image that is typed', async () => {
	await using rentty = await openTorch({settings: {templateHash: null, diskGb: 55}});
	const none = answered({status: 200, body: {success: true, templates_found: 0, templates: []}});
	rentty.proxy.next({method: 'GET', path: '/api/v0/template/'}, none);
	const form = await rentty.openForm();
	expect(form).toMatch(/disk GB +55 +.*settings/);
	expect(form).toContain('NO: an image is needed');
	const price = /ALL-IN (\S+)/.exec(form)?.[1];
	await rentty.fill('a/b');
	await rentty.toReview();
	expect(await rentty.review()).toContain(`${price} all-in`);
	rentty.agree();
	await rentty.sees('Rented: instance');
	expect(await rentty.rentals()).toMatchObject([{image: 'a/b', disk: 55}]);
});

test('the disk that a template says counts before that of the settings', async () => {
	await using rentty = await openTorch({
		template: {name: 'small', image: 'a/b', recommended_disk_space: 20},
		settings: {diskGb: 55},
	});
	expect(await rentty.openForm()).toMatch(/disk GB +20 +template/);
});

test('what the form says is saved as a template, and the form is there as it was', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g', '\t');
	await rentty.fill('b/mine:7');
	await rentty.keys('\u001B[F', 'k', '\r');
	const editor = await rentty.sees('Templates > new');
	expect(editor).toMatch(/image +b\/mine/);
	expect(editor).toMatch(/tag +7 /);
	expect(editor).toMatch(/disk GB +40 /);
	expect(editor).toMatch(/env +2: TZ MODE/);
	await rentty.fill('mine');
	await rentty.keys('\u001B[F', 'k', '\r');
	await rentty.sees('Saved. Its hash is');
	expect(await rentty.sees('Review and rent')).toContain('b/mine:7');
	const {text} = await rentty.market.call('/api/v0/template/');
	expect(text).toContain('"b/mine"');
});

test('a search from the palette keeps the form below it, with what was typed', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g\t\t', 'my-run', '\r');
	await rentty.sees('my-run');
	await rentty.keys('\u0010');
	await rentty.sees('command');
	await rentty.keys('offers gpu=4090');
	await rentty.sees('search offers with these words');
	await rentty.keys('\r');
	await rentty.sees('Esc clear filter');
	await rentty.keys('\u001B');
	await rentty.sees('what do you need?');
	await rentty.keys('q');
	await rentty.sees('my-run');
});

test("the tab's own key keeps a template that is made from the form, and the form", async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g', '\t');
	await rentty.fill('b/mine:7');
	await rentty.keys('\u001B[F', 'k', '\r');
	await rentty.sees('Templates > new');
	await rentty.fill('mine');
	await rentty.keys('\u001B[F', '1');
	await rentty.sees('what do you need?');
	await rentty.keys('q');
	expect(await rentty.sees('Templates > new')).toMatch(/name +mine/);
});
