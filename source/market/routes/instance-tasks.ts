import type {Contract} from '../../contract/index.ts';
import {askHost} from '../operations/ask.ts';
import type {TaskRequest} from '../rules/work-record.ts';
import {resultPath} from '../results.ts';
import type {Context, Handler} from './handler.ts';

type Calls = Contract['instances'];

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
