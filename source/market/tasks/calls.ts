import type {Contract} from '../../contract/index.ts';
import {askHost, planSnapshot} from './ask.ts';
import {Refusal} from '../base/refusal.ts';
import type {TaskRequest} from '../hosts/rules.ts';
import {resultPath} from './results.ts';
import type {Context, Handler} from '../http/handler.ts';
import type {RegistryLogins} from '../base/registry-logins.ts';

type Calls = Contract['instances'];

type Needs = {readonly registryLogins: RegistryLogins};

export const logs: Handler<Calls['logs']> = async ({params: {id}, body}, context) => {
	const {tail, filter, daemon} = body;
	return ask(context, id, {
		kind: 'logs',
		tail,
		...(filter !== undefined && {filter}),
		daemon_logs: daemon,
	});
};

export const execute: Handler<Calls['execute']> = async ({params: {id}, body}, context) => {
	const asked = await ask(context, id, {kind: 'execute', command: body.command});
	return {...asked, writeable_path: '/workspace/'};
};

export const takeSnapshot: Handler<Calls['takeSnapshot'], Needs> = async (
	{params: {id}, body},
	context,
) => {
	const {database, clock, workSignal, registryLogins, caller} = context;
	const {docker_login_user: user, docker_login_pass: password, pause} = body;
	const login = loginOf(user ?? '', password ?? '');
	const {accountId} = caller;
	const request = await planSnapshot(database, {
		instanceId: id,
		accountId,
		registry: body.container_registry ?? undefined,
		repository: body.personal_repo,
		pause: String(pause ?? true) === 'true',
		needsLogin: login !== undefined,
		now: clock.now(),
	});
	const asked = await askHost(database, {
		instanceId: id,
		accountId,
		request,
		now: clock.now(),
		// Another snapshot of this second, which may be under way, has the same name.
		onAsked() {
			if (login !== undefined) registryLogins.keep(request.image, login);
		},
	});
	if ('obstacle' in asked) return {success: false, msg: asked.obstacle};
	workSignal.send(asked.hostAccountId);
	return {
		success: true,
		image: request.image,
		msg: `The disk of instance ${id} is pushed as ${request.image}, without /root, /workspace and volumes. Its status message says how far it is.`,
	};
};

function loginOf(username: string, password: string) {
	if (username === '' && password === '') return undefined;
	if (username !== '' && password !== '') return {username, password};
	throw new Refusal('badArguments', 'docker_login_user and docker_login_pass are given together.');
}

type Asking = Context<Calls['logs']>;

async function ask(
	{database, clock, workSignal, origin, caller: {accountId}}: Asking,
	instanceId: number,
	request: TaskRequest,
) {
	const asked = await askHost(database, {instanceId, accountId, request, now: clock.now()});
	if ('obstacle' in asked) return {success: false, msg: asked.obstacle};
	workSignal.send(asked.hostAccountId);
	return {
		success: true,
		result_url: origin + resultPath(asked.token),
		msg: 'The answer will be at result_url for ten minutes.',
	};
}
