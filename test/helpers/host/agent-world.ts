import {openHostAgent} from '../../../source/host/agent/agent.ts';
import {createHandScheduler} from '../hand-scheduler.ts';
import {openNotes} from './host.ts';
import {openDesk} from './market-desk.ts';

type World = {desk?: ReturnType<typeof openDesk>; notes?: ReturnType<typeof openNotes>};

/** An agent of a runtime that notes down what it is told, and a desk that it takes its work from. */
export async function openWorld({desk = openDesk(), notes = openNotes()}: World = {}) {
	const scheduler = createHandScheduler();
	const log: string[] = [];
	const agent = await openHostAgent({
		calls: desk.calls,
		openRuntime: notes.open,
		scheduler,
		random: () => 0,
		log: line => log.push(line),
	});
	return {...desk, ...notes, agent, scheduler, log, [Symbol.asyncDispose]: agent.close};
}
