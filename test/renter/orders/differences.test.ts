import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {AgreedOrder} from '../../../source/client/rentals/pending-rent.ts';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {differencesText} from '../../../source/renter/orders/difference-texts.ts';
import {fields, verdictsOf, isSameImage} from '../../../source/renter/orders/differences.ts';
import {runs} from '../../helpers/property.ts';

const agreed: AgreedOrder = {
	gpuName: 'RTX 4090',
	gpus: 4,
	diskGb: 40,
	perHour: 2.0083,
	storageRate: 0.15,
	uploadRate: 0.002,
	downloadRate: 0,
	pricing: 'on-demand',
	image: 'pytorch/pytorch',
	label: 'train',
	templateHash: 'abc',
	ports: ['22/tcp', '80/tcp'],
};

/** A running instance as ordered. */
const asOrdered: Instance = {
	id: 7,
	actual_status: 'running',
	gpu_name: 'RTX 4090',
	num_gpus: 4,
	disk_space: 40,
	dph_base: 2,
	dph_total: 2.0083,
	storage_cost: 0.15,
	storage_total_cost: 0.0083,
	inet_up_cost: 0.002,
	inet_down_cost: 0,
	is_bid: false,
	image_uuid: 'pytorch/pytorch:latest',
	label: 'train',
	template_hash_id: 'abc',
	ports: {'22/tcp': [{HostIp: '', HostPort: '20000'}], '80/tcp': [{HostIp: '', HostPort: '20001'}]},
};

const differing = (got: Partial<Instance>, order: AgreedOrder = agreed) =>
	[...verdictsOf(order, {...asOrdered, ...got}).values()].filter(
		verdict => typeof verdict === 'object',
	);

test('an order and its instance are compared in every field', () => {
	expect(differing({})).toEqual([]);
	expect(verdictsOf(agreed, asOrdered).size).toBe(fields.length);
});

type Same = readonly [what: string, got: Partial<Instance>, order?: AgreedOrder];

const same: readonly Same[] = [
	['nothing is said', Object.fromEntries(Object.keys(asOrdered).map(name => [name, null]))],
	['a GPU is written with underscores', {gpu_name: 'RTX_4090'}],
	['a GPU has its maker before it', {gpu_name: 'NVIDIA_GeForce_RTX_4090'}],
	['GPUs are counted as 4.0', {num_gpus: 4.0}],
	['the disk is 39.999 GB', {disk_space: 39.999}],
	['the disk was rounded up', {disk_space: 41}],
	['half a GB was cut off', {disk_space: 32}, {...agreed, diskGb: 32.5}],
	['the disk is not known yet', {disk_space: 0}],
	['the disk is -1', {disk_space: -1}],
	['the price is less', {dph_total: 1.5}],
	['the price is that of one GPU, without the disk', {dph_total: 0.5, dph_base: 0.5}],
	['the total is without the disk', {dph_total: 2, dph_base: 2}],
	['what is called the price of GPUs has the disk in it', {dph_base: 2.0083}],
	['the price has other digits that are not shown', {dph_total: 2.008_349}],
	['a sum rounds to the other side', {dph_total: 2.008_350_1}, {...agreed, perHour: 2.008_349_9}],
	['only the price of the GPUs is said', {dph_total: null, storage_total_cost: null}],
	['rates are rounded', {storage_cost: 0.1504, inet_up_cost: 0.0024, inet_down_cost: 0.0005}],
	['rates are lower', {storage_cost: 0, inet_up_cost: 0.001}],
	['rates were not agreed', {storage_cost: 9}, {...agreed, storageRate: undefined}],
	['is_bid is missing', {is_bid: undefined}],
	['a label is null for none', {label: null}, {...agreed, label: ''}],
	['nobody asked for a label', {label: 'made-up'}, {...agreed, label: undefined}],
	['a template is named where none was ordered', {}, {...agreed, templateHash: undefined}],
	['no template is named', {template_hash_id: ''}],
	['it does not run yet, and has no ports', {actual_status: 'loading', ports: {}}],
	['its ports are not said', {ports: undefined}],
	['it has more ports', {}, {...agreed, ports: ['80/tcp']}],
	['no port was ordered', {ports: {}}, {...agreed, ports: []}],
	[
		'a port is listed by its number',
		{ports: {80: [{HostIp: '', HostPort: '1'}]}},
		{ports: ['80/tcp']},
	],
	['nothing was agreed', {}, {}],
];

test.for(same)('no difference is seen where %s', ([, got, order]) => {
	expect(differing(got, order)).toEqual([]);
});

type Different = readonly [got: Partial<Instance>, words: string, order?: AgreedOrder];

const different: readonly Different[] = [
	[{gpu_name: 'RTX 3090'}, 'GPU RTX 3090 instead of RTX 4090'],
	[{gpu_name: 'RTX 4090D'}, 'GPU RTX 4090D instead of RTX 4090'],
	[{num_gpus: 2}, '2 GPUs instead of 4'],
	[{num_gpus: 0}, '0 GPUs instead of 4'],
	[{disk_space: 20}, 'disk 20 GB instead of 40 GB'],
	[{disk_space: 39.4}, 'disk 39.4 GB instead of 40 GB'],
	[{dph_total: 2.1083}, 'price $2.1083/h instead of $2.0083/h ($0.1000/h more)'],
	[{dph_total: 2.0084}, 'price $2.0084/h instead of $2.0083/h ($0.0001/h more)'],
	[{dph_total: 2.1, dph_base: 2.1}, 'price $2.1083/h instead of $2.0083/h ($0.1000/h more)'],
	[
		{dph_total: null, storage_total_cost: null, dph_base: 3, disk_space: 39.6},
		'price $3.0082/h instead of $2.0083/h ($0.9999/h more)',
	],
	[
		{disk_space: 80, dph_total: 2.0166},
		'disk 80 GB instead of 40 GB, price $2.0166/h instead of $2.0083/h ($0.0083/h more)',
	],
	[
		{dph_total: 12.3456},
		'price $12.35/h instead of $11.00/h ($1.3500/h more)',
		{...agreed, perHour: 11.001},
	],
	[{storage_cost: 2.08}, 'storage $2.0800 a GB and month instead of $0.1500 a GB and month'],
	[{inet_up_cost: 2}, 'upload $2.0000 a GB instead of $0.0020 a GB'],
	[{inet_down_cost: 0.01}, 'download $0.0100 a GB instead of $0.0000 a GB'],
	[{is_bid: true}, 'a bid, which can be outbid, instead of on demand'],
	[{}, 'on demand instead of a bid', {...agreed, pricing: 'bid'}],
	[{image_uuid: 'a/b:1'}, 'image a/b:1 instead of pytorch/pytorch'],
	[
		{image_uuid: `${'x'.repeat(80)}/end`},
		`image …${'x'.repeat(55)}/end instead of pytorch/pytorch`,
	],
	[{label: ''}, 'no label instead of train'],
	[{label: 'other'}, 'label other instead of train'],
	[{template_hash_id: 'def'}, 'template def instead of abc'],
	[
		{ports: {'22/tcp': [], '80/tcp': [{HostIp: '', HostPort: '1'}]}},
		'port 22/tcp not reached from outside',
	],
	[{ports: {}}, 'ports 22/tcp, 80/tcp not reached from outside'],
	[
		{ports: {}},
		'ports 1/tcp, 2/udp, 3/tcp, 4/tcp and 1 more not reached from outside',
		{ports: ['1/tcp', '2/udp', '3/tcp', '4/tcp', '5/tcp']},
	],
];

test.for(different)('%j is said to be: %s', ([got, words, order]) => {
	expect(differencesText(differing(got, order))).toBe(words);
});

test('a bid is compared with its disk, as the record counts it', () => {
	const bid = {...agreed, pricing: 'bid', perHour: 0.21 + 0.0083} as const;
	const prices = {dph_base: 0.21, storage_total_cost: 0.0083, is_bid: true};
	expect(differing({...prices, dph_total: 0.2183}, bid)).toEqual([]);
	expect(differing({...prices, dph_total: 0.21}, bid)).toEqual([]);
	expect(differing({...prices, dph_total: 0.3183}, bid)).toMatchObject([
		{field: 'price', ordered: 0.2183, got: 0.3183, costs: 0.1},
	]);
});

const figure = fc.double({min: 0.001, max: 200, noNaN: true});
const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,20}$/);
const port = fc
	.record({number: fc.integer({min: 1, max: 65_535}), protocol: fc.constantFrom('tcp', 'udp')})
	.map(({number, protocol}) => `${number}/${protocol}`);

const orders: fc.Arbitrary<AgreedOrder> = fc.record(
	{
		gpuName: word,
		gpus: fc.integer({min: 1, max: 64}),
		diskGb: figure,
		perHour: figure,
		pricing: fc.constantFrom('on-demand', 'bid'),
		image: word,
		label: fc.string(),
		templateHash: word,
		ports: fc.uniqueArray(port),
	},
	{requiredKeys: []},
);

test('an instance as ordered never differs', () => {
	const states = fc.constantFrom('running', 'loading', null);
	fc.assert(
		fc.property(orders, states, fc.double({min: 0, max: 1, noNaN: true}), (order, state, share) => {
			const {perHour, ports} = order;
			const got: Instance = {
				id: 7,
				actual_status: state,
				gpu_name: order.gpuName?.replaceAll(' ', '_'),
				num_gpus: order.gpus,
				disk_space: order.diskGb,
				dph_total: perHour,
				dph_base: perHour === undefined ? undefined : perHour * share,
				storage_total_cost: perHour === undefined ? undefined : perHour * (1 - share),
				is_bid: order.pricing === undefined ? undefined : order.pricing === 'bid',
				image_uuid: order.image,
				label: order.label || null,
				template_hash_id: order.templateHash,
				ports:
					ports && Object.fromEntries(ports.map(name => [name, [{HostIp: '', HostPort: '1'}]])),
			};
			expect(differing(got, order)).toEqual([]);
		}),
	);
});

test('no record is too strange to be compared and told of', () => {
	const odd = fc.oneof(
		fc.anything(),
		fc.constantFrom(Number.NaN, Infinity, -Infinity, -1, 0, 1e308, Number.MAX_VALUE, -0, ''),
		fc.string({unit: 'binary'}),
	);
	const names = Object.keys(asOrdered);
	const strange = fc.record(Object.fromEntries(names.map(name => [name, odd])), {requiredKeys: []});
	fc.assert(
		fc.property(orders, strange, (order, got) => {
			const found = differing({...got, actual_status: 'running'}, order);
			expect(differencesText(found).length).toBeLessThan(3000);
			expect(() => JSON.stringify(found)).not.toThrow();
		}),
		{numRuns: runs(500)},
	);
});

const HEX = 'a1'.repeat(32);
const OTHER = 'b2'.repeat(32);

test.each([
	['pytorch/pytorch', 'pytorch/pytorch:latest'],
	['ubuntu:22.04', 'docker.io/library/ubuntu:22.04'],
	['ubuntu', 'index.docker.io/library/ubuntu:latest'],
	['library/ubuntu', 'ubuntu'],
	['docker.io/a/b:1', 'a/b:1'],
	['registry.example.org:5000/a/b', 'Registry.Example.org:5000/a/b:latest'],
	['localhost:5000/a', 'localhost:5000/a:latest'],
	['ubuntu:22.04', ` ubuntu:22.04@sha256:${HEX}\n`],
	[`ubuntu:22.04@sha256:${HEX}`, 'ubuntu:22.04'],
	[`ubuntu@sha256:${HEX}`, 'ubuntu:22.04'],
	['ubuntu:22.04', `ubuntu@sha256:${HEX}`],
	[`ubuntu:1@sha256:${HEX}`, `ubuntu:2@sha256:${HEX.toUpperCase()}`],
	['ubuntu:22.04', `sha256:${HEX}`],
	['ubuntu:22.04', HEX],
	['ubuntu:22.04', ''],
])('%s and %s can be one image', (one, other) => {
	expect(isSameImage(one, other)).toBe(true);
	expect(isSameImage(other, one)).toBe(true);
});

test.each([
	['pytorch/pytorch', 'pytorch/pytorch:2.6'],
	['pytorch/pytorch:2.6', 'pytorch/pytorch:2.6-devel'],
	['a/b:Tag', 'a/b:tag'],
	['a/b', 'b'],
	['a/b', 'ghcr.io/a/b'],
	['localhost:5000/a', 'localhost:5001/a'],
	['library/a/b', 'a/b'],
	[`ubuntu@sha256:${HEX}`, `ubuntu@sha256:${OTHER}`],
	[`ubuntu:22.04@sha256:${HEX}`, `ubuntu:22.04@sha256:${OTHER}`],
])('%s and %s are two images', (one, other) => {
	expect(isSameImage(one, other)).toBe(false);
	expect(isSameImage(other, one)).toBe(false);
});

test('every text can be compared, and is the same image as itself', () => {
	const parts = fc.constantFrom('docker.io', 'library', 'a', ':', '/', '@', 'latest', 'A.b:1', ' ');
	const text = fc.oneof(
		fc.string(),
		fc.array(parts, {maxLength: 8}).map(said => said.join('')),
	);
	fc.assert(
		fc.property(text, text, (one, other) => {
			expect(isSameImage(one, one)).toBe(true);
			expect(isSameImage(one, other)).toBe(isSameImage(other, one));
		}),
	);
});
