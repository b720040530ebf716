import {expect, test} from 'vitest';
import {ApiError} from '../../../../source/client/exchange/errors.ts';
import {overBudget} from '../../../../source/renter/instance/cost.ts';
import {cudaWanted} from '../../../../source/renter/orders/checks.ts';
import {nextOffers, nextUnavailable} from '../../../../source/renter/orders/next-offers.ts';
import {
	shownRequest,
	shownScript,
	asCommand,
	asCurl,
	quoteWord,
} from '../../../../source/renter/orders/request-text.ts';
import {ownEntries} from '../../../../source/renter/orders/form-env.ts';
import {baseValues} from '../../../../source/renter/orders/rent-values.ts';
import {
	notCreatedMessage,
	readCallFailure,
	refusedMessage,
} from '../../../../source/console/screens/rent/rent-message.ts';
import {isTaken} from '../../../../source/renter/orders/agreed-order.ts';

const job = {diskGb: 0, hours: 24, inGbPerHour: 0, outGbPerHour: 0};
const offerAt = (id: number, dph_base: number) => ({id, dph_base, storage_cost: 0});

type Asked = {
	readonly tried?: readonly number[];
	readonly tries?: string;
	readonly fallback?: readonly number[];
};

function nextAt(prices: readonly number[], {tried = [], tries = '3', fallback = []}: Asked = {}) {
	const values = {...baseValues(undefined), image: 'x', ceiling: '5', tries};
	const first = {offer: offerAt(1, 1), pricedGb: 8};
	const facts = {...first, first, template: undefined, job, tried, fallback};
	const found = prices.map((price, index) => offerAt(index + 2, price));
	const next = nextOffers(facts, found, {values, pricedGb: 8});
	return {next, why: nextUnavailable(next[0], facts, values)};
}

test('the cheapest equal offer comes first, and those over the ceiling are marked', () => {
	const {next, why} = nextAt([1.2, 1.05, 0.9]);
	expect(next.map(({offer, isWithin}) => [offer.id, isWithin])).toEqual([
		[4, true],
		[3, true],
		[2, false],
	]);
	expect(why).toBeUndefined();
});

test('what the renter chose to fall back on comes first, in their order, where it is not too dear', () => {
	const {next} = nextAt([0.8, 0.9, 1, 1.3], {fallback: [5, 4, 3]});
	expect(next.map(({offer}) => offer.id)).toEqual([4, 3, 2, 5]);
});

test('an offer that is dearer than the ceiling is not taken with one key', () => {
	expect(nextAt([1.06]).why).toBe('the next one is +6 %, and your ceiling is +5 %');
	expect(nextAt([1.052]).why).toBe('the next one is +5.2 %, and your ceiling is +5 %');
	expect(nextAt([1.0503]).why).toBe('the next one is +5.1 %, and your ceiling is +5 %');
});

test('an offer that was tried is not offered again, and after three others it ends', () => {
	expect(nextAt([0.9, 0.95], {tried: [2]}).next.map(({offer}) => offer.id)).toEqual([3]);
	expect(nextAt([0.9, 0.9, 0.9, 0.9], {tried: [7, 8, 9]}).why).toContain('3 others were tried');
	expect(nextAt([0.9, 0.9, 0.9, 0.9], {tried: [7, 8, 9], tries: '9'}).why).toContain(
		'3 others were tried',
	);
});

test.each([
	[{askOverPerHour: 3, fleetMaxPerHour: null}, 3, undefined],
	[{askOverPerHour: 3, fleetMaxPerHour: null}, 3.1, 'spend $3.1000/h'],
	[{askOverPerHour: null, fleetMaxPerHour: 10}, 1, undefined],
	[{askOverPerHour: null, fleetMaxPerHour: 10}, 2.5, 'spend $2.5000/h'],
	[{askOverPerHour: 3, fleetMaxPerHour: null}, undefined, 'rent at any price'],
	[{askOverPerHour: null, fleetMaxPerHour: null}, undefined, undefined],
])(
	'a budget of %o lets %s dollars pass beside a fleet of 8, or asks for a sentence',
	(budget, perHour, sentence) => {
		expect(overBudget(budget, {perHour, fleet: {atMost: 8, unpriced: 0}})?.sentence).toBe(sentence);
	},
);

test.each([
	['pytorch:2.6-cuda12.4-cudnn9', 12.4],
	['nvidia/cuda:12.8.1-base', 12.8],
	['torch:2.6-cu124', 12.4],
	['ubuntu:24.04', undefined],
])('the image %s wants CUDA %s', (image, wanted) => {
	const value = {value: image, origin: 'request'} as const;
	expect(cudaWanted({image: value, extra_filters: {}})).toBe(wanted);
});

test('machine filters say which CUDA is wanted, too', () => {
	const filter = {value: {gte: 12.9}, origin: 'template'} as const;
	const image = {value: 'x:cuda12.4', origin: 'request'} as const;
	expect(cudaWanted({image, extra_filters: {cuda_max_good: filter}})).toBe(12.9);
});

const SECRETS = ['hf_abcdefghij', 'p4ssw0rd', 'sk-abcdefghij', 'hunter2', 'topsecret'];

test('no secret is in what is copied', () => {
	const order = {
		image: 'a/b',
		env: [
			['HF_TOKEN', 'hf_abcdefghij'],
			['DATABASE', 'postgres://me:p4ssw0rd@db/x'],
			['PLAIN', "it's"],
		],
		onstart: 'export API_KEY=sk-abcdefghij\ncurl -H "Authorization: Bearer topsecret" x',
		arguments: {list: ['--password', 'hunter2', '--port', '80']},
		image_login: '-u me -p topsecret docker.io',
	} as const;
	for (const text of [asCommand(7, order), asCurl(7, order)]) {
		for (const secret of SECRETS) expect(text).not.toContain(secret);
		expect(text).toContain('80');
	}
	expect(asCommand(7, order)).toContain(String.raw`-e PLAIN=it'\''s`);
	expect(asCommand(7, order)).toContain('--login-file FILE');
});

test('what is no secret is copied as it is', () => {
	const request = {env: {PYTHONPATH: '/work', MODE: 'a'}, onstart: 'pip install -r keys.txt'};
	expect(shownRequest(request)).toEqual(request);
	expect(shownScript('echo KEYBOARD=qwerty')).toContain('echo');
});

test('a word is quoted so that a shell takes nothing of it for its own', () => {
	expect(quoteWord('a;b $(c)')).toBe("'a;b $(c)'");
	expect(quoteWord('a/b:1')).toBe('a/b:1');
});

test('what the template says of an environment already is not the renters own', () => {
	const template = [
		['TZ', 'UTC'],
		['MODE', 'a'],
	] as const;
	expect(
		ownEntries(
			[
				['TZ', 'UTC'],
				['MODE', 'b'],
				['RUN', '1'],
			],
			template,
		),
	).toEqual([
		['MODE', 'b'],
		['RUN', '1'],
	]);
});

const failed = (status: number, code: string, serverSays: string) =>
	readCallFailure(new ApiError('rent an offer', {status, code, serverSays}));

test.each([
	[404, 'invalid_args', 'error 404/3603: no_such_ask', true],
	[410, 'no_such_ask', 'error 410/3907: no_such_ask', true],
	[400, 'no_such_ask', 'no_such_ask', true],
	[404, 'invalid_args', 'there is no template with the hash x', false],
	[400, 'invalid_args', 'disk must be smaller', false],
	[404, 'auth_error', 'Invalid user key', false],
])('a refusal with %i %s "%s" means that the offer is taken: %s', (status, code, says, taken) => {
	expect(isTaken(failed(status, code, says))).toBe(taken);
});

test.each([
	[401, 'auth_error', 'x', 'keep charging'],
	[404, 'auth_error', 'Invalid user key', 'keep charging'],
	[403, 'not_authorized', 'x', 'may not create instances'],
	[429, '', 'x', 'wants fewer calls'],
	[400, 'no_ssh_key_for_vm', 'x', '4 opens Keys'],
	[400, 'invalid_args', 'disk must be a number', 'It is about disk'],
])(
	'a refusal with %i %s says what happened, the state of money and what to do',
	(status, code, says, wanted) => {
		const {title, lines} = refusedMessage(failed(status, code, says));
		const text = [title, ...lines].join(' ');
		expect(text).toContain(wanted);
		expect(text).toMatch(/Nothing was created/);
		expect(text.match(/\. |\.$/g)?.length).toBeLessThanOrEqual(5);
	},
);

test('an order that was not found may still arrive, and only the same one is said to be safe to repeat', () => {
	const {title, lines} = notCreatedMessage({why: 'not found', error: undefined}, 7);
	expect([title, ...lines].join(' ')).toBe(
		'The answer was lost, and no instance of offer 7 was found for half a minute. It was not rented so far: nothing of it is charged. Should it still arrive, the same order again rents no second. e goes back to the form, with that order; another order may be a second instance.',
	);
});
