import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	checkTemplate,
	completeTemplate,
	launchOf,
	readTemplate,
	tagOf,
	TemplateError,
} from '../../../source/contract/nouns/template-content.ts';
import {printRuntype} from '../../../source/contract/rules/runtype.ts';
import {runs} from '../../helpers/property.ts';

/** A body of the official command line, with all that it sends and leaves out. */
const official = {
	name: 'T',
	image: 'a/b',
	tag: null,
	href: null,
	repo: null,
	env: null,
	onstart: null,
	jup_direct: false,
	ssh_direct: true,
	use_jupyter_lab: false,
	runtype: 'ssh',
	use_ssh: true,
	jupyter_dir: null,
	docker_login_repo: null,
	extra_filters: {verified: {eq: true}, external: {eq: false}, rentable: {eq: true}},
	recommended_disk_space: '8.0',
	readme: null,
	readme_visible: true,
	desc: null,
	private: true,
};

const read = (body: Readonly<Record<string, unknown>>) =>
	checkTemplate(completeTemplate(readTemplate(body)));

test('the body of the official command line is a whole template', () => {
	expect(read(official)).toEqual({
		name: 'T',
		image: 'a/b',
		tag: 'latest',
		desc: '',
		readme: '',
		readme_visible: true,
		env: '',
		onstart: '',
		runtype: 'ssh',
		args_str: '',
		ssh_direct: true,
		use_ssh: true,
		jup_direct: false,
		jupyter_dir: '',
		use_jupyter_lab: false,
		docker_login_repo: '',
		docker_login_user: '',
		docker_login_pass: '',
		href: '',
		repo: '',
		extra_filters: official.extra_filters,
		recommended_disk_space: 8,
		private: true,
		volume_info: null,
	});
});

test('a name and an image are enough, and the rest has its defaults', () => {
	const {image, name, ...rest} = read({name: 'T', image: 'a/b'});
	expect({image, name}).toEqual({image: 'a/b', name: 'T'});
	expect(rest).toMatchObject({tag: 'latest', runtype: 'args', private: true, use_ssh: false});
	expect(read({name: 'T', image: 'i', runtype: 'jupyter'}).use_ssh).toBe(true);
	expect(read({name: 'T', image: 'i', runtype: 'ssh', use_ssh: false}).use_ssh).toBe(false);
});

test.each<readonly [body: Readonly<Record<string, unknown>>, field: string, value: unknown]>([
	[{recommended_disk_space: '12.5'}, 'recommended_disk_space', 12.5],
	[{recommended_disk_space: 0}, 'recommended_disk_space', 0],
	[{private: 'false'}, 'private', false],
	[{use_ssh: 1}, 'use_ssh', true],
	[{env: {A: 'b c', '-p 80:80': 1}}, 'env', '-e A="b c" -p 80:80'],
	[{tag: ''}, 'tag', ''],
	[{jupyter_dir: '/x'}, 'jupyter_dir', '/x'],
	[{desc: 'a\u001B[2J\r\n\u200B'}, 'desc', 'a\u001B[2J\r\n\u200B'],
	[{volume_info: {volume_id: 1}}, 'volume_info', {volume_id: 1}],
	[{onstart: '\u{1F600}'.repeat(4048)}, 'onstart', '\u{1F600}'.repeat(4048)],
])('%.60j is read as it is meant', (body, field, value) => {
	expect(readTemplate(body)).toEqual({[field]: value});
});

const deep = JSON.parse(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`) as unknown;

test.each<readonly [body: Readonly<Record<string, unknown>>, problem: string]>([
	[{name: null}, 'Template name is required'],
	[{name: ' '}, 'Template name is required'],
	[{image: ''}, 'Template image is required'],
	[{name: 7}, 'name: expected text'],
	[{name: 'a\u0000b'}, 'name: expected text'],
	[{desc: '\uD800'}, 'desc: expected text'],
	[{image: 'x'.repeat(1025)}, 'image: expected text of at most 1024 characters'],
	[{tag: 'x'.repeat(129)}, 'tag: expected text of at most 128 characters'],
	[{onstart: 'x'.repeat(4049)}, 'onstart: expected text of at most 4048 characters'],
	[{args_str: 'x'.repeat(4097)}, 'args_str: expected text of at most 4096 characters'],
	[
		{args_str: 'x'.repeat(97), onstart: 'x'.repeat(4000)},
		'args_str and onstart: expected at most 4096 characters together',
	],
	[{runtype: 'vm'}, 'runtype: expected one of ssh, jupyter, args'],
	[{runtype: 1}, 'runtype: expected one of ssh, jupyter, args'],
	[{ssh_direct: 'yes'}, 'ssh_direct: expected true or false'],
	[{recommended_disk_space: -1}, 'recommended_disk_space: expected a number of at least 0'],
	[{recommended_disk_space: 'NaN'}, 'recommended_disk_space: expected a number of at least 0'],
	[{recommended_disk_space: Infinity}, 'recommended_disk_space: expected a number of at least 0'],
	[{extra_filters: []}, 'extra_filters: expected an object'],
	[{extra_filters: {a: deep}}, 'extra_filters: expected an object'],
	[{volume_info: 'x'}, 'volume_info: expected an object'],
	[{env: `-e ${'N'.repeat(257)}=1`}, 'env: a name has at most 256 characters'],
	[{env: 5}, 'env: expected a line of Docker flags'],
	[{env: {A: 'a\'b"c', B: '1'}}, 'env: expected a line of Docker flags'],
])('%.60j is refused', (body, problem) => {
	expect(() => read({name: 'T', image: 'i', ...body})).toThrow(new TemplateError(problem));
});

test('whatever is sent is read, or refused in a sentence', () => {
	const names = Object.keys(official);
	const body = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({maxDepth: 3}));
	fc.assert(
		fc.property(body, sent => {
			try {
				expect(Object.keys(read(sent))).toHaveLength(24);
			} catch (error) {
				expect(error).toBeInstanceOf(TemplateError);
			}
		}),
		{numRuns: runs(500)},
	);
});

test.each([
	[{runtype: 'args', ssh_direct: true}, 'args'],
	[{runtype: 'ssh'}, 'ssh ssh_proxy'],
	[{runtype: 'ssh', ssh_direct: true}, 'ssh ssh_direc ssh_proxy'],
	[{runtype: 'jupyter'}, 'jupyter_proxy ssh_proxy'],
	[{runtype: 'jupyter', ssh_direct: true}, 'jupyter_proxy ssh_direc ssh_proxy'],
	[{runtype: 'jupyter', jup_direct: true}, 'jupyter_direc ssh_direc ssh_proxy'],
	[{runtype: 'ssh_direct'}, 'ssh ssh_direc ssh_proxy'],
	[{runtype: 'ssh ssh_direc ssh_proxy', ssh_direct: null}, 'ssh ssh_direc ssh_proxy'],
	[{runtype: 'ssh_direct', ssh_direct: false}, 'ssh ssh_proxy'],
	[{runtype: 'jupyter_direct'}, 'jupyter_direc ssh_direc ssh_proxy'],
	[{runtype: 'jupyter_proxy ssh_proxy'}, 'jupyter_proxy ssh_proxy'],
])('%j is entered by %s', (body, tokens) => {
	expect(printRuntype(launchOf(read({name: 'T', image: 'i', ...body})))).toBe(tokens);
});

test.each([
	['a/b', undefined],
	['a/b:1', '1'],
	['host:5000/a', undefined],
	['host:5000/a:x-1', 'x-1'],
	['a@sha256:0f', 'sha256:0f'],
])('%s names the tag %s', (image, tag) => {
	expect(tagOf(image)).toBe(tag);
});

test('a template says its launch as a mode, however its record says it', () => {
	const said = readTemplate({runtype: 'ssh ssh_direc ssh_proxy'});
	expect(said).toEqual({runtype: 'ssh', ssh_direct: true, jup_direct: false});
	expect(readTemplate({runtype: 'ssh'})).toEqual({runtype: 'ssh'});
});
