import {expect, test} from 'vitest';
import {openHostAgent} from '../../../source/host/agent/agent.ts';
import {openDesk} from '../../helpers/host/market-desk.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {openNotes} from '../../helpers/host/host.ts';

test('an instance that cannot be started is named in the log, with the reason', async () => {
	const {tell, open: openRuntime} = openNotes();
	const log: string[] = [];
	const agent = await openHostAgent({
		calls: openDesk().calls,
		openRuntime,
		scheduler: createHandScheduler(),
		log: line => log.push(line),
	});
	const status_msg = 'Image none:1 cannot be pulled: the registry has no such image';
	tell({instance_id: 7, boot: 1, status: 'failed', status_msg});
	expect(log).toEqual([`Instance 7 failed: ${status_msg}`]);
	await agent.close();
});
