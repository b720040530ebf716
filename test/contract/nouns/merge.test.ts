import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {containerPort, parseEnv} from '../../../source/contract/rules/env.ts';
import {
	mergedEnvOf,
	mergeCreation,
	type Creation,
	type CreationRequest,
} from '../../../source/contract/nouns/merge.ts';
import {parseRuntype} from '../../../source/contract/rules/runtype.ts';
import {
	completeTemplate,
	type TemplateContent,
} from '../../../source/contract/nouns/template-content.ts';
import {runs} from '../../helpers/property.ts';

const template = completeTemplate({
	name: 'T',
	image: 'repo/image',
	tag: '1.2',
	env: '-e A=template -e B=template -p 8080:80',
	onstart: 'start',
	runtype: 'jupyter',
	jup_direct: true,
	args_str: '--fast',
	jupyter_dir: '/work',
	use_jupyter_lab: true,
	extra_filters: {gpu_ram: {gte: 1}, verified: {eq: true}},
	recommended_disk_space: 30,
	docker_login_repo: 'docker.io',
	docker_login_user: 'me',
	docker_login_pass: 'secret',
	volume_info: {create_new: false, volume_id: 1, mount_path: '/v'},
});

const asked = (value: unknown) => ({value, origin: 'request'});
const kept = (value: unknown) => ({value, origin: 'template'});
const usual = (value: unknown) => ({value, origin: 'default'});
const ssh = parseRuntype('ssh_direct');
const jupyter = parseRuntype('jupyter_direct');

test.each<
	readonly [
		title: string,
		request: CreationRequest,
		with_: Partial<TemplateContent> | undefined,
		expected: Partial<Record<keyof Creation, unknown>>,
	]
>([
	['an image asked for counts, whole', {image: 'a/b'}, {}, {image: asked('a/b')}],
	['an image of the template has its tag', {}, {}, {image: kept('repo/image:1.2')}],
	['an image that has a tag keeps it', {}, {image: 'r:5000/i:9'}, {image: kept('r:5000/i:9')}],
	['a port of a registry is no tag', {}, {image: 'r:5000/i'}, {image: kept('r:5000/i:1.2')}],
	['a digest is a tag', {}, {image: 'i@sha256:00'}, {image: kept('i@sha256:00')}],
	['nobody names an image', {}, undefined, {image: usual(undefined)}],
	[
		'null is not given',
		{image: null, disk: null},
		{},
		{image: kept('repo/image:1.2'), disk: kept(30)},
	],
	['a disk asked for counts', {disk: 10}, {}, {disk: asked(10)}],
	['a disk of its own has 8 GB', {}, undefined, {disk: usual(8)}],
	['an empty text counts', {onstart: ''}, {}, {onstart: asked('')}],
	['a script is kept', {}, {}, {onstart: kept('start'), jupyter_dir: kept('/work')}],
	['a label is nobody else’s', {label: 'x'}, {}, {label: asked('x'), user: usual('')}],
	['a way to enter is kept', {}, {}, {launch: kept(jupyter)}],
	['a way to enter is asked for', {launch: ssh}, {}, {launch: asked(ssh)}],
	['direct SSH is kept', {}, {runtype: 'ssh', ssh_direct: true}, {launch: kept(ssh)}],
	[
		'arguments alone run the image',
		{arguments: {list: ['x']}},
		undefined,
		{launch: usual(parseRuntype('args'))},
	],
	['nothing at all is entered by SSH', {}, undefined, {launch: usual(parseRuntype('ssh'))}],
	['arguments count whole', {arguments: {list: ['x']}}, {}, {arguments: asked({list: ['x']})}],
	['arguments are kept', {}, {}, {arguments: kept({text: '--fast'})}],
	[
		'false is no answer beside a template',
		{use_jupyter_lab: false},
		{},
		{use_jupyter_lab: kept(true)},
	],
	[
		'false is an answer without one',
		{use_jupyter_lab: false},
		undefined,
		{use_jupyter_lab: asked(false)},
	],
	[
		'true counts',
		{use_jupyter_lab: true},
		{use_jupyter_lab: false},
		{use_jupyter_lab: asked(true)},
	],
	[
		'the other flags are off',
		{python_utf8: false, lang_utf8: false, force: false},
		{},
		{python_utf8: usual(false), lang_utf8: usual(false), force: usual(false)},
	],
	['credentials are carried over', {}, {}, {image_login: kept('-u me -p secret docker.io')}],
	[
		'credentials are asked for',
		{image_login: '-u a -p b c'},
		{},
		{image_login: asked('-u a -p b c')},
	],
	['half a credential is none', {}, {docker_login_pass: ''}, {image_login: usual('')}],
	['a volume is never the template’s', {}, {}, {volume_info: usual(undefined)}],
	[
		'a volume is asked for',
		{volume_info: {volume_id: 2}},
		{},
		{volume_info: asked({volume_id: 2})},
	],
	[
		'filters are merged by field',
		{extra_filters: {gpu_ram: {lt: 5}, x: 1}},
		{},
		{extra_filters: {gpu_ram: asked({lt: 5}), verified: kept({eq: true}), x: asked(1)}},
	],
])('%s', (_, request, changes, expected) => {
	const base = changes && {...template, ...changes};
	expect(mergeCreation(request, base)).toMatchObject(expected);
});

test('an environment is merged by key, and each port of the container is mapped once', () => {
	const merged = mergeCreation({env: parseEnv('-e B=request -e C=request -p 9090:80')}, template);
	expect(merged.env).toEqual([
		{key: 'A', value: 'template', origin: 'template'},
		{key: 'B', value: 'request', origin: 'request'},
		{key: 'C', value: 'request', origin: 'request'},
		{key: '-p 9090:80', value: '1', origin: 'request'},
	]);
	expect(Object.fromEntries(mergedEnvOf(merged))).toEqual({
		A: 'template',
		B: 'request',
		C: 'request',
		'-p 9090:80': '1',
	});
});

const some = <Value>(arbitrary: fc.Arbitrary<Value>) =>
	fc.option(arbitrary, {nil: undefined, freq: 2});
const word = fc.constantFrom('', 'a', 'b', 'r:1/i:2');
const envs = fc
	.array(fc.constantFrom('-e A=1', '-e A=2', '-e B=x y', '-p 1:80', '-p 2:80', '-p 3:81', '-h h'))
	.map(flags => flags.join(' '));
const filters = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.nat(3));

const requests = fc.record({
	image: some(word),
	disk: some(fc.integer({min: 8, max: 20})),
	onstart: some(word),
	launch: some(fc.constantFrom(ssh, jupyter)),
	env: some(envs.map(parseEnv)),
	extra_filters: some(filters),
	volume_info: some(fc.constant({volume_id: 7})),
	use_jupyter_lab: some(fc.boolean()),
});
const templates = fc
	.record({
		image: word,
		onstart: word,
		env: envs,
		extra_filters: filters,
		use_jupyter_lab: fc.boolean(),
		recommended_disk_space: fc.integer({min: 8, max: 20}),
		runtype: fc.constantFrom('ssh', 'jupyter', 'args'),
	})
	.map(changes => ({...template, ...changes}));

test('the five rules hold for every request and template', () => {
	fc.assert(
		fc.property(requests, templates, (request, base) => {
			const merged = mergeCreation(request, base);
			// 1 and 5: a single value of the request counts, the template's otherwise.
			for (const name of ['image', 'disk', 'onstart', 'launch'] as const) {
				const given = request[name];
				if (given === undefined) expect(merged[name].origin).toBe('template');
				else expect(merged[name]).toEqual(asked(given));
			}
			// 2: every key of either side is there, but for ports that a later side maps.
			const own = Object.fromEntries(request.env ?? []);
			const both = {...Object.fromEntries(parseEnv(base.env)), ...own};
			for (const {key, value, origin} of merged.env) {
				expect(both[key]).toBe(value);
				expect(origin).toBe(Object.hasOwn(own, key) ? 'request' : 'template');
			}
			const keys = merged.env.map(({key}) => key);
			const lost = Object.keys(both).filter(key => !keys.includes(key));
			const ports = keys.map(key => containerPort(key)?.port);
			for (const key of lost) expect(ports).toContain(containerPort(key)?.port);
			const mapped = ports.filter(port => port !== undefined);
			expect(new Set(mapped).size).toBe(mapped.length);
			// 3
			const fields = Object.entries(merged.extra_filters);
			expect(Object.fromEntries(fields.map(([field, {value}]) => [field, value]))).toEqual({
				...base.extra_filters,
				...request.extra_filters,
			});
			// 4
			expect(merged.volume_info.value).toEqual(request.volume_info);
			expect(merged.use_jupyter_lab.value).toBe(
				request.use_jupyter_lab === true || base.use_jupyter_lab,
			);
		}),
		{numRuns: runs(500)},
	);
});
