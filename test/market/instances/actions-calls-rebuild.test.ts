import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {readInstanceSettings} from '../../../source/market/lifecycle/instance-rules.ts';
import {refusal} from '../../helpers/market/market.ts';
import {openSharedMachine, type SharedMachine} from '../../helpers/market/shared-machine.ts';

const made = z.looseObject({template: z.looseObject({id: z.int(), hash_id: z.string()})});

async function makeTemplate(machine: SharedMachine, content: object = {}) {
	const body = JSON.stringify({
		name: 'T',
		image: 'a/b',
		tag: 'v2',
		env: '-e A=1 -e B=2',
		...content,
	});
	const reply = await machine.call('/api/v0/template/', {method: 'POST', body});
	return z.parse(made, reply.body).template;
}

const rebuild = async (machine: SharedMachine, id: number, body: unknown) =>
	machine.act('PUT', `update_template/${id}/`, body);

async function settingsOf(machine: SharedMachine, id: number) {
	return readInstanceSettings((await machine.row(id)).settings);
}

const before = {
	env: [
		['B', 'own'],
		['C', 'own'],
	],
	onstart: 'before',
	args: ['before'],
	python_utf8: true,
	user: 'me',
} as const;

test('an instance gets another template, under what is given with it', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0], settings: before, label: 'mine'});
	const {id: template_id, hash_id} = await makeTemplate(machine, {
		onstart: 'from template',
		args_str: "run 'it all'",
		runtype: 'jupyter',
	});
	const reply = await rebuild(machine, id, {id, template_hash_id: hash_id, env: {B: 'given'}});
	const msg = `Instance ${id} was changed, and is made anew now.`;
	expect(reply).toMatchObject({status: 200, body: {success: true, msg}});
	expect(await machine.row(id)).toMatchObject({
		image: 'a/b:v2',
		template_id,
		template_hash: hash_id,
		template_name: 'T',
		label: 'mine',
		actual: 'loading',
		message: 'recycling',
		boot: 2,
		container: 2,
	});
	expect(await settingsOf(machine, id)).toMatchObject({
		env: [
			['A', '1'],
			['B', 'given'],
		],
		onstart: 'from template',
		args: ['run', 'it all'],
		launch: {mode: 'jupyter'},
		jupyter_token: 'token',
		python_utf8: true,
		user: 'me',
	});
});

test('a template is named by its number, too', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0]});
	const template = await makeTemplate(machine);
	const reply = await rebuild(machine, id, {template_id: String(template.id), image: 'c/d'});
	expect(reply).toMatchObject({status: 200});
	const row = await machine.row(id);
	expect(row).toMatchObject({image: 'c/d', template_hash: template.hash_id});
});

test('without a template, what is not given stays as it is', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0], settings: before});
	const nothing = {template_id: null, template_hash_id: null, env: null, args: null, onstart: null};
	await rebuild(machine, id, {...nothing, image: 'c/d'});
	expect(await machine.row(id)).toMatchObject({image: 'c/d', container: 2});
	expect(await settingsOf(machine, id)).toMatchObject(before);
	await rebuild(machine, id, {env: '-e D=4', args: "x 'y z'", onstart: ''});
	expect(await machine.row(id)).toMatchObject({image: 'c/d', container: 3});
	expect(await settingsOf(machine, id)).toMatchObject({
		env: [['D', '4']],
		args: ['x', 'y z'],
		onstart: '',
		user: 'me',
	});
});

test('one that is stopped is made anew when it is started', async () => {
	await using machine = await openSharedMachine();
	await machine.rent({gpus: [1]});
	const id = await machine.halt({gpus: [0], bytes_up: 5});
	const reply = await rebuild(machine, id, {image: 'c/d'});
	const msg = `Instance ${id} was changed, and is made anew when it is started.`;
	expect(reply).toMatchObject({status: 200, body: {success: true, msg}});
	const row = await machine.row(id);
	expect(row).toMatchObject({image: 'c/d', boot: 2, container: 2, current: 'stopped', bytes_up: 0});
	await machine.act('PUT', `${id}/`, {state: 'running'});
	expect(await machine.row(id)).toMatchObject({boot: 3, container: 2, current: 'running'});
});

test.each([
	[{}, 'template_id, template_hash_id, image, args, env or onstart must be given'],
	[{image: null, env: null}, expect.stringContaining('must be given')],
	[{image: 'x'.repeat(1025)}, 'image has at most 1024 characters'],
	[{onstart: 'x'.repeat(4049)}, 'onstart has at most 4048 characters'],
	[{onstart: 'x'.repeat(4000), args: 'x'.repeat(97)}, expect.stringContaining('together')],
	[{args: 7}, 'args must be a list of texts'],
	[{env: []}, 'env must be text or an object'],
	[{env: {['x'.repeat(257)]: '1'}}, expect.stringContaining('256')],
	[{template_id: 'x'}, 'template_id must be a whole number'],
])('what cannot be is refused: %#', async (body, msg) => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0]});
	const row = await machine.row(id);
	expect(await rebuild(machine, id, body)).toMatchObject({
		status: 400,
		body: refusal('invalid_args', msg),
	});
	expect(await machine.row(id)).toEqual(row);
});

test('a template that is not there, or not for the caller, is refused', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0]});
	const row = await machine.row(id);
	const secret = await makeTemplate(machine, {private: true});
	await machine.database
		.updateTable('templates')
		.set({creator_id: 1})
		.where('id', '=', secret.id)
		.execute();
	for (const body of [{template_id: 999}, {template_hash_id: 'no'}]) {
		expect(await rebuild(machine, id, body)).toMatchObject({
			status: 404,
			body: refusal('invalid_args', expect.stringContaining('There is no template')),
		});
	}
	for (const body of [{template_id: secret.id}, {template_hash_id: secret.hash_id}]) {
		expect(await rebuild(machine, id, body)).toMatchObject({status: 404});
	}
	expect(await machine.row(id)).toEqual(row);
});
