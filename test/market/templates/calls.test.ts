import {expect, test} from 'vitest';
import {refusal, TEST_NOW} from '../../helpers/market/market.ts';
import {openTemplateMarket} from '../../helpers/market/templates.ts';

const unknown = {status: 404, body: refusal('invalid_args', 'You have no such template.')};

test('a template is created, found, edited and deleted', async () => {
	await using market = await openTemplateMarket();
	const {me} = market;
	const created = await me.call('POST', {name: 'T', image: 'a/b', docker_login_pass: 'secret'});
	expect(created).toMatchObject({
		status: 200,
		body: {
			success: true,
			msg: 'Template Created Successfully! New Template ID: 1',
			template: {id: 1, name: 'T'},
		},
	});
	const [served] = await me.find();
	expect(served?.['hash_id']).toMatch(/^[0-9a-f]{32}$/);
	expect(served).toEqual({
		id: 1,
		hash_id: (await me.make({docker_login_pass: 'secret'})).hash_id,
		creator_id: me.id,
		name: 'T',
		image: 'a/b',
		tag: 'latest',
		default_tag: 'latest',
		desc: '',
		readme: '',
		readme_visible: true,
		env: '',
		onstart: '',
		runtype: 'args',
		args_str: '',
		ssh_direct: false,
		use_ssh: false,
		jup_direct: false,
		jupyter_dir: null,
		use_jupyter_lab: false,
		docker_login_repo: '',
		docker_login_user: '',
		href: '',
		repo: '',
		extra_filters: {},
		recommended_disk_space: 8,
		private: true,
		volume_info: null,
		recommended: false,
		created_at: TEST_NOW,
		count_created: 0,
		recent_create_date: null,
	});
	const edited = await me.call('PUT', {hash_id: served?.['hash_id'], name: 'U'});
	expect(edited).toMatchObject({status: 200, body: {success: true, template: {id: 1, name: 'U'}}});
	expect(await me.find()).toMatchObject([{id: 1, name: 'U', image: 'a/b'}]);
	expect(await me.call('DELETE', {template_id: 1})).toEqual({
		status: 200,
		body: {success: true, msg: 'Template 1 was deleted.'},
	});
	expect(await me.find()).toEqual([]);
});

test('nothing that the market answers has the password in it', async () => {
	await using market = await openTemplateMarket();
	const {me, other} = market;
	const password = 'a-password-that-must-not-show';
	const body = {name: 'T', image: 'i', docker_login_pass: password, private: false};
	const replies = [await me.call('POST', body), await me.call('POST', body)];
	const columns = `?select_cols=${encodeURIComponent('["docker_login_pass","content"]')}`;
	replies.push(
		await me.call('GET'),
		await me.call('GET', undefined, columns),
		await other.call('GET'),
	);
	const {hash_id: hash} = await me.make(body);
	replies.push(await me.call('PUT', {hash_id: hash, desc: 'x'}));
	for (const reply of replies) {
		expect(reply.status).toBe(200);
		expect(JSON.stringify(reply)).not.toContain(password);
		expect(JSON.stringify(reply)).not.toContain('docker_login_pass');
	}
	const row = await market.database.selectFrom('templates').select('content').executeTakeFirst();
	expect(row?.content).toContain(password);
	await me.call('DELETE', {template_id: 1});
	const rows = await market.database.selectFrom('templates').selectAll().execute();
	const versions = await market.database.selectFrom('template_versions').selectAll().execute();
	expect(JSON.stringify([rows, versions])).not.toContain(password);
});

test('what says the same is the same template, for each account', async () => {
	await using market = await openTemplateMarket();
	const {me, other} = market;
	const first = await me.make({env: '-e A=1', extra_filters: {a: {eq: 1}, b: {eq: 2}}});
	const nulls = {desc: null, tag: null, recommended_disk_space: '8.0', hash_id: 'ignored'};
	const again = await me.call('POST', {
		name: 'T',
		image: 'a/b',
		env: '-e A=1',
		extra_filters: {b: {eq: 2}, a: {eq: 1}},
		...nulls,
	});
	expect(again).toMatchObject({status: 200, body: {success: true, template: first}});
	expect((await me.make({env: '-e A=2'})).id).not.toBe(first.id);
	const theirs = await other.make({env: '-e A=1', extra_filters: {a: {eq: 1}, b: {eq: 2}}});
	expect(theirs.id).not.toBe(first.id);
	expect(theirs.hash_id).not.toBe(first.hash_id);
});

test('an edit changes what is given, and the hash with it', async () => {
	await using market = await openTemplateMarket();
	const {me} = market;
	const made = await me.make({desc: 'd', env: '-e A=1', extra_filters: {a: {eq: 1}}});
	const edited = await me.edit(made.hash_id, {
		desc: '',
		env: null,
		extra_filters: {b: {eq: 2}},
		recommended_disk_space: '20',
	});
	expect(edited.id).toBe(made.id);
	expect(edited.hash_id).not.toBe(made.hash_id);
	expect(await me.find()).toMatchObject([
		{
			hash_id: edited.hash_id,
			desc: '',
			env: '-e A=1',
			extra_filters: {b: {eq: 2}},
			recommended_disk_space: 20,
		},
	]);
});

test('an edit that changes nothing keeps the hash', async () => {
	await using market = await openTemplateMarket();
	const made = await market.me.make({desc: 'd'});
	for (const changes of [{}, {desc: 'd'}, {desc: null, tag: 'latest'}]) {
		expect(await market.me.edit(made.hash_id, changes)).toMatchObject(made);
	}
});

test('the hash from before an edit edits nothing, until the template says the same again', async () => {
	await using market = await openTemplateMarket();
	const {me} = market;
	const made = await me.make();
	const edited = await me.edit(made.hash_id, {desc: 'x'});
	expect(await me.call('PUT', {hash_id: made.hash_id, desc: 'y'})).toEqual(unknown);
	expect(await me.call('DELETE', {hash_id: made.hash_id})).toEqual(unknown);
	const back = await me.edit(edited.hash_id, {desc: ''});
	expect(back).toMatchObject(made);
	expect((await me.edit(back.hash_id, {desc: 'x'})).hash_id).toBe(edited.hash_id);
});

test('an edit that would make two templates alike is refused', async () => {
	await using market = await openTemplateMarket();
	const [first, second] = [await market.me.make(), await market.me.make({desc: 'x'})];
	expect(await market.me.call('PUT', {hash_id: second.hash_id, desc: ''})).toEqual({
		status: 400,
		body: refusal('invalid_args', `Your template ${first.id} says exactly this already.`),
	});
});

test('of two edits of one hash at once, exactly one counts', async () => {
	await using market = await openTemplateMarket();
	const {me} = market;
	for (let round = 0; round < 10; round++) {
		const {hash_id} = await me.make({desc: `round ${round}`});
		const names = ['a', 'b', 'c'].map(name => `${name}${round}`);
		const replies = await Promise.all(
			names.map(async name => me.call('PUT', {hash_id, name, desc: 'changed'})),
		);
		const statuses = replies.map(({status}) => status);
		expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
		const winner = names[replies.findIndex(({status}) => status === 200)];
		expect(await me.find({name: {in: names}})).toMatchObject([{name: winner}]);
	}
});

test('the official command line edits every field, as it asks to', async () => {
	await using market = await openTemplateMarket();
	const {me} = market;
	const made = await me.make({runtype: 'ssh', ssh_direct: true, private: false, env: '-e A=1'});
	const nothing = {tag: null, href: null, repo: null, env: null, onstart: null, readme: null};
	await me.edit(made.hash_id, {
		name: 'U',
		image: null,
		...nothing,
		desc: null,
		jup_direct: false,
		ssh_direct: false,
		use_ssh: false,
		use_jupyter_lab: false,
		runtype: 'args',
		jupyter_dir: null,
		docker_login_repo: null,
		recommended_disk_space: null,
		extra_filters: {verified: {eq: true}},
		private: true,
		readme_visible: true,
	});
	expect(await me.find()).toMatchObject([
		{name: 'U', image: 'a/b', env: '-e A=1', runtype: 'args', ssh_direct: false, private: true},
	]);
});

test('others find what is public, and change nothing', async () => {
	await using market = await openTemplateMarket();
	const {me, other} = market;
	const secret = await me.make({name: 'secret'});
	const open = await me.make({name: 'open', private: false});
	expect(await other.find()).toMatchObject([{name: 'open', creator_id: me.id}]);
	expect(await other.find({id: {eq: secret.id}})).toEqual([]);
	for (const {id, hash_id} of [secret, open]) {
		expect(await other.call('PUT', {hash_id, desc: 'x'})).toEqual(unknown);
		expect(await other.call('DELETE', {template_id: id})).toEqual(unknown);
		expect(await other.call('DELETE', {hash_id})).toEqual(unknown);
	}
	expect(await me.find()).toHaveLength(2);
	expect(await me.find({private: {eq: true}})).toMatchObject([{name: 'secret'}]);
	expect(await me.find({private: {eq: null}})).toMatchObject([{name: 'open'}]);
	expect(await me.find({creator_id: {in: [String(me.id)]}})).toHaveLength(2);
});

test('a search answers how many it found, and the fields it was asked for', async () => {
	await using market = await openTemplateMarket();
	const {me} = market;
	for (const name of ['b', 'A', 'c']) await me.make({name, readme: 'long'});
	expect((await me.call('GET')).body).toMatchObject({success: true, templates_found: 3});
	const columns = {select_cols: ['image', 'nothing'], order_by: [{col: 'name', dir: 'asc'}]};
	const found = await me.find({}, columns);
	expect(found.map(({name}) => name)).toEqual(['A', 'b', 'c']);
	expect(Object.keys(found[0] ?? {}).toSorted()).toEqual(['hash_id', 'id', 'image', 'name']);
});

test('the tag that an image names itself is the one that counts', async () => {
	await using market = await openTemplateMarket();
	await market.me.make({image: 'host:5000/a:9', tag: '1'});
	expect(await market.me.find({default_tag: {eq: '9'}})).toMatchObject([
		{tag: '1', default_tag: '9'},
	]);
});
