import {expect, test} from 'vitest';
import type {Account} from '../../../source/contract/nouns/account.ts';
import type {Offer} from '../../../source/contract/nouns/offers.ts';
import type {FormValues} from '../../../source/console/ui/form-state.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {noBurn} from '../../../source/renter/instance/burn.ts';
import {jobOf} from '../../../source/renter/offers/job.ts';
import {checksOf, refusalIn} from '../../../source/renter/orders/checks.ts';
import type {RentFacts} from '../../../source/renter/orders/rent-facts.ts';
import {previewOf} from '../../../source/renter/orders/preview.ts';
import {initialValues} from '../../../source/renter/orders/rent-values.ts';

const offer: Offer = {
	id: 7,
	dph_base: 1,
	storage_cost: 0,
	disk_space: 200,
	min_bid: 0.2,
	machine_id: 5,
	cuda_max_good: 12.4,
	vms_enabled: true,
};
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no other field of an account is looked at
const account = {credit: 100} as Account;

type Said = {readonly values?: FormValues; readonly facts?: Partial<RentFacts>};

/** What is said of an order: a form that begins as usual, with an image, and a few changes. */
function checked({values = {}, facts: others = {}}: Said) {
	const facts: RentFacts = {
		offer,
		pricedGb: 8,
		readAt: undefined,
		template: undefined,
		like: undefined,
		job: jobOf(defaultSettings),
		templateLeases: {},
		bootMinutes: 10,
		account,
		sshKeys: [{id: 1, public_key: 'x'}],
		localKeys: [],
		newKeyFile: undefined,
		isAsked: true,
		volumes: [
			{id: 3, machine_id: 5},
			{id: 4, machine_id: 6},
		],
		first: {offer, pricedGb: 8},
		shown: {offer, pricedGb: 8},
		isInDoubt: false,
		fallback: [],
		tried: [],
		...others,
	};
	const settings = defaultSettings;
	const begun = initialValues({
		template: undefined,
		like: undefined,
		isBid: false,
		settings,
		offer,
	});
	const preview = previewOf(facts, {...begun, image: 'a/b', ...values});
	return checksOf({facts, preview, burn: noBurn});
}

const link = (id: string) => ({volume: 'link', volume_id: id, volume_path: '/data'});

test.each<[FormValues, string, string]>([
	[{image: ''}, 'image', 'an image is needed'],
	[{disk: '201'}, 'disk', 'more than the 200 GB that this offer has'],
	[{type: 'interruptible', price: '0.0005'}, 'price', 'outside 0.001 to 128 $/h'],
	[{type: 'interruptible', price: '129'}, 'price', 'outside 0.001 to 128 $/h'],
	[{type: 'interruptible', price: '0.1'}, 'price', 'below 0.2 $/h, which is what wins'],
	[{type: 'interruptible', price: ''}, 'price', 'needs a bid'],
	[{onstart: 'x'.repeat(4049)}, 'onstart', 'at most 4048 characters'],
	[{onstart: 'x'.repeat(4000), args: 'y'.repeat(97)}, 'args', 'at most 4096 characters together'],
	[{args: '["a", '}, 'args', 'expected a text, or a list'],
	[link('9'), 'volume_id', 'you have no volume 9'],
	[link('4'), 'volume_id', 'volume 4 is on machine 6, and the offer on machine 5'],
	[{...link('3'), vm: 'yes'}, 'volume', 'VMs take no volumes'],
	[{...link('3'), volume_path: 'data'}, 'volume_path', 'mount_path'],
	[{extra_filters: 'speed>3'}, 'extra_filters', 'speed is not a field'],
])('a form with %j is refused at %s before anything is sent', (values, field, text) => {
	const refusal = refusalIn(checked({values}));
	expect(refusal?.text).toContain(text);
	expect(refusal?.field).toBe(field);
});

test.each<[Said, string]>([
	[{facts: {sshKeys: []}, values: {vm: 'yes'}}, 'a VM needs an SSH key first'],
	[{facts: {offer: {...offer, vms_enabled: false}}, values: {vm: 'yes'}}, 'runs no VMs'],
	[
		{facts: {offer: {...offer, min_bid: null}}, values: {type: 'interruptible', price: '1'}},
		'no bids',
	],
	[{facts: {account: {...account, credit: 0}}}, 'the account has no credit left'],
	[{values: {template: 'gone'}}, 'the template is gone'],
])('%j is refused before anything is sent', (said, text) => {
	expect(refusalIn(checked(said))?.text).toContain(text);
});

test.each<[Said, string]>([
	[{values: {image: 'x:cuda12.8'}}, "the image wants CUDA 12.8, and the machine's driver has 12.4"],
	[{facts: {account: {...account, credit: 10}}}, 'and the job takes 24 h'],
	[{facts: {sshKeys: undefined}}, 'whether an SSH key is registered is not known'],
	[{facts: {volumes: undefined}, values: link('3')}, 'where volume 3 is, is not known'],
	[
		{facts: {offer: {...offer, disk_space: undefined}}},
		'how much disk the machine has free is not known',
	],
	[
		{facts: {offer: {...offer, min_bid: undefined}}, values: {type: 'interruptible', price: '1'}},
		'the lowest bid that wins is not known',
	],
	[{facts: {isInDoubt: true}}, 'this may make a second instance'],
	[
		{facts: {offer: {...offer, isolation: 'none: shares the machine'}}},
		'nothing keeps instances apart here',
	],
	[
		{facts: {offer: {...offer, isolation: 'sandbox, shared network, no limit of disk'}}},
		'apart from others in a sandbox, but the network is shared, and others may use up disk',
	],
])('%j is warned of, and no reason to refuse', (said, text) => {
	const checks = checked(said);
	expect(refusalIn(checks)).toBeUndefined();
	const warnings = checks.filter(({level}) => level === 'warn').map(check => check.text);
	expect(warnings.join()).toContain(text);
});

test.each<[Said, string]>([
	[
		{facts: {offer: {...offer, disk_space: 39.6}}},
		'disk 40 GB is more than the 39 GB that this offer has',
	],
	[
		{
			facts: {offer: {...offer, min_bid: 0.1 + 0.2}},
			values: {type: 'interruptible', price: '0.2'},
		},
		'the bid 0.2 is below 0.3 $/h',
	],
	[{facts: {account: {...account, credit: 0.5}}}, 'credit $0.50 lasts less than 1 h with this'],
])('%j is said in numbers that agree with each other', (said, text) => {
	expect(
		checked(said)
			.map(check => check.text)
			.join(),
	).toContain(text);
});

/** What is said of how the machine of an offer keeps instances apart. */
function saidOf(isolation: string | undefined) {
	return checked({facts: {offer: {...offer, isolation}}}).filter(({text}) =>
		text.includes('apart'),
	);
}

test('how a machine keeps instances apart is said where its service says it in known words', () => {
	const text = 'apart from others in a container with limits and a network of its own';
	expect(saidOf('container')).toEqual([{level: 'ok', text}]);
	expect([undefined, 'fort', 'container\n'].flatMap(saidOf)).toEqual([]);
});

test('what is well is said, too', () => {
	const well = checked({values: {...link('3'), image: 'x:cuda12.1'}})
		.filter(({level}) => level === 'ok')
		.map(({text}) => text);
	expect(well).toEqual([
		'disk 40 <= 200 GB free on the machine',
		"volume 3 is on the offer's machine",
		'CUDA 12.4 >= 12.1 wanted',
		'credit $100.00 lasts 100 h with this',
	]);
});

test('an own machine costs nothing where the service says so, whatever the bid', () => {
	const job = jobOf(defaultSettings);
	const own = [{id: 5, owner_dph: 0}];
	const costOf = (machines: RentFacts['own'], values: FormValues = {}) =>
		previewOf(
			{offer, template: undefined, job, pricedGb: 8, own: machines},
			{
				image: 'a',
				...values,
			},
		).cost.allIn;
	expect(costOf(own)).toBe(0);
	expect(costOf(own, {type: 'interruptible', price: '2'})).toBe(0);
	expect(costOf([{id: 5}])).toBe(1);
	expect(costOf([{id: 6, owner_dph: 0}])).toBe(1);
});
